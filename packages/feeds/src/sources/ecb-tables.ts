/** The European Central Bank's documents: euro reference rates as XML, and as CSV in a ZIP archive. */
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import { isPublishedFigure } from "../payload/published.ts";
import { readXml } from "../payload/xml.ts";

/** One business day's rates: units of each currency per euro, as published. */
export interface EcbTable {
  /** YYYY-MM-DD, from the document. */
  readonly day: string;
  readonly rates: Readonly<Record<string, string>>;
}

const day = z.iso.date("must be a date");
const currency = z.string("must be text").regex(/^[A-Z]{3}$/, "must be a currency code");
const figure = z.string("must be text").refine(isPublishedFigure, "must be a positive figure in plain notation");

const envelope = z.object({
  Envelope: z.tuple([
    z.object({
      Cube: z.tuple([
        z.object({
          Cube: z.array(z.object({ time: day, Cube: z.array(z.object({ currency, rate: figure })) })),
        }),
      ]),
    }),
  ]),
});

/** Refuses a table without the dollar, which every cross rate needs, and duplicate currencies. */
const table = (date: string, entries: readonly (readonly [string, string])[]): EcbTable => {
  const rates = Object.fromEntries(entries);
  if (Object.keys(rates).length < entries.length) throw new FeedError("payload", `duplicate currency on ${date}`);
  if (rates.USD === undefined) throw new FeedError("payload", `USD is missing on ${date}`);
  return { day: date, rates };
};

/** Refuses an empty document and duplicate days; newest first, as published. */
const tables = (found: readonly EcbTable[]): readonly [EcbTable, ...EcbTable[]] => {
  const [newest, ...older] = found.toSorted((a, b) => (a.day < b.day ? 1 : -1));
  if (!newest) throw new FeedError("payload", "the document holds no day");
  if (new Set(found.map((each) => each.day)).size < found.length) throw new FeedError("payload", "duplicate day in the document");
  return [newest, ...older];
};

/**
 * Parses the daily or the 90-day document.
 * @returns its days, newest first
 * @throws FeedError when the format differs
 */
export const parseEcbXml = (text: string): readonly [EcbTable, ...EcbTable[]] => {
  const result = envelope.safeParse(readXml(text));
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new FeedError("payload", `unexpected ${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
  }
  return tables(
    result.data.Envelope[0].Cube[0].Cube.map(({ time, Cube }) =>
      table(
        time,
        Cube.map((entry) => [entry.currency, entry.rate] as const),
      ),
    ),
  );
};

/** Lines end in a comma; cells may be padded with spaces and are never quoted. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/,\s*$/, "")
    .split(",")
    .map((cell) => cell.trim());

const ABSENT = new Set(["N/A", ""]);

/**
 * Parses the CSV of the full history or of the day. Currencies without a rate on a day are omitted from it.
 * @returns its days, newest first
 * @throws FeedError that names the invalid line
 */
export const parseEcbCsv = (text: string): readonly [EcbTable, ...EcbTable[]] => {
  const [head = "", ...lines] = text.split(/\r?\n/);
  const [dateTitle, ...codes] = cellsOf(head);
  if (dateTitle !== "Date" || codes.length === 0 || !codes.every((code) => currency.safeParse(code).success)) {
    throw new FeedError("payload", "unexpected line 1: must be Date and currency codes");
  }
  const found: EcbTable[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const fault = (what: string) => new FeedError("payload", `unexpected line ${index + 2}: ${what}`);
    const [date = "", ...cells] = cellsOf(line);
    if (!day.safeParse(date).success) throw fault("must begin with a date");
    if (cells.length !== codes.length) throw fault(`must have ${codes.length} rates`);
    const entries = codes.map((code, column) => [code, cells[column] ?? ""] as const).filter(([, cell]) => !ABSENT.has(cell));
    const bad = entries.find(([, cell]) => !isPublishedFigure(cell));
    if (bad) throw fault(`${bad[0]} must be a positive figure or N/A`);
    found.push(table(date, entries));
  }
  return tables(found);
};
