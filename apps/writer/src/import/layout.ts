/** Which form a file has, by its first lines, and where its columns stand. */
import { parse } from "csv-parse/sync";
import { type Form, IMPORT_FORMATS, type ImportFormat, type Role } from "./form.ts";
import { FORMS } from "./forms.ts";
import { ImportError } from "./import-error.ts";

/** A file's form, and the place of each column; -1 where there is none. */
export interface Layout {
  readonly form: Form;
  readonly hasHeader: boolean;
  /** How many columns every row has. */
  readonly width: number;
  readonly date: number;
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly isClosed: number;
}

/** What the operator said of the form. */
export interface LayoutWish {
  readonly format?: ImportFormat | undefined;
  /** Whether the zone was named, so that forms that differ in nothing else are as good as one. */
  readonly isZoneNamed: boolean;
}

const LINE_END = /\r\n|\n|\r/;

/** The first two lines as a form's delimiter splits them. */
const splitHead = (head: string, delimiter: string): readonly (readonly string[])[] => {
  const lines = head.split(LINE_END).filter((line) => line !== "");
  try {
    return parse(lines.slice(0, 2).join("\n"), { delimiter, relax_column_count: true, bom: true });
  } catch {
    return [];
  }
};

const isInOrder = (columns: Form["columns"]): columns is readonly Role[] => Array.isArray(columns);

const roleNamed = (columns: Readonly<Record<string, Role>>, name: string): readonly Role[] => {
  const role = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return role ? [role] : [];
};

/** What each column holds, null when one is unknown or there are too few or too many. */
const rolesOf = ({ columns }: Form, first: readonly string[]): readonly Role[] | null => {
  const roles = isInOrder(columns) ? columns : first.flatMap((name) => roleNamed(columns, name.trim().toLowerCase()));
  return roles.length === first.length ? roles : null;
};

const layoutOf = (form: Form, head: string): Layout | null => {
  const [first = [], second] = splitHead(head, form.delimiter);
  const hasHeader = !isInOrder(form.columns);
  const roles = rolesOf(form, first);
  if (!roles) return null;
  const place = (role: Role): number => roles.indexOf(role);
  if ((["date", "open", "high", "low", "close"] as const).some((role) => place(role) < 0)) return null;
  const isRepeated = roles.some((role, index) => role !== "other" && place(role) !== index);
  const row = hasHeader ? second : first;
  const written = row && (place("time") < 0 ? row[place("date")] : `${row[place("date")]} ${row[place("time")]}`);
  if (isRepeated || (written !== undefined && !form.time.test(written))) return null;
  return {
    form,
    hasHeader,
    width: roles.length,
    date: place("date"),
    time: place("time"),
    open: place("open"),
    high: place("high"),
    low: place("low"),
    close: place("close"),
    volume: place("volume") < 0 ? place("ticks") : place("volume"),
    isClosed: place("is_closed"),
  };
};

const quoted = (head: string): string => {
  const line = head.split(LINE_END).find((each) => each.trim() !== "") ?? "";
  return JSON.stringify(line.length > 90 ? `${line.slice(0, 90)}…` : line);
};

/**
 * Recognises a file.
 * @param file its name, for messages
 * @param head its first lines
 * @throws ImportError when no form fits, when forms of several formats do, or when the one asked for does not
 */
export const recogniseLayout = (file: string, head: string, wish: LayoutWish, forms: readonly Form[] = FORMS): Layout => {
  if (head.trim() === "") throw new ImportError(`${file}: the file is empty`);
  const asked = forms.filter((form) => wish.format === undefined || form.format === wish.format);
  const fitting = asked.map((form) => layoutOf(form, head)).filter((layout) => layout !== null);
  const [layout, ...others] = fitting;
  if (!layout) {
    const known = wish.format ? `not of a ${wish.format} form` : `of no form that is known (${IMPORT_FORMATS.join(", ")})`;
    throw new ImportError(`${file}: ${known}; its first line is ${quoted(head)}`);
  }
  const formats = new Set(fitting.map(({ form }) => form.format));
  if (formats.size > 1 && !(wish.isZoneNamed && others.every(({ form }) => form.example === layout.form.example))) {
    throw new ImportError(
      `${file}: its form is that of ${[...formats].join(" and of ")}, which differ in their time zone; ` +
        "name one with --format, or the zone with --timezone",
    );
  }
  return layout;
};
