/** Detects a file's form from its first lines, and the positions of its columns; `--map` names them. */
import { SplitError, splitFields, splitLines } from "@assay/contract";
import { BadRow, clipped, ImportError } from "../import-error.ts";
import {
  COLUMNS,
  type Column,
  DELIMITERS,
  type Delimiter,
  FORMS,
  type Form,
  IMPORT_FORMATS,
  type ImportFormat,
  type Role,
} from "./formats.ts";
import { type DateOrder, isUnordered, ORDERED_DATES, onLongClock, type TimeForm } from "./times.ts";

/** Fields by column name, in lower case. */
export type ColumnMap = ReadonlyMap<string, Column>;

const isColumn = (text: string): text is Column => COLUMNS.some((column) => column === text);

const pairsOf = (text: string): readonly string[] => {
  try {
    return splitFields(text, ",", 1);
  } catch {
    throw new ImportError("a map is name=Header pairs separated by commas; put a pair whose header has a comma in quotes");
  }
};

/**
 * Parses a map.
 * @param text `time=Date,open=Open`; a pair whose header contains a comma is quoted
 * @param before the columns that an earlier `--map` names
 * @throws ImportError
 */
export const readColumnMap = (text: string, before: ColumnMap = new Map()): ColumnMap => {
  const map = new Map(before);
  for (const pair of pairsOf(text)) {
    const at = pair.indexOf("=");
    const column = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const header = pair
      .slice(at + 1)
      .trim()
      .toLowerCase();
    if (!isColumn(column) || header === "") {
      throw new ImportError(`a map is name=Header pairs separated by commas; the names are ${COLUMNS.join(", ")}`);
    }
    if (map.has(header)) throw new ImportError(`the column ${JSON.stringify(header)} is mapped twice`);
    if ([...map.values()].includes(column)) throw new ImportError(`${column} is mapped twice`);
    map.set(header, column);
  }
  return map;
};

