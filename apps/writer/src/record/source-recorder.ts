/**
 * The record of sources: counts of every spot reading and its verdict, given out by quarter of an hour and by day.
 * A quarter is given out fifteen minutes after its end, so that nothing stored says anything of the present.
 */
import { type DecimalText, startOfUtcDay } from "@assay/contract";
import {
  addCounts,
  type Belief,
  deviationOf,
  INSTRUMENTS,
  type Instrument,
  marketStateAt,
  noCounts,
  type Observation,
  originOf,
  RECORD_QUARTER_MS,
  type RecordSpan,
  recordEndMs,
  type SourceCounts,
  type SourceInfo,
  type SourceRecord,
  type SpotObservation,
  type Venue,
  venueOf,
} from "@assay/pricing";
import type { MetricReading } from "@assay/process";
import { SourceWatch } from "./source-watch.ts";

/** What the price desk knows of a reading. */
export interface Witnesses {
  at(instrument: Instrument, atMs: number): Belief;
  /** The price believed without the readings of a source's origin; null while there is none. */
  priceWithout(observation: SpotObservation, atMs: number): DecimalText | null;
}

/** A reading that was judged, until the prices of its second are known. */
interface Judged {
  readonly observation: SpotObservation;
  readonly rule: string | null;
  readonly atMs: number;
}

/** The sum of what was given out of a day. */
interface Day {
  readonly startsAtMs: number;
  readonly counts: SourceCounts;
}

interface Watched {
  readonly source: string;
  readonly instrument: Instrument;
  readonly info: SourceInfo;
  readonly watch: SourceWatch;
  /** The newest day; null while nothing of it is stored. */
  day: Day | null;
  /** Readings refused since one was accepted. */
  refusals: number;
}

export interface Deliveries {
  readonly lastAcceptedAtMs: number | null;
  /** Readings refused since one was accepted, of the instrument that it is believed most of. */
  readonly refusals: number;
}

/** The start of the newest day that is shown: until half past midnight that is yesterday. */
const shownDay = (nowMs: number): number => startOfUtcDay(recordEndMs(nowMs) - 1);

const nameOf = (source: string, instrument: Instrument): string => `${source} ${instrument}`;

const recordOf = (
  { source, instrument, info }: Watched,
  span: RecordSpan,
  startsAtMs: number,
  counts: SourceCounts,
): SourceRecord => ({
  source,
  instrument,
  span,
  startsAtMs,
  document: {
    info: {
      displayName: info.displayName,
      origin: originOf(info),
      license: info.license,
      cadenceMs: info.intervalMs,
      role: info.role,
      freshForMs: info.freshForMs,
    },
    counts,
  },
});

/** Whether a market is open, remembered until that changes: the calendar is asked for every slot of every source. */
const rememberedHours = (venue: Venue): ((atMs: number) => boolean) => {
  let known = { open: false, sinceMs: 0, nextChangeMs: 0 };
  return (atMs) => {
    if (atMs < known.sinceMs || atMs >= known.nextChangeMs) known = marketStateAt(atMs, venue);
    return known.open;
  };
};

/** Counts what sources deliver in one term. */
export class SourceRecorder {
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  readonly #isOpen: (instrument: Instrument, atMs: number) => boolean;
  readonly #watched = new Map<string, Watched>();
  readonly #stored = new Map<string, SourceRecord>();
  #judged: Judged[] = [];
  #begun = false;

  /**
   * @param sources by key
   * @param marketHours whether the market ever closes
   */
  constructor(sources: ReadonlyMap<string, SourceInfo>, marketHours: boolean) {
    this.#sources = sources;
    const hours = { metals: rememberedHours("metals"), fund: rememberedHours("fund") };
    this.#isOpen = (instrument, atMs) => !marketHours || hours[venueOf(instrument)](atMs);
  }

