/** Which readings are believed: every well-formed one is kept, and the verdict is derived from all of them each time. */
import type { DecimalText } from "@assay/contract";
import type { Refused } from "@assay/feeds";
import {
  type Anchor,
  type Belief,
  type BeliefInput,
  type BeliefState,
  believe,
  INSTRUMENTS,
  type Instrument,
  type KnownSources,
  nextChangeMs,
  originOf,
  SECOND_WITNESS_MS,
  type SourceInfo,
  type SpotObservation,
  unknownBelief,
} from "@assay/pricing";

/** Called with a reading that is not believed. */
export type RefuseReading = (source: string, rule: string, detail: string) => void;

const declaredOf = (sources: ReadonlyMap<string, SourceInfo>): ReadonlyMap<Instrument, readonly SourceInfo[]> =>
  new Map(
    INSTRUMENTS.map((instrument) => [
      instrument,
      [...sources.values()].filter(({ instruments }) => instruments?.includes(instrument)),
    ]),
  );

const configuredOf = (declared: ReadonlyMap<Instrument, readonly SourceInfo[]>): ReadonlyMap<Instrument, number> =>
  new Map(
    [...declared].map(([instrument, infos]) => [
      instrument,
      new Set(infos.filter(({ role }) => role === "primary").map(originOf)).size,
    ]),
  );

/** The readings and the states of all instruments. */
export class Beliefs {
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  readonly #declared: ReadonlyMap<Instrument, readonly SourceInfo[]>;
  readonly #configured: ReadonlyMap<Instrument, number>;
  readonly #refuse: RefuseReading;
  readonly #readings = new Map<Instrument, Map<string, SpotObservation>>();
  readonly #states: Map<Instrument, BeliefState>;
  readonly #waitingSince = new Map<Instrument, number>();
  /** The rule that refused the newest reading of a source, where it never became one of the readings. */
  readonly #rejected = new Map<Instrument, Map<string, string>>();
  /** Readings already counted as refused. */
  readonly #counted = new WeakSet<SpotObservation>();

  constructor(
    sources: ReadonlyMap<string, SourceInfo>,
    states: ReadonlyMap<Instrument, BeliefState>,
    refuse: RefuseReading = () => undefined,
  ) {
    this.#sources = sources;
    this.#declared = declaredOf(sources);
    this.#configured = configuredOf(this.#declared);
    this.#states = new Map(states);
    this.#refuse = refuse;
  }

  /** Notes that a reading was refused by a rule of its own, whatever others say. */
  reject({ instrument, source }: SpotObservation, rule: string): void {
    const rejected = this.#rejected.get(instrument) ?? new Map<string, string>();
    this.#rejected.set(instrument, rejected.set(source, rule));
  }

  /** Adds a reading; false when it is older than the source's last, or only repeats it. */
  put(observation: SpotObservation): boolean {
    this.#rejected.get(observation.instrument)?.delete(observation.source);
    const readings = this.#readings.get(observation.instrument) ?? new Map<string, SpotObservation>();
    this.#readings.set(observation.instrument, readings);
    const before = readings.get(observation.source);
    if (before && observation.observedAtMs < before.observedAtMs) return false;
    const repeats =
      before?.observedAtMs === observation.observedAtMs &&
      before.price === observation.price &&
      before.bid === observation.bid &&
      before.ask === observation.ask;
    if (!repeats) readings.set(observation.source, observation);
    return !repeats;
  }

  of(instrument: Instrument): BeliefState {
    return this.#states.get(instrument) ?? unknownBelief(instrument);
  }

  set(state: BeliefState): void {
    this.#states.set(state.instrument, state);
  }

  /** Gives an instrument a reference price, unless it has a newer one. */
  anchor(instrument: Instrument, anchor: Anchor): boolean {
    const state = this.of(instrument);
    if (state.anchor && state.anchor.atMs >= anchor.atMs) return false;
    this.set({ ...state, anchor });
    return true;
  }

  /** Instruments that have quotes but no reference price. */
  withoutAnchor(): Instrument[] {
    return [...this.#readings.keys()].filter((instrument) => this.of(instrument).anchor === null);
  }

  /** Why a reading would not be believed, given what is known now; null when it would be, or when that is undecided. */
  doubt(observation: SpotObservation, nowMs: number): Refused | null {
    const known = this.#readings.get(observation.instrument);
    if ((known?.get(observation.source)?.observedAtMs ?? Number.NEGATIVE_INFINITY) > observation.observedAtMs) return null;
    const readings = [...(known?.values() ?? [])].filter(({ source }) => source !== observation.source);
    const { refused } = believe(this.#inputOf(observation.instrument, [...readings, observation], nowMs));
    const refusal = refused.find((each) => each.observation === observation);
    if (!refusal) return null;
    this.#counted.add(observation);
    return { rule: refusal.rule, detail: refusal.detail };
  }

  /** The verdict at an instant; does not change anything. */
  at(instrument: Instrument, atMs: number): Belief {
    return believe(this.#inputOf(instrument, this.#readingsOf(instrument), atMs));
  }

  /** The price believed without the readings of a source, and of others that repeat its origin; null while there is none. */
  priceWithout({ instrument, source }: SpotObservation, atMs: number): DecimalText | null {
    const originAt = (key: string): string => {
      const info = this.#sources.get(key);
      return info ? originOf(info) : key;
    };
    const others = this.#readingsOf(instrument).filter((each) => originAt(each.source) !== originAt(source));
    const belief = believe(this.#inputOf(instrument, others, atMs));
    return belief.verdict === "confirmed" || belief.verdict === "unconfirmed" ? belief.price : null;
  }

  /** The verdict at an instant: counts what it refuses, and records since when it waits. */
  verdict(instrument: Instrument, atMs: number): Belief {
    const belief = this.at(instrument, atMs);
    if (belief.verdict !== "waiting") this.#waitingSince.delete(instrument);
    else if (!this.#waitingSince.has(instrument)) this.#waitingSince.set(instrument, atMs);
    for (const { observation, rule, detail } of belief.refused) {
      if (this.#counted.has(observation)) continue;
      this.#counted.add(observation);
      this.#refuse(observation.source, rule, detail);
    }
    return belief;
  }

  /** Every source of an instrument, with the rule that refused it. */
  known(instrument: Instrument, refused: Belief["refused"]): KnownSources {
    const disbelieved = refused.map(({ observation, rule }) => [observation.source, rule] as const);
    return {
      readings: this.#readingsOf(instrument),
      refused: new Map([...(this.#rejected.get(instrument) ?? []), ...disbelieved]),
      declared: this.#declared.get(instrument) ?? [],
    };
  }

  /** When the verdict may next change by itself; null for never. */
  nextChangeMs(instrument: Instrument, atMs: number): number | null {
    const next = nextChangeMs(instrument, this.#readingsOf(instrument), this.#sources, atMs);
    const since = this.#waitingSince.get(instrument);
    if (since === undefined) return next;
    return Math.min(next ?? Number.POSITIVE_INFINITY, since + SECOND_WITNESS_MS);
  }

  #readingsOf(instrument: Instrument): SpotObservation[] {
    return [...(this.#readings.get(instrument)?.values() ?? [])];
  }

  #inputOf(instrument: Instrument, readings: readonly SpotObservation[], nowMs: number): BeliefInput {
    const { anchor, last, hidden } = this.of(instrument);
    return {
      instrument,
      readings,
      sources: this.#sources,
      anchor,
      last,
      isDisputed: hidden,
      configured: this.#configured.get(instrument) ?? 0,
      waitingSinceMs: this.#waitingSince.get(instrument) ?? null,
      nowMs,
    };
  }
}
