/**
 * The European Central Bank's euro reference rates, polled often around their publication: the daily fallback for every currency
 * leg, and their history since 1999.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@assay/contract";
import type { FxObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";
import type { Feed } from "../feed/feed.ts";
import { readXml, textOf, unzipOnly } from "../payload/body.ts";
import { isPublishedFigure } from "../payload/published.ts";

/** One business day's rates: units of each currency per euro, as published. */
interface EcbTable {
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
const parseEcbXml = (text: string): readonly [EcbTable, ...EcbTable[]] => {
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

/** Interval outside the window; normally there is a successful reading within twice this time. */
const ECB_INTERVAL_MS = 360 * MINUTE_MS;
const WINDOW_INTERVAL_MS = 15 * MINUTE_MS;
const WINDOW_START_MS = (15 * 60 + 55) * MINUTE_MS;
const WINDOW_END_MS = 17 * 60 * MINUTE_MS;

const FRANKFURT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Berlin",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/** Frankfurt's local time at an instant, as if it were UTC. */
const wallClockMs = (atMs: number): number => {
  const part = Object.fromEntries(FRANKFURT.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (atMs % 1000);
};

/** The bank's closing days are not known here; on those few days polling in the window finds nothing new. */
const isWeekday = (wallMs: number): boolean => {
  const weekday = new Date(wallMs).getUTCDay();
  return weekday >= 1 && weekday <= 5;
};

/**
 * Milliseconds until the next reading: 15 minutes from 15:55 to 17:00 in Frankfurt on weekdays, else six hours, or less
 * when the window opens sooner.
 */
export const ecbDelayMs = (nowMs: number): number => {
  const wallMs = wallClockMs(nowMs);
  const intoDayMs = ((wallMs % DAY_MS) + DAY_MS) % DAY_MS;
  if (isWeekday(wallMs) && intoDayMs >= WINDOW_START_MS && intoDayMs < WINDOW_END_MS) return WINDOW_INTERVAL_MS;
  // Daylight saving changes at night, hours before the window: in local time the result is at most an hour off, once.
  const untilWindowMs = intoDayMs < WINDOW_START_MS ? WINDOW_START_MS - intoDayMs : DAY_MS - intoDayMs + WINDOW_START_MS;
  return isWeekday(wallMs + untilWindowMs) ? Math.min(ECB_INTERVAL_MS, untilWindowMs) : ECB_INTERVAL_MS;
};

const KEY = "ecb";

/**
 * Five days after publication, which is at 16:00 in Frankfurt, 15:00 UTC at the latest, while a document's date counts from
 * midnight: so the Thursday before Easter lasts until the Tuesday after it, when the next table appears.
 */
const FRESH_MS = 5 * DAY_MS + 15 * HOUR_MS;

/** The 90-day document covers 90 calendar days, from the start of the day. */
const RECENT_MS = 89 * DAY_MS;
const UNZIPPED_MAX_BYTES = 32 * 1024 * 1024;

/** Dated only by the document, with a precision of one day: the start of the day in UTC. */
const observation = ({ day, rates }: EcbTable): FxObservation => ({
  kind: "fx",
  source: KEY,
  role: "reference",
  base: "EUR",
  rates,
  observedAtMs: Date.parse(`${day}T00:00:00Z`),
  freshForMs: FRESH_MS,
});

/** @throws FeedError when the document is not the bank's */
export const parseEcbDaily = (text: string): FxObservation => observation(parseEcbXml(text)[0]);

/**
 * Every day of the 90-day document, oldest first.
 * @throws FeedError when the format differs
 */
export const parseEcbRecent = (text: string): readonly FxObservation[] => parseEcbXml(text).map(observation).reverse();

/**
 * Every day of the full history, oldest first.
 * @param archive the ZIP archive with the CSV in it
 * @throws FeedError when the format of the archive or its file differs
 */
export const parseEcbHistory = (archive: Uint8Array): readonly FxObservation[] =>
  parseEcbCsv(textOf({ bytes: unzipOnly(archive, ".csv", UNZIPPED_MAX_BYTES) }))
    .map(observation)
    .reverse();

const info = {
  key: KEY,
  displayName: "European Central Bank",
  license: "official-open",
  role: "primary",
  intervalMs: ECB_INTERVAL_MS,
  freshForMs: FRESH_MS,
  required: true,
  publisher: "European Central Bank",
  origin: "ecb",
  url: "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
  terms: "Source: European Central Bank; crosses computed by this software; for information only.",
  moves: false,
} as const;

/** The feed; its backfill gives the reference rates of every business day. */
export const ecb: Feed = {
  info,
  kind: "fx",
  sources: [info],
  baseUrl: "https://www.ecb.europa.eu",
  nextDelayMs: ecbDelayMs,
  fetch: async (context) => [
    parseEcbDaily(textOf(await context.get({ path: "/stats/eurofxref/eurofxref-daily.xml", expect: "xml" }))),
  ],
  backfill: async (context, { fromMs, toMs }) => {
    const days =
      fromMs >= context.nowMs - RECENT_MS
        ? parseEcbRecent(textOf(await context.get({ path: "/stats/eurofxref/eurofxref-hist-90d.xml", expect: "xml" })))
        : parseEcbHistory(
            (await context.get({ path: "/stats/eurofxref/eurofxref-hist.zip", expect: "zip", timeoutMs: 60_000 })).bytes,
          );
    return days.filter(({ observedAtMs }) => observedAtMs >= fromMs && observedAtMs <= toMs);
  },
};