  /**
   * Begins to count: what was read before is history, and counted by an earlier term or by none.
   * @param days the stored records of days since yesterday, in order of time
   */
  begin(days: readonly SourceRecord[], nowMs: number): void {
    this.#begun = true;
    // A metal that the operator has taken out of the catalogue has no market whose hours could be asked for.
    const known = days.filter(({ instrument }) => INSTRUMENTS.includes(instrument));
    for (const each of known) this.#stored.set(nameOf(each.source, each.instrument), each);
    for (const info of this.#sources.values())
      for (const instrument of info.instruments ?? []) this.#watch(info, instrument, nowMs);
    for (const { source, instrument } of this.#stored.values()) {
      const info = this.#sources.get(source);
      if (info) this.#watch(info, instrument, nowMs);
    }
  }

  /**
   * Notes a reading.
   * @param rule the rule that refused it; null when it passed
   */
  judged(observation: Observation, rule: string | null, atMs: number): void {
    if (this.#begun && observation.kind === "spot") this.#judged.push({ observation, rule, atMs });
  }

  /** Counts what was noted, once the prices of the same instant are known: most readings are refused for contradicting others. */
  settle(witnesses: Witnesses, atMs: number): void {
    const judged = this.#judged;
    this.#judged = [];
    const refusals = new Map<Instrument, ReadonlyMap<string, string>>();
    const refusalsOf = (instrument: Instrument): ReadonlyMap<string, string> => {
      const known =
        refusals.get(instrument) ??
        new Map(witnesses.at(instrument, atMs).refused.map(({ observation, rule }) => [observation.source, rule]));
      refusals.set(instrument, known);
      return known;
    };
    for (const { observation, rule, atMs: readAtMs } of judged) {
      const { source, instrument } = observation;
      const info = this.#sources.get(source);
      if (!info) continue;
      const watched = this.#watch(info, instrument, readAtMs);
      const { watch } = watched;
      const refusedBy = rule ?? refusalsOf(instrument).get(source);
      if (refusedBy !== undefined) {
        watched.refusals += 1;
        watch.refuse(readAtMs, refusedBy);
      } else {
        watched.refusals = 0;
        const price = witnesses.priceWithout(observation, atMs);
        watch.accept(readAtMs, price === null ? null : deviationOf(observation.price, price));
      }
    }
  }

  /** What has come of a source's readings in this term; null while nothing of it was judged. */
  deliveriesOf(source: string): Deliveries | null {
    const judged = [...this.#watched.values()].filter(({ source: key, watch: { totals } }) => {
      return key === source && totals.accepted + totals.refused > 0;
    });
    if (judged.length === 0) return null;
    const accepted = judged.map(({ watch }) => watch.lastAcceptedAtMs ?? Number.NEGATIVE_INFINITY);
    const lastAcceptedAtMs = Math.max(...accepted);
    return {
      lastAcceptedAtMs: Number.isFinite(lastAcceptedAtMs) ? lastAcceptedAtMs : null,
      refusals: Math.min(...judged.map(({ refusals }) => refusals)),
    };
  }

  /** Moves on, and gives out what is old enough to be stored: quarters, and the days that they add up to. */
  take(nowMs: number): SourceRecord[] {
    if (!this.#begun) return [];
    const records: SourceRecord[] = [];
    for (const each of this.#watched.values()) {
      each.watch.advance(nowMs);
      const quarters = each.watch.ended(nowMs - RECORD_QUARTER_MS);
      for (const { startsAtMs, counts } of quarters) {
        records.push(recordOf(each, "quarter", startsAtMs, counts));
        const dayMs = startOfUtcDay(startsAtMs);
        each.day = { startsAtMs: dayMs, counts: each.day?.startsAtMs === dayMs ? addCounts(each.day.counts, counts) : counts };
      }
      const isNew = each.day === null;
      each.day ??= this.#emptyDay(each, shownDay(nowMs));
      if (isNew || quarters.length > 0) records.push(recordOf(each, "day", each.day.startsAtMs, each.day.counts));
    }
    return records;
  }

  /** Figures of this term for the operator, who may know the present. */
  readings(): MetricReading[] {
    return [...this.#watched.values()].flatMap(({ source, instrument, watch: { totals } }) => {
      const counter = (name: string, help: string, value: number, more: Readonly<Record<string, string>>): MetricReading => ({
        name,
        help,
        kind: "counter",
        labels: { source, instrument, ...more },
        value,
      });
      const readings = ["assay_source_readings_total", "Spot readings of a source, by result"] as const;
      const slots = ["assay_source_slots_total", "Cadence slots of a source in open hours, met or missed"] as const;
      return [
        counter(...readings, totals.accepted, { result: "accepted" }),
        counter(...readings, totals.refused, { result: "refused" }),
        counter(...slots, totals.met, { result: "met" }),
        counter(...slots, totals.expected - totals.met, { result: "missed" }),
      ];
    });
  }

  /** From the first second on the list of sources is whole, if without a figure. */
  #emptyDay({ source, instrument }: Watched, startsAtMs: number): Day {
    const before = this.#stored.get(nameOf(source, instrument))?.document.counts;
    return { startsAtMs, counts: { ...noCounts(startsAtMs), lastAcceptedAtMs: before?.lastAcceptedAtMs ?? null } };
  }

  #watch(info: SourceInfo, instrument: Instrument, nowMs: number): Watched {
    const name = nameOf(info.key, instrument);
    const known = this.#watched.get(name);
    if (known) return known;
    const stored = this.#stored.get(name);
    const counts = stored?.document.counts ?? null;
    const watched: Watched = {
      source: info.key,
      instrument,
      info,
      watch: new SourceWatch(info, (atMs) => this.#isOpen(instrument, atMs), nowMs, counts),
      refusals: 0,
      day:
        stored && stored.startsAtMs >= shownDay(nowMs) ? { startsAtMs: stored.startsAtMs, counts: stored.document.counts } : null,
    };
    this.#watched.set(name, watched);
    return watched;
  }
}
