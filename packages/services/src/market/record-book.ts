/** The record of the sources by window, summed when it has changed: four times an hour. */
import { DAY_MS, MINUTE_MS, type RECORD_WINDOWS, startOfUtcDay } from "@assay/contract";
import { readSourceRecords } from "@assay/db";
import { addCounts, noCounts, recordEndMs, type SourceCounts, type SourceRecord } from "@assay/pricing";
import type { ServiceDeps } from "../context.ts";

export type RecordWindow = (typeof RECORD_WINDOWS)[number];

export interface SummedRecord extends Pick<SourceRecord, "source" | "instrument"> {
  readonly info: SourceRecord["document"]["info"];
  readonly counts: SourceCounts;
}

export interface RecordSums {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the newest quarter that can be stored is in it. */
  readonly isWhole: boolean;
  /** By source, then by instrument. */
  readonly records: readonly SummedRecord[];
}

/** Windows of UTC days. */
const DAYS = { "30d": 30, "1y": 365 } as const;

/** Windows are read in parts, so that none of them keeps the process for long. */
const PART_MS = { quarter: 6 * 60 * MINUTE_MS, day: 15 * DAY_MS } as const;

/** Sums of records, by source and instrument. */
class Sums {
  readonly #sums = new Map<string, SummedRecord>();

  /** Adds records that are later than those before. */
  add(records: readonly SourceRecord[]): void {
    const added = new Map<string, SourceRecord[]>();
    for (const each of records) {
      const name = JSON.stringify([each.source, each.instrument]);
      const same = added.get(name);
      if (same) same.push(each);
      else added.set(name, [each]);
    }
    for (const [name, same] of added) {
      const newest = same.at(-1);
      if (!newest) continue;
      const { source, instrument, document } = newest;
      const before = this.#sums.get(name)?.counts ?? noCounts(0);
      const counts = addCounts(before, ...same.map((each) => each.document.counts));
      this.#sums.set(name, { source, instrument, info: document.info, counts });
    }
  }

  /** By name. */
  read(): SummedRecord[] {
    return [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  }
}

/** Days that only say which sources there are, and when they last delivered. */
const uncounted = (days: readonly SourceRecord[]): SourceRecord[] =>
  days.map(({ document: { info, counts }, ...each }) => ({
    ...each,
    document: { info, counts: { ...noCounts(counts.untilMs), lastAcceptedAtMs: counts.lastAcceptedAtMs } },
  }));

/** Nobody watches a source that is no longer configured: its open incident ends with its record. */
const withEnds = (records: readonly SummedRecord[], newestMs: number): SummedRecord[] =>
  records.map((record) => {
    const { untilMs, incidents } = record.counts;
    if (untilMs === newestMs) return record;
    const ended = incidents.map((each) => ({ ...each, toMs: each.toMs ?? untilMs }));
    return { ...record, counts: { ...record.counts, incidents: ended } };
  });

type RecordBookDeps = Pick<ServiceDeps, "store" | "clock">;

const read = async ({ store, clock }: RecordBookDeps, window: RecordWindow, toMs: number): Promise<RecordSums> => {
  const sums = new Sums();
  const isDay = window !== "24h";
  const fromMs = isDay ? startOfUtcDay(toMs - 1) - (DAYS[window] - 1) * DAY_MS : toMs - DAY_MS;
  if (!isDay) sums.add(uncounted(await readSourceRecords(store, { span: "day", fromMs: startOfUtcDay(fromMs) })));
  const span = isDay ? "day" : "quarter";
  for (let partMs = fromMs; partMs < toMs; partMs += PART_MS[span]) {
    sums.add(await readSourceRecords(store, { span, fromMs: partMs, toMs: Math.min(partMs + PART_MS[span], toMs) }));
    await clock.turn();
  }
  const records = sums.read();
  const newestMs = Math.max(0, ...records.map(({ counts }) => counts.untilMs));
  return { fromMs, toMs, isWhole: newestMs >= toMs, records: withEnds(records, newestMs) };
};

export class RecordBook {
  readonly #deps: RecordBookDeps;
  readonly #kept = new Map<RecordWindow, { readonly readMs: number; readonly sums: Promise<RecordSums> }>();

  constructor(deps: RecordBookDeps) {
    this.#deps = deps;
  }

  /**
   * Every source of a window that ends now. It is read again once it ends later, and every minute while its newest quarter is not
   * there yet.
   * @throws StoreUnavailableError when the database does not respond
   */
  async of(window: RecordWindow, nowMs: number): Promise<RecordSums> {
    const toMs = recordEndMs(nowMs);
    const known = this.#kept.get(window);
    if (known) {
      const sums = await known.sums;
      const isRecent = nowMs >= known.readMs && nowMs < known.readMs + MINUTE_MS;
      if (sums.toMs === toMs && (sums.isWhole || isRecent)) return sums;
      // Another request may read it already.
      const newer = this.#kept.get(window);
      if (newer && newer !== known) return newer.sums;
    }
    const sums = read(this.#deps, window, toMs);
    this.#kept.set(window, { readMs: nowMs, sums });
    // A failure is answered, and the next request tries again.
    sums.catch(() => this.#kept.delete(window));
    return sums;
  }
}

/** The share of expected slots that were met, cut to four decimals; null when none was expected. */
export const availabilityOf = ({ expected, met }: Pick<SourceCounts, "expected" | "met">): number | null =>
  expected === 0 ? null : Math.floor((met * 10_000) / expected) / 10_000;
