/** Doubt ends freshness: a source whose newer reading is doubted is not fresh by the older one that a published price has. */
import type { Tick } from "../spot/compose.ts";
import { type PriceSource, verdictOf } from "../spot/price-source.ts";
import type { BeliefState, DoubtedTick } from "./belief-state.ts";
import type { RefusedReading } from "./believe.ts";

type Doubtable = Pick<Tick, "seq" | "freshUntilMs">;

/** The most that are remembered; past answers go back no further. */
const MAX_REMEMBERED = 100;

const endedBy = <T extends PriceSource>(part: T, doubts: DoubtedTick["sources"]): T => {
  const doubt = doubts.find(({ source }) => source === part.source);
  return doubt && doubt.atMs <= part.freshUntilMs ? { ...part, freshUntilMs: doubt.atMs - 1 } : part;
};

/**
 * Records that sources of the newest tick are doubted.
 * @param tick the newest published price
 * @param refused the readings that are not believed now
 * @returns the same state when no reading is newer than the tick's own
 */
export const withDoubts = (state: BeliefState, tick: Tick, refused: readonly RefusedReading[], atMs: number): BeliefState => {
  const doubted = state.doubted ?? [];
  const known = doubted.find(({ seq }) => seq === tick.seq)?.sources ?? [];
  const isNew = ({ source, observedAtMs }: PriceSource): boolean =>
    known.every((each) => each.source !== source) &&
    refused.some(({ observation }) => observation.source === source && observation.observedAtMs > observedAtMs);
  const found = tick.sources.filter(isNew).map(({ source }) => ({ source, atMs }));
  if (found.length === 0) return state;
  const sources = [...known, ...found];
  const setters = tick.sources.filter((part) => verdictOf(tick, part) === "believed");
  const ends = setters.map((part) => endedBy(part, sources).freshUntilMs);
  const freshUntilMs = Math.min(tick.freshUntilMs, Math.max(...ends));
  const others = doubted.filter(({ seq }) => seq !== tick.seq).slice(1 - MAX_REMEMBERED);
  return { ...state, doubted: [...others, { seq: tick.seq, sources, freshUntilMs }] };
};

/** How long a published price is fresh, given what its sources have said since; the same object when nothing is doubted. */
export const freshAsBelieved = <T extends Doubtable>(state: BeliefState | undefined, tick: T): T => {
  const doubt = state?.doubted?.find(({ seq }) => seq === tick.seq);
  return doubt ? { ...tick, freshUntilMs: Math.min(tick.freshUntilMs, doubt.freshUntilMs) } : tick;
};

/** The same of a whole tick, with each of its sources. */
export const tickAsBelieved = (state: BeliefState | undefined, tick: Tick): Tick => {
  const doubt = state?.doubted?.find(({ seq }) => seq === tick.seq);
  if (!doubt) return tick;
  return { ...freshAsBelieved(state, tick), sources: tick.sources.map((part) => endedBy(part, doubt.sources)) };
};
