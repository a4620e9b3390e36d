/** The ledger of corrections, and its signed head. */
import { catalogue } from "@assay/catalogue";
import {
  type AssayContract,
  Encoded,
  type FailWith,
  formatClockReading,
  INTERVALS,
  tierAtLeast,
  upperCase,
  type Verb,
} from "@assay/contract";
import { type CorrectionsWindow, readCorrections, readCorrectionsHead } from "@assay/db";
import { depthFloor, requireSeries } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { instantFault, readInstant, refuseParameter } from "../input.ts";

/** Every currency's code, as it may be written. */
const CODES = new Map(catalogue.rows.currencies.flatMap(({ code }) => [code, code.toLowerCase()].map((each) => [each, code])));

/** The symbol of a reference rate, in any case as others; null when it is none. */
const readRateSymbol = (text: string): string | null => {
  const [base, currency, kind, ...rest] = text.split("-");
  if (base === undefined || currency === undefined || kind === undefined || rest.length > 0) return null;
  if (upperCase(kind) !== "REFERENCE") return null;
  const codes = [base, currency].map((code) => CODES.get(code));
  return codes.includes(undefined) ? null : [...codes, "REFERENCE"].join("-");
};

/** Where a list begins: after a number, or at an instant. */
const readSince = (text: string, fail: FailWith<"validation_error">): Pick<CorrectionsWindow, "since" | "sinceMs"> => {
  if (/^[0-9]+$/.test(text) && Number.isSafeInteger(Number(text))) return { since: Number(text) };
  const instant = readInstant(text);
  if (instant) return { since: 0, sinceMs: instant.startMs };
  return refuseParameter(fail, "since", `must be the number of a correction, or an instant: it ${instantFault(text)}`);
};

/** `GET /v1/corrections`: corrections by number; their rows are answered as they were chained, with their digest. */
export const listCorrections =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["corrections"]["list"], VerbContext> =>
  async ({ symbol, since, limit }, { caller, asOfMs, nowMs, fail }) => {
    const { reach, tier } = caller;
    const rate = symbol === undefined ? null : readRateSymbol(symbol);
    const asked = symbol === undefined ? null : [rate ?? requireSeries(symbol, "1d", caller, fail)];
    const from = readSince(since, fail);
    // Before the rows: what is recorded meanwhile is the next page's.
    const { epoch, newest } = await readCorrectionsHead(store, asOfMs);
    const rows = await readCorrections(store, {
      symbols: asked ?? (reach.allBarSymbols ? null : ["XAU-USD-SPOT"]),
      intervals: reach.intraday ? INTERVALS : ["1d"],
      dailyFromMs: depthFloor(caller, "1d", nowMs),
      // As on their own route.
      hasSettlements: tierAtLeast(tier, "pro"),
      hasRates: asked === null || rate !== null,
      ...from,
      asOfMs,
      limit,
    });
    const entries = rows.map(({ entry, digest }) => `${entry.slice(0, -1)},"digest":"${digest}"}`);
    const meta = JSON.stringify({ tier, count: rows.length });
    // The rows of others are not looked through again by the next call.
    const reached = rows.length === limit ? from.since : Math.max(from.since, newest?.number ?? 0);
    const next = Math.max(reached, rows.at(-1)?.number ?? 0);
    return new Encoded(`{"epoch":${epoch},"corrections":[${entries.join(",")}],"next_since":${next},"meta":${meta}}`);
  };

/** `GET /v1/corrections/head`: the head of the chain as of the caller's instant. */
export const headCorrections =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["corrections"]["head"], VerbContext> =>
  async (_, { asOfMs }) => {
    const { epoch, newest } = await readCorrectionsHead(store, asOfMs);
    if (!newest) return { epoch, number: 0, digest: null, recorded_at: null };
    const { number, digest, recordedAtMs } = newest;
    return { epoch, number, digest, recorded_at: formatClockReading(recordedAtMs) };
  };