/** A file's form, and the position of each column; -1 when missing. */
export interface Layout {
  readonly form: Form;
  /** The file's time format, that of most of its first rows. */
  readonly timeForm: TimeForm;
  /** How many of the first rows have it; if none, the file is refused for the first one. */
  readonly timesRead: number;
  readonly delimiter: Delimiter;
  /** The lines before the first row. */
  readonly headerLines: number;
  /** The header's names as written in the file; empty without a header. */
  readonly names: readonly string[];
  readonly passedOver: readonly string[];
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

export interface LayoutOptions {
  readonly format?: ImportFormat | undefined;
  /** Whether the zone was specified, so that forms differing only in zone are equivalent. */
  readonly isZoneNamed: boolean;
  readonly map?: ColumnMap | undefined;
  /** The order of day and month in dates that end with the year. */
  readonly dates?: DateOrder | undefined;
  /** Whether the file has no open, high and low; those it has are ignored. */
  readonly isCloseOnly?: boolean | undefined;
}

const NEEDED = ["date", "open", "high", "low", "close"] as const;
const NEEDED_OF_CLOSES = ["date", "close"] as const;

/** The first lines of a file. */
interface Head {
  readonly file: string;
  /** Those that are not blank, each with its number. */
  readonly lines: readonly (readonly [line: string, number: number])[];
}

/** How many lines tell a file's form: a row of units may stand below the header. */
const HEAD_LINES = 6;

/** Tells Excel the delimiter; the lines below show it. */
const DIRECTIVE = /^"?sep=.?"?$/i;

/** The first lines, split by a delimiter, up to one whose quotes it does not fit. */
const splitHead = ({ file, lines }: Head, delimiter: Delimiter): readonly (readonly string[])[] => {
  const rows: (readonly string[])[] = [];
  try {
    for (const [line, number] of lines) rows.push(splitFields(line, delimiter, number));
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    if (error.isTooLarge && rows.length < 2) throw new BadRow(file, error.line, "row", error.message);
  }
  return rows.length < 2 && lines.length > rows.length ? [] : rows;
};

/** A header and the lines below it. */
interface Header {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The number of lines it takes. */
  readonly lines: number;
}

/** A header takes one line; that of yfinance takes three, and its first column is the date. */
const headerOf = ([first = [], ...rows]: readonly (readonly string[])[], { lines }: Head): Header => {
  const isYfinance =
    [first, ...rows]
      .slice(0, 3)
      .map(([name]) => name)
      .join() === "Price,Ticker,Date";
  return isYfinance
    ? { names: ["Date", ...first.slice(1)], rows: rows.slice(2), lines: lines[2]?.[1] ?? 3 }
    : { names: first, rows, lines: lines[0]?.[1] ?? 1 };
};

const isInOrder = (columns: Form["columns"]): columns is readonly Role[] => Array.isArray(columns);

const plainName = (name: string): string => name.trim().toLowerCase();

/** The close of a table that has no column of that name. */
const OTHER_CLOSES = ["last", "close/last"];

/** What each column of a header holds; null for one that is ignored. */
const rolesNamed = (
  columns: Readonly<Record<string, Role>>,
  names: readonly string[],
  { map, isCloseOnly = false }: Pick<LayoutOptions, "map" | "isCloseOnly">,
): (Role | null)[] => {
  const mapped = new Set<Role>(map?.values());
  const roles = names.map((name): Role | null => {
    const role = map?.get(plainName(name));
    if (role) return role;
    const usual = Object.hasOwn(columns, plainName(name)) ? columns[plainName(name)] : undefined;
    return usual === undefined || mapped.has(usual) || (usual === "date" && mapped.has("time")) ? null : usual;
  });
  const timed = roles.includes("date") ? roles : roles.map((role) => (role === "time" ? "date" : role));
  const unnamed = names.flatMap((name, index) => (plainName(name) === "" ? [index] : []));
  // A table written with its index has the dates in a column without a name.
  const isIndexed = !timed.includes("date") && unnamed.length === 1;
  const dated = isIndexed ? timed.map((role, index) => (index === unnamed[0] ? "date" : role)) : timed;
  const last = names.findIndex((name) => OTHER_CLOSES.includes(plainName(name)));
  const closed = dated.includes("close") ? dated : dated.map((role, index) => (index === last ? "close" : role));
  if (!isCloseOnly) return closed;
  const closes = closed.map((role) => (role === "open" || role === "high" || role === "low" ? null : role));
  // Beside the date there is one column: it holds the closes, whatever its name.
  const isOnlyOther = !closes.includes("close") && closes.filter((role) => role !== "date" && role !== "time").length === 1;
  return isOnlyOther ? closes.map((role) => (role === "date" || role === "time" ? role : "close")) : closes;
};

const layoutOf = (form: Form, delimiter: Delimiter, head: Head, options: LayoutOptions): Layout | null => {
  const split = splitHead(head, delimiter);
  const hasHeader = !isInOrder(form.columns);
  const {
    names: first,
    rows,
    lines,
  } = hasHeader
    ? headerOf(split, head)
    : { names: split[0] ?? [], rows: split.slice(0, 1), lines: (head.lines[0]?.[1] ?? 1) - 1 };
  if (form.mark !== undefined && !first.some((name) => plainName(name) === form.mark)) return null;
  const roles: readonly (Role | null)[] = isInOrder(form.columns) ? form.columns : rolesNamed(form.columns, first, options);
  if (roles.length !== first.length) return null;
  const place = (role: Role): number => roles.indexOf(role);
  if ((options.isCloseOnly ? NEEDED_OF_CLOSES : NEEDED).some((role) => place(role) < 0)) return null;
  // Two volumes are the exchange's and the broker's; any other duplicate column is ambiguous.
  if (roles.some((role, index) => role !== null && role !== "other" && place(role) !== index)) return null;
  const written = rows.map((row) => onLongClock(`${row[place("date")]}${place("time") < 0 ? "" : ` ${row[place("time")]}`}`));
  const fits = form.times.map(({ pattern }) => written.filter((text) => pattern.test(text)).length);
  const timesRead = Math.max(...fits);
  const timeForm = form.times[fits.indexOf(timesRead)];
  if (!timeForm || (!hasHeader && timesRead === 0)) return null;
  return {
    form,
    timeForm,
    timesRead,
    delimiter,
    headerLines: lines,
    names: hasHeader ? first : [],
    width: roles.length,
    passedOver: first.filter((_, index) => roles[index] === null),
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

const quoted = ({ lines: [first] }: Head): string => JSON.stringify(clipped(first?.[0] ?? ""));

/** Describes what a header lacks, or what the first line is when it is not a header. */
const refusal = (head: Head, options: LayoutOptions): ImportError => {
  const { format, map, dates, isCloseOnly } = options;
  const { file } = head;
  if (head.lines.some(([line]) => line.includes("\ufffd"))) return new ImportError(`${file}: it is not UTF-8; save it as UTF-8`);
  const [[first = [], second = []] = []] = DELIMITERS.map((each) => splitHead(head, each)).sort(
    ([a = []], [b = []]) => b.length - a.length,
  );
  const absent = [...(map?.keys() ?? [])].find((name) => !first.some((each) => plainName(each) === name));
  if (absent !== undefined) {
    return new ImportError(
      `${file}: --map names the column ${JSON.stringify(absent)}, which the header lacks; its columns are ${clipped(first.join(", "))}`,
    );
  }
  const usual = FORMS.find((form) => form.format === "csv")?.columns;
  const roles = usual === undefined || isInOrder(usual) ? [] : rolesNamed(usual, first, options);
  const missing = (isCloseOnly ? NEEDED_OF_CLOSES : NEEDED).filter((role) => !roles.includes(role));
  const twice = roles.find((role, index) => role !== null && role !== "other" && roles.indexOf(role) !== index);
  const hasCloses = !isCloseOnly && roles.includes("date") && missing.includes("open") && missing.includes("high");
  if (format === undefined && hasCloses) {
    return new ImportError(
      `${file}: its header has no column for ${missing.join(", ")}; pass --close-only if it has closes alone, ` +
        `or name the columns with --map, as in --map close=NAME; the header is ${quoted(head)}`,
    );
  }
  if (
    format === undefined &&
    roles.filter((role) => role !== null).length >= (isCloseOnly ? 1 : 2) &&
    (missing.length > 0 || twice)
  ) {
    const fault = missing.length > 0 ? `no column for ${missing.join(", ")}` : `two columns for ${twice}`;
    const order = dates === undefined && second.some(isUnordered) ? "; its dates need --dates mdy or --dates dmy" : "";
    return new ImportError(
      `${file}: its header has ${fault}; name it with --map, as in --map ${missing[0] ?? twice}=NAME${order}; the header is ${quoted(head)}`,
    );
  }
  const isTitle = first.length < NEEDED_OF_CLOSES.length ? "; the header is looked for in line 1: remove the lines above it" : "";
  const isHeaderless = format === undefined && first.length >= NEEDED.length && first.every((field) => /\d/.test(field));
  const advice = isHeaderless ? "; if it has no header, write one above it, such as date,open,high,low,close,volume" : isTitle;
  const known = format ? `not in the ${format} format` : `not in a known format (${IMPORT_FORMATS.join(", ")})`;
  return new ImportError(`${file}: ${known}; its first line is ${quoted(head)}${advice}`);
};

/**
 * Detects a file's form by its columns; the time format of the first row decides between forms with the same columns. A later
 * row that does not match is refused individually.
 * @param file its name, for messages
 * @param text its beginning
 * @throws ImportError when no form matches, when forms of several formats do, or when the requested one does not
 */
export const recogniseLayout = (file: string, text: string, options: LayoutOptions, forms: readonly Form[] = FORMS): Layout => {
  if (text.trim() === "") throw new ImportError(`${file}: the file is empty`);
  if (text.includes("\u0000")) throw new ImportError(`${file}: it is not text; CSV is UTF-8, or UTF-16 with a byte order mark`);
  const numbered = splitLines(text).map((line, index) => [line, index + 1] as const);
  const head = { file, lines: numbered.filter(([line]) => line.trim() !== "" && !DIRECTIVE.test(line)).slice(0, HEAD_LINES) };
  const { map, dates, isCloseOnly } = options;
  const format = map || dates || isCloseOnly ? "csv" : options.format;
  const fitting = forms
    .filter((form) => format === undefined || form.format === format)
    .map((form) => (dates ? { ...form, times: [ORDERED_DATES[dates]] } : form))
    .flatMap((form) => form.delimiters.map((each) => layoutOf(form, each, head, options)))
    .filter((layout) => layout !== null);
  const rank = ({ form, timesRead, passedOver }: Layout): number =>
    timesRead * -10_000 + passedOver.length * 2 + (form.format === "csv" ? 1 : 0);
  const [layout, ...others] = fitting
    .filter(({ names }) => [...(map?.keys() ?? [])].every((name) => names.map(plainName).includes(name)))
    .sort((a, b) => rank(a) - rank(b));
  if (!layout) throw refusal(head, { ...options, format: options.format });
  const twin = others.find(({ form }) => form.example === layout.form.example && form.format !== layout.form.format);
  if (twin && !options.isZoneNamed) {
    throw new ImportError(
      `${file}: it may be in the ${layout.form.format} or the ${twin.form.format} format, which differ in their time zone; ` +
        "pass --format or --timezone",
    );
  }
  return layout;
};
