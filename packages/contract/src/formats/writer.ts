/** Writes a route's answer in one of its formats: from the answer, or a long list from its encoded JSON, byte for byte the same. */
import type { EncodedList } from "../encoded-list.ts";
import { ByteWriter, type EncodedRows, readRows } from "../encoded-rows.ts";
import type { Route } from "../route.ts";
import { columnsOf, csvCell, csvHeader, csvWriter, EOL, namedListsAt } from "./csv.ts";
import { type Format, partOf, type TextFormat } from "./formats.ts";
import { beancountLine, ledgerLine, type PricedAnswer, type PriceLine, pricedRowAt, priceLinesWriter } from "./price-lines.ts";

/** Writes an answer, given as its JSON value; null when it lacks the one figure that the format shows. */
export type Write = (answer: unknown) => string | null;

const figureWriter =
  (path: string): Write =>
  (answer) => {
    const figure = partOf(answer, path);
    return typeof figure === "string" ? `${figure}\n` : null;
  };

const MAKERS: Readonly<Record<TextFormat, (route: Route, path: string) => Write>> = {
  csv: ({ output }, path) => {
    const write = csvWriter(columnsOf(output, path), namedListsAt(output, path));
    return (answer) => write(partOf(answer, path));
  },
  text: (_, path) => figureWriter(path),
  beancount: (_, path) => priceLinesWriter(beancountLine, path),
  ledger: (_, path) => priceLinesWriter(ledgerLine, path),
};

/**
 * Prepares the writer of a route's format; it is pure, and knows neither caller nor time.
 * @throws Error when the route does not declare the format
 */
export const formatWriter = (route: Route, format: TextFormat): Write => {
  const path = route.formats?.[format];
  if (path === undefined) throw new Error(`${route.path} has no format ${format}`);
  return MAKERS[format](route, path);
};

/**
 * How a route refuses a format that shows one figure when its answer has none: an empty line would read as a figure. JSON has the
 * rest of the answer.
 */
export const noFigure = (route: Route, format: Format) => ({
  code: route.errors.includes("spot_unavailable") ? ("spot_unavailable" as const) : ("service_unavailable" as const),
  message: `There is no ${route.formats?.[format]?.split(".").at(-1)} at the moment.`,
});

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const END_OF_LINE = encoder.encode(EOL);
/** Whether a cell that begins with a byte may be read as a formula: after `=`, `+`, `-` and `@`, and what is not ASCII. */
const MAY_BE_FORMULA = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 0x7f || [0x3d, 0x2b, 0x2d, 0x40].includes(byte) ? 1 : 0,
);
const QUOTE = 0x22;
/** No other value begins with an n. */
const NULL = 0x6e;
const DAY_LENGTH = "2026-11-20".length;
const TRUE = 0x74;

const writeCell = (writer: ByteWriter, rows: EncodedRows, row: number, column: number): void => {
  if (column === -1) return;
  const { bytes } = rows;
  const from = rows.from(row, column);
  const to = rows.to(row, column);
  if (bytes[from] === NULL) return;
  if (bytes[from] !== QUOTE) writer.copy(bytes, from, to);
  else if (MAY_BE_FORMULA[bytes[from + 1] ?? 0] === 1 || !writer.copyWithout(bytes, from + 1, to - 1, COMMA, SEMICOLON))
    writer.text(csvCell(JSON.parse(decoder.decode(bytes.subarray(from, to)))));
};

/** Writes the rows of an answer. @param envelope the rest of it */
type WriteRows = (rows: EncodedRows, envelope: EncodedAnswer["envelope"]) => Bytes;

const writeCsv = (columns: readonly string[]): WriteRows => {
  const header = csvHeader(columns);
  return (rows) => {
    const places = columns.map((name) => rows.column(name));
    const writer = new ByteWriter().text(header);
    for (let row = 0; row < rows.count; row += 1) {
      for (let index = 0; index < places.length; index += 1) {
        if (index > 0) writer.byte(COMMA);
        writeCell(writer, rows, row, places[index] ?? -1);
      }
      writer.copy(END_OF_LINE, 0, END_OF_LINE.length);
    }
    return writer.finish();
  };
};

const writePrices = (line: PriceLine, field: string): WriteRows => {
  const fields = pricedRowAt(field);
  return (rows, envelope) => {
    const pieces = line(envelope as unknown as PricedAnswer); // as the parsed answer is read
    const [before, between, behind] = pieces.map((piece) => encoder.encode(piece)) as [Bytes, Bytes, Bytes]; // one of each
    const [start, close] = [rows.column(fields.day), rows.column(fields.price)];
    const isClosed = fields.closed === undefined ? -1 : rows.column(fields.closed);
    const { bytes } = rows;
    const writer = new ByteWriter();
    for (let row = 0; row < rows.count; row += 1) {
      if (rows.isNull(row, close) || (isClosed !== -1 && bytes[rows.from(row, isClosed)] !== TRUE)) continue;
      const day = rows.from(row, start) + 1;
      writer
        .copy(before, 0, before.length)
        .copy(bytes, day, day + DAY_LENGTH)
        .copy(between, 0, between.length)
        .copy(bytes, rows.from(row, close) + 1, rows.to(row, close) - 1)
        .copy(behind, 0, behind.length);
    }
    return writer.finish();
  };
};

/** The writers of encoded lists; a bare figure has none. */
const ROW_MAKERS: Readonly<Partial<Record<TextFormat, (route: Route, field: string) => WriteRows>>> = {
  csv: ({ output }, field) => writeCsv(columnsOf(output, field)),
  beancount: (_, field) => writePrices(beancountLine, field),
  ledger: (_, field) => writePrices(ledgerLine, field),
};

/** An answer in a format, and the rest of it. */
interface EncodedAnswer {
  readonly body: Bytes;
  /** The parsed answer, its list empty. */
  readonly envelope: Readonly<Record<string, unknown>>;
}

/**
 * Prepares the writer of a route's format from the encoded list that its answer is; it writes what `formatWriter` writes from the
 * parsed one.
 * @returns null for a format that is not of rows
 */
export const encodedFormatWriter = (route: Route, format: TextFormat): ((list: EncodedList) => EncodedAnswer) | null => {
  const write = ROW_MAKERS[format]?.(route, route.formats?.[format] ?? "");
  if (!write) return null;
  return (list) => {
    const envelope = list.envelope() as EncodedAnswer["envelope"]; // an answer with a list is an object
    const body = readRows(list.rows, (rows) => write(rows, envelope));
    list.onDone?.();
    return { body, envelope };
  };
};
