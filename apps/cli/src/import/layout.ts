/** Detects a file's form from its first lines, and the positions of its columns. */
import { parse } from "csv-parse/sync";
import type { ColumnMap } from "./column-map.ts";
import { type Delimiter, type Form, IMPORT_FORMATS, type ImportFormat, type Role } from "./form.ts";
import { FORMS } from "./forms.ts";
import { clipped, ImportError } from "./import-error.ts";
import type { TimeForm } from "./time-form.ts";

/** A file's form, and the position of each column; -1 when missing. */
export interface Layout {
  readonly form: Form;
  /** The file's time format, taken from its first row. */
  readonly timeForm: TimeForm;
  /** Whether the first row's time matches it; if not, the file is refused for that row. */
  readonly isTimeRead: boolean;
  readonly delimiter: Delimiter;
  readonly hasHeader: boolean;
  /** The header's names as written in the file; empty without a header. */
  readonly names: readonly string[];
  /** The names of ignored columns. */
  readonly passedOver: readonly string[];
  /** The number of columns of every row. */
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

/** What the operator specified about the form. */
export interface LayoutWish {
  readonly format?: ImportFormat | undefined;
  /** Whether the zone was specified, so that forms differing only in zone are equivalent. */
  readonly isZoneNamed: boolean;
  readonly delimiter?: Delimiter | undefined;
  readonly map?: ColumnMap | undefined;
}

const LINE_END = /\r\n|\n|\r/;
const NEEDED = ["date", "open", "high", "low", "close"] as const;

/** The first two lines, split by a delimiter. */
const splitHead = (head: string, delimiter: Delimiter): readonly (readonly string[])[] => {
  const lines = head.split(LINE_END).filter((line) => line.trim() !== "");
  try {
    return parse(lines.slice(0, 2).join("\n"), { delimiter, relax_column_count: true, bom: true });
  } catch {
    return [];
  }
};

const isInOrder = (columns: Form["columns"]): columns is readonly Role[] => Array.isArray(columns);

const plainName = (name: string): string => name.trim().toLowerCase();

/** What each column of a header holds; null for one ignored because its name is unknown. */
const rolesNamed = (columns: Readonly<Record<string, Role>>, names: readonly string[], map?: ColumnMap): (Role | null)[] => {
  const mapped = new Set<Role>(map?.values());
  const roles = names.map((name): Role | null => {
    const role = map?.get(plainName(name));
    if (role) return role;
    const usual = Object.hasOwn(columns, plainName(name)) ? columns[plainName(name)] : undefined;
    return usual === undefined || mapped.has(usual) || (usual === "date" && mapped.has("time")) ? null : usual;
  });
  return roles.includes("date") ? roles : roles.map((role) => (role === "time" ? "date" : role));
};

const layoutOf = (form: Form, delimiter: Delimiter, head: string, map?: ColumnMap): Layout | null => {
  const [first = [], second] = splitHead(head, delimiter);
  const hasHeader = !isInOrder(form.columns);
  if (form.mark !== undefined && !first.some((name) => plainName(name) === form.mark)) return null;
  const roles: readonly (Role | null)[] = isInOrder(form.columns) ? form.columns : rolesNamed(form.columns, first, map);
  if (roles.length !== first.length) return null;
  const place = (role: Role): number => roles.indexOf(role);
  if (NEEDED.some((role) => place(role) < 0)) return null;
  // Two volumes are the exchange's and the broker's; any other duplicate column is ambiguous.
  if (roles.some((role, index) => role !== null && role !== "other" && place(role) !== index)) return null;
  const row = hasHeader ? second : first;
  const written = row && (place("time") < 0 ? row[place("date")] : `${row[place("date")]} ${row[place("time")]}`);
  const fitting = form.times.find(({ pattern }) => written !== undefined && pattern.test(written));
  const [usual] = form.times;
  const timeForm = fitting ?? usual;
  if (!timeForm || (!hasHeader && !fitting)) return null;
  return {
    ...{
      form,
      timeForm,
      isTimeRead: fitting !== undefined,
      delimiter,
      hasHeader,
      names: hasHeader ? first : [],
      width: roles.length,
    },
    passedOver: first.filter((_, index) => roles[index] === null),
    ...{ date: place("date"), time: place("time"), open: place("open"), high: place("high"), low: place("low") },
    ...{ close: place("close"), volume: place("volume") < 0 ? place("ticks") : place("volume"), isClosed: place("is_closed") },
  };
};

const quoted = (head: string): string => JSON.stringify(clipped(head.split(LINE_END).find((each) => each.trim() !== "") ?? ""));

/** Describes what a header lacks, or what the first line is when it is not a header. */
const refusal = (file: string, head: string, { format, delimiter, map }: LayoutWish): ImportError => {
  const tried = delimiter === undefined ? [",", ";", "\t", "|"] : [delimiter];
  const [first = []] = tried.map((each) => splitHead(head, each)[0] ?? []).sort((a, b) => b.length - a.length);
  const absent = [...(map?.keys() ?? [])].find((name) => !first.some((each) => plainName(each) === name));
  if (absent !== undefined) {
    return new ImportError(
      `${file}: --map names the column ${JSON.stringify(absent)}, which the header lacks; its columns are ${clipped(first.join(", "))}`,
    );
  }
  const usual = FORMS.find((form) => form.format === "csv")?.columns;
  const roles = usual === undefined || isInOrder(usual) ? [] : rolesNamed(usual, first, map);
  const missing = NEEDED.filter((role) => !roles.includes(role));
  const twice = roles.find((role, index) => role !== null && role !== "other" && roles.indexOf(role) !== index);
  if (format === undefined && roles.filter((role) => role !== null).length >= 2 && (missing.length > 0 || twice)) {
    const fault = missing.length > 0 ? `no column for ${missing.join(", ")}` : `two columns for ${twice}`;
    return new ImportError(
      `${file}: its header has ${fault}; name it with --map, as in --map ${missing[0] ?? twice}=NAME; the header is ${quoted(head)}`,
    );
  }
  const known = format ? `not in the ${format} format` : `not in a known format (${IMPORT_FORMATS.join(", ")})`;
  return new ImportError(`${file}: ${known}; its first line is ${quoted(head)}`);
};

/**
 * Detects a file's form by its columns; the time format of the first row decides between forms with the same columns. A later
 * row that does not match is refused individually.
 * @param file its name, for messages
 * @param head its first lines
 * @throws ImportError when no form matches, when forms of several formats do, or when the requested one does not
 */
export const recogniseLayout = (file: string, head: string, wish: LayoutWish, forms: readonly Form[] = FORMS): Layout => {
  if (head.trim() === "") throw new ImportError(`${file}: the file is empty`);
  if (head.includes("\u0000")) throw new ImportError(`${file}: it is not text; CSV is UTF-8, or UTF-16 with a byte order mark`);
  const { map, delimiter } = wish;
  const format = map ? "csv" : wish.format;
  const fitting = forms
    .filter((form) => format === undefined || form.format === format)
    .flatMap((form) => (delimiter === undefined ? form.delimiters : [delimiter]).map((each) => layoutOf(form, each, head, map)))
    .filter((layout) => layout !== null);
  const rank = ({ form, isTimeRead, passedOver }: Layout): number =>
    (isTimeRead ? 0 : 10_000) + passedOver.length * 2 + (form.format === "csv" ? 1 : 0);
  const [layout, ...others] = fitting
    .filter(({ names }) => [...(map?.keys() ?? [])].every((name) => names.map(plainName).includes(name)))
    .sort((a, b) => rank(a) - rank(b));
  if (!layout) throw refusal(file, head, { ...wish, format });
  const twin = others.find(({ form }) => form.example === layout.form.example && form.format !== layout.form.format);
  if (twin && !wish.isZoneNamed) {
    throw new ImportError(
      `${file}: it may be in the ${layout.form.format} or the ${twin.form.format} format, which differ in their time zone; ` +
        "pass --format or --timezone",
    );
  }
  return layout;
};
