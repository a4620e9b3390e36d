/** What a term begins with: its sources, and the desks with the prices, rates and beliefs of the last term. */
import { MINUTE_MS } from "@assay/contract";
import { readFxTables, readLastSeqs, readNewestTicks, readRateSetsSince, readTicksSince } from "@assay/db";
import type { LeaseToken } from "@assay/live";
import { type ClockedSource, isShown, marketStateAt, type SourceInfo, type Tick } from "@assay/pricing";
import { BarKeeper, COMPOSED } from "../bars/bar-keeper.ts";
import { DealerDesk } from "../dealers/dealer-desk.ts";
import { Desks } from "../desks.ts";
import { Refusals } from "../feed-health.ts";
import { EventQueue } from "../moments/event-queue.ts";
import { restoreBeliefs } from "../prices/belief-store.ts";
import { MarketDesk } from "../prices/market-desk.ts";
import { SourceRecorder } from "../record/source-recorder.ts";
import { ReferenceDesk } from "../references/reference-desk.ts";
import { SurfaceDesk } from "../surface/surface-desk.ts";
import type { LeadershipOptions } from "./term-options.ts";

/** How much tick history is built, so that delayed callers have a price at once. */
export const DELAYED_VIEW_MS = 16 * MINUTE_MS;

export interface TermParts {
  readonly sources: ReadonlyMap<string, SourceInfo>;
  /** Those of them that follow the clock instead of being polled. */
  readonly clocked: readonly ClockedSource[];
  readonly bars: BarKeeper;
  readonly refusals: Refusals;
  readonly references: ReferenceDesk;
  readonly record: SourceRecorder;
  readonly desks: Desks;
  readonly eventQueue: EventQueue;
  readonly isOpen: (atMs: number) => boolean;
}

/** The parts, and the time of the newest stored tick: minus infinity when there is none. */
interface OpenedTerm {
  readonly parts: TermParts;
  readonly lastTickMs: number;
}

export const openTerm = async (options: LeadershipOptions, writer: LeaseToken, nowMs: number): Promise<OpenedTerm> => {
  const { live, log, simulated, replay, polled, marketHours } = options;
  const clocked = [simulated?.source, replay].filter((source) => source != null);
  const sources = new Map<string, SourceInfo>([
    ...polled.flatMap(({ feed }) => feed.sources.map((source): [string, SourceInfo] => [source.key, source])),
    ...clocked.flatMap((source) => [...source.sources]),
  ]);
  const isOpen = (atMs: number): boolean => !marketHours || marketStateAt(atMs).open;
  const bars = new BarKeeper(simulated?.barSource ?? COMPOSED);
  const refusals = new Refusals(clocked, log);
  const eventQueue = new EventQueue(live.bus, log);
  const record = new SourceRecorder(sources, marketHours);
  const base = { sources, clocked, bars, refusals, eventQueue, record, isOpen };
  const { market, lastTickMs } = await restoreMarket(options, base, nowMs);
  const references = new ReferenceDesk(sources, market.prices.beliefs);
  return { parts: { ...base, references, desks: openDesks(options, writer, { ...base, references }, market) }, lastTickMs };
};

/** The price desk as the last term left it. */
const restoreMarket = async (
  { store }: LeadershipOptions,
  { sources, bars, refusals, isOpen }: Omit<TermParts, "desks" | "references">,
  nowMs: number,
): Promise<{ readonly market: MarketDesk; readonly lastTickMs: number }> => {
  const sinceMs = nowMs - DELAYED_VIEW_MS;
  const seqs = await readLastSeqs(store);
  const newest = await readNewestTicks(store);
  const beliefs = await restoreBeliefs(store, sources, bars.sourceId);
  const wasShown = (tick: Tick): boolean => isShown(beliefs.get(tick.instrument), tick.seq);
  // Rarely the newest is withheld, and an older one is shown.
  const shown = newest.every(wasShown) ? newest : (await readTicksSince(store, sinceMs)).filter(wasShown);
  // Alerts are judged on ticks that the last term did not get to, with the rates of then.
  const judgedMs = Math.min(sinceMs, (newest.at(-1)?.computedAtMs ?? nowMs) - DELAYED_VIEW_MS);
  const fx = await readFxTables(store, judgedMs);
  const rateSets = await readRateSetsSince(store, judgedMs);
  const refuse = refusals.refuse.bind(refusals);
  const market = new MarketDesk({ sources, bars, seqs, ticks: shown, fx, rateSets, newest, beliefs, isOpen, refuse });
  return { market, lastTickMs: newest.at(-1)?.computedAtMs ?? Number.NEGATIVE_INFINITY };
};

const openDesks = (
  options: LeadershipOptions,
  writer: LeaseToken,
  { sources, eventQueue, refusals, references, record }: Omit<TermParts, "desks">,
  market: MarketDesk,
): Desks => {
  const { store, live, log, simulated, threads, retainDealerQuotesMs: retainMs } = options;
  const shared = { store, live, writer, eventQueue, log, sources };
  const refuse = refusals.refuse.bind(refusals);
  const simulatedSources = [...(simulated?.source.sources.keys() ?? [])];
  const dealers = new DealerDesk({ ...shared, market, simulated: simulatedSources, retainMs, refuse });
  const surfaces = new SurfaceDesk({ ...shared, prices: market, computer: threads.surfaces() });
  return new Desks(market, [dealers, surfaces, references], refusals, record);
};
