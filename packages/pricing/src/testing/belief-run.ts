/** A market desk without bars for tests: takes readings, returns verdicts and published prices. */
import { type BeliefState, isShown, takeVerdict, unknownBelief } from "../belief/belief-state.ts";
import { type Anchor, type Belief, believe } from "../belief/believe.ts";
import type { Instrument } from "../conventions/symbols.ts";
import { originOf } from "../readings/freshness.ts";
import type { SourceInfo, SourceRole, SpotObservation } from "../readings/observation.ts";

/** How long a primary's reading is fresh. */
export const FRESH_MS = 60_000;
const COUNCIL_FRESH_MS = 36 * 3_600_000;

/** A source; of an origin of its own unless one is named. */
export const sourceOf = (key: string, role: SourceRole = "primary", origin = key): SourceInfo => ({
  key,
  displayName: key,
  license: "attribution",
  role,
  intervalMs: 20_000,
  freshForMs: role === "council" ? COUNCIL_FRESH_MS : FRESH_MS,
  origin,
});

/** One instrument's readings over time. */
export class BeliefRun {
  readonly #instrument: Instrument;
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  readonly #readings = new Map<string, SpotObservation>();
  readonly #configured: number;
  #waitingSinceMs: number | null = null;
  #seq = 0;
  state: BeliefState;
  /** The displayed price; null when there is none, or it was withdrawn. */
  published: { readonly price: string; readonly seq: number; readonly atMs: number } | null = null;

  constructor(sources: readonly SourceInfo[], options: { readonly instrument?: Instrument; readonly anchor?: Anchor } = {}) {
    this.#instrument = options.instrument ?? "XAU-USD-SPOT";
    this.#sources = new Map(sources.map((each) => [each.key, each]));
    this.#configured = new Set(sources.filter(({ role }) => role === "primary").map(originOf)).size;
    this.state = unknownBelief(this.#instrument, options.anchor ?? null);
  }

  /** Applies prices by source, all of one moment, and makes the verdict. */
  hear(prices: Readonly<Record<string, string>>, atMs: number, observedAtMs = atMs): Belief {
    for (const [source, price] of Object.entries(prices))
      this.#readings.set(source, { kind: "spot", source, instrument: this.#instrument, price, observedAtMs });
    const belief = believe({
      instrument: this.#instrument,
      readings: [...this.#readings.values()],
      sources: this.#sources,
      anchor: this.state.anchor,
      last: this.state.last,
      isDisputed: this.state.hidden,
      configured: this.#configured,
      waitingSinceMs: this.#waitingSinceMs,
      nowMs: atMs,
    });
    this.#waitingSinceMs = belief.verdict === "waiting" ? (this.#waitingSinceMs ?? atMs) : null;
    const { state, publishes } = takeVerdict(this.state, belief, this.#seq + 1, atMs);
    this.state = state;
    if (publishes && "price" in belief && belief.price !== null) {
      this.#seq += 1;
      this.published = { price: belief.price, seq: this.#seq, atMs };
    } else if (this.published && !isShown(state, this.published.seq)) this.published = null;
    return belief;
  }

  /** Restarts from the stored state, as another process would. */
  restart(): void {
    this.#readings.clear();
    this.#waitingSinceMs = null;
    this.state = JSON.parse(JSON.stringify(this.state));
  }
}
