/** The European Central Bank's euro reference rates: the daily fallback for every currency leg, and their history since 1999. */
import { DAY_MS, HOUR_MS } from "@assay/contract";
import type { FxObservation } from "@assay/pricing";
import type { Feed } from "../feed/feed.ts";
import { textOf } from "../payload/json.ts";
import { unzipOnly } from "../payload/zip.ts";
import { ECB_INTERVAL_MS, ecbDelayMs } from "./ecb-schedule.ts";
import { type EcbTable, parseEcbCsv, parseEcbXml } from "./ecb-tables.ts";

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
