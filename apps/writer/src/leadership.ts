/** One term as the leading writer: catch up with the past, then a moment every second until the term ends. */
import { setImmediate } from "node:timers/promises";
import type { ArchiveStore } from "@assay/archives";
import { BAR_SYMBOLS } from "@assay/contract";
import { prune, readFxTables, readLastSeqs, readNewestSettlements, readTicksSince, StaleTokenError, type Store } from "@assay/db";
import {
  type ClockedSource,
  createFeedRunner,
  createUpstream,
  type FeedRunner,
  processTimers,
  REPORTED_DAYS,
  type SelectedFeed,
  type Upstream,
} from "@assay/feeds";
import type { LeaseToken, Live } from "@assay/live";
import { addDays, isShown, marketStateAt, type Observation, type SimulatedHours, type SourceInfo, utcDay } from "@assay/pricing";
import { ArchiveKeeper } from "./archives/archive-keeper.ts";
import { dropHolidaySettlements } from "./backfill/holiday-settlements.ts";
import { backfillLive } from "./backfill/live.ts";
import type { Progress } from "./backfill/progress.ts";
import { backfillSimulated } from "./backfill/simulated.ts";
import { backfillSimulatedSettlements } from "./backfill/simulated-settlements.ts";
import { BarKeeper, COMPOSED } from "./bar-keeper.ts";
import { newestForeignClose, restoreBeliefs } from "./belief-store.ts";
import type { RefuseReading } from "./beliefs.ts";
import { DealerDesk } from "./dealers/dealer-desk.ts";
import { Desks } from "./desks.ts";
import { feedsDocument, publishFeeds } from "./feeds-report.ts";
import { MarketDesk } from "./market-desk.ts";
import { MomentWriter } from "./moment-writer.ts";
import { Outbox } from "./outbox.ts";
import { Refusals } from "./refusals.ts";
import type { SurfaceComputer } from "./surface/surface-computer.ts";
import { SurfaceDesk } from "./surface/surface-desk.ts";
import { TermEndedError } from "./term-ended.ts";
import type { WriterLog } from "./writer-log.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Ticks of the past are made for this long, so that delayed callers have a price at once. */
const DELAYED_VIEW_MS = 16 * MINUTE_MS;
const PRUNE_EVERY_MS = 5 * MINUTE_MS;
/** How often prices that nothing confirms are compared with bars that were imported meanwhile. */
const SEEK_ANCHORS_EVERY_MS = MINUTE_MS;
/** Rows of the past that are written together. */
const CATCH_UP_ROWS = 2_000;
/** Contracts that settled within so many days are told of anew; others have ended. */
const SETTLEMENTS_TOLD_DAYS = 400;

/** What a term works with. */
export interface LeadershipOptions {
  readonly store: Store;
  readonly live: Live;
  readonly clock: () => number;
  readonly log: WriterLog;
  readonly polled: readonly SelectedFeed[];
  readonly replay: ClockedSource | null;
  readonly simulated: { readonly source: ClockedSource; readonly seed: number; readonly hours: SimulatedHours } | null;
  /** Whether the market closes at all. */
  readonly marketHours: boolean;
  readonly progress: Progress;
  /** Where yearly archives are kept; null when downloads are switched off. */
  readonly archives: ArchiveStore | null;
  /** Opens what computes surfaces beside the writer, for one term. */
  readonly openComputer: () => SurfaceComputer;
  /** Whether a write may begin: asked before each one. */
  readonly mayWrite: () => boolean;
  /** Called when the store refused a write because it has seen a newer writer. */
  readonly onRefused: () => void;
}

/** A term of leadership. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #writer: LeaseToken;
  readonly #desks: Desks;
  readonly #moments: MomentWriter;
  readonly #outbox: Outbox;
  readonly #clocked: readonly ClockedSource[];
  readonly #refusals: Refusals;
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  /** The source that bars grown from ticks name. */
  readonly #ownBars: string;
  readonly #runners: FeedRunner[];
  #inbox: Observation[] = [];
  #handledMs: number;
  #prunedMs: number;
  #soughtMs: number;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #step: Promise<void> = Promise.resolve();
  #past: Promise<void> = Promise.resolve();
  #archives: ArchiveKeeper | null = null;
  readonly #upstream: Upstream;
  readonly #leaving = new AbortController();

  private constructor(
    options: LeadershipOptions,
    writer: LeaseToken,
    market: MarketDesk,
    bars: BarKeeper,
    sources: ReadonlyMap<string, SourceInfo>,
    refusals: Refusals,
    handledMs: number,
  ) {
    this.#options = options;
    this.#writer = writer;
    this.#handledMs = handledMs;
    this.#sources = sources;
    this.#ownBars = options.simulated ? "simulated" : COMPOSED;
    this.#prunedMs = handledMs;
    this.#soughtMs = handledMs;
    const { store, simulated, replay, clock, live, log } = options;
    const outbox = new Outbox(live.bus, log);
    this.#outbox = outbox;
    this.#moments = new MomentWriter({ store, writer, outbox, bars, clock });
    this.#clocked = [simulated?.source, replay].filter((source) => source != null);
    this.#refusals = refusals;
    const shared = { store, live, writer, outbox, log, sources };
    const madeUp = [...(simulated?.source.sources.keys() ?? [])];
    const sides = [
      new DealerDesk({ ...shared, market, simulated: madeUp, refuse: (...refused) => this.#refusals.refuse(...refused) }),
      new SurfaceDesk({ ...shared, prices: market, computer: options.openComputer() }),
    ];
    this.#desks = new Desks(market, sides, this.#refusals);
    const upstream = createUpstream({ nowMs: clock });
    this.#upstream = upstream;
    this.#runners = options.polled.map((selected) =>
      createFeedRunner(selected, {
        nowMs: clock,
        timers: processTimers,
        random: Math.random,
        upstream,
        isMarketOpen: (atMs) => this.#isOpen(atMs),
        judge: (observation) => this.#desks.judge(observation, clock()),
        deliver: (observations) => {
          this.#inbox.push(...observations);
        },
        report: (event) => options.log.feed(event),
      }),
    );
    this.#refusals.watch(this.#runners);
  }

  #isOpen(atMs: number): boolean {
    return !this.#options.marketHours || marketStateAt(atMs).open;
  }

  /**
   * Begins a term: restores what was forming, fills the past, and starts the feeds.
   * @throws StaleTokenError when a newer writer was seen meanwhile
   */
  static async begin(options: LeadershipOptions, writer: LeaseToken): Promise<Leadership> {
    const { store, clock, polled, replay, simulated, marketHours } = options;
    const sources = new Map<string, SourceInfo>([
      ...polled.flatMap(({ feed }) => feed.sources.map((source): [string, SourceInfo] => [source.key, source])),
      ...(simulated?.source.sources ?? []),
      ...(replay?.sources ?? []),
    ]);
    const keeper = new BarKeeper(simulated ? "simulated" : COMPOSED);
    const nowMs = clock();
    const seqs = await readLastSeqs(store);
    const stored = await readTicksSince(store, nowMs - DELAYED_VIEW_MS);
    const lastTickMs = stored.at(-1)?.computedAtMs ?? Number.NEGATIVE_INFINITY;
    const beliefs = await restoreBeliefs(store, sources, keeper.sourceId);
    const shown = stored.filter((tick) => isShown(beliefs.get(tick.instrument), tick.seq));
    const prices = new Map(shown.map((tick) => [tick.instrument, tick.price]));
    const isOpen = (atMs: number): boolean => !marketHours || marketStateAt(atMs).open;
    const fx = await readFxTables(store, nowMs - DELAYED_VIEW_MS);
    const clocked = [simulated?.source, replay].filter((source) => source != null);
    const refusals = new Refusals(clocked, options.log);
    const refuse: RefuseReading = (...refused) => refusals.refuse(...refused);
    const desk = new MarketDesk({ sources, bars: keeper, seqs, isOpen, prices, fx, beliefs, refuse });
    const term = new Leadership(options, writer, desk, keeper, sources, refusals, nowMs);
    if (simulated) {
      const { seed, hours } = simulated;
      const { progress, mayWrite } = options;
      await backfillSimulated({ store, writer, seed, hours, keeper, progress, nowMs, mayWrite });
      await backfillSimulatedSettlements({ store, writer, seed, progress, nowMs, mayWrite });
    }
    await term.#moments.begin(stored.length > 0 ? Math.min(lastTickMs, nowMs) : nowMs);
    const delayedMs = Math.max(lastTickMs, nowMs - DELAYED_VIEW_MS);
    if (simulated) await term.#catchUp(simulated.source, delayedMs, nowMs, false);
    if (replay) {
      for (const { atMs, observations } of replay.due(Number.NEGATIVE_INFINITY, lastTickMs))
        term.#desks.learn(observations, atMs);
      await term.#catchUp(replay, lastTickMs, nowMs, true);
    }
    await dropHolidaySettlements(store, writer, options.log);
    for (const side of term.#desks.sides) await side.begin(nowMs);
    await term.#tellOfThePast(nowMs);
    // What passed while the past was filled is caught up with before anyone is told that it leads.
    await term.#advance();
    for (const runner of term.#runners) runner.start();
    term.#fillPast(nowMs);
    term.#keepArchives();
    term.#schedule();
    return term;
  }

  /**
   * Has readers read every series anew: what was filled in was not told to them bar by bar, nor was what the leader before
   * had stored and could not tell any more. Rates that still serve are published again for the same reason.
   */
  async #tellOfThePast(nowMs: number): Promise<void> {
    for (const symbol of [...BAR_SYMBOLS, ...REPORTED_DAYS]) this.#outbox.put({ kind: "bars-replaced", symbol });
    const fx = await readFxTables(this.#options.store, nowMs);
    if (fx.length > 0) this.#outbox.put({ kind: "moment", token: this.#writer.token, atMs: nowMs, ticks: [], bars: [], fx });
    await this.#tellOfSettlements(nowMs);
  }

  /** Has readers know the settlements that were filled in: the newest of each contract, which is all they keep. */
  async #tellOfSettlements(nowMs: number): Promise<void> {
    const settlements = await readNewestSettlements(this.#options.store, addDays(utcDay(nowMs), -SETTLEMENTS_TOLD_DAYS));
    if (settlements.length === 0) return;
    this.#outbox.put({ kind: "moment", token: this.#writer.token, atMs: nowMs, ticks: [], bars: [], fx: [], settlements });
  }

  /** Fills in the past of public feeds while the present goes on. */
  #fillPast(nowMs: number): void {
    const { store, polled, log, progress, mayWrite } = this.#options;
    this.#past = backfillLive({
      store,
      writer: this.#writer,
      upstream: this.#upstream,
      polled,
      log,
      progress,
      nowMs,
      signal: this.#leaving.signal,
      mayWrite,
      onBars: (symbol) => {
        this.#outbox.put({ kind: "bars-replaced", symbol });
        // A price that had nothing to be compared with may have now.
        this.#soughtMs = Number.NEGATIVE_INFINITY;
      },
      onSettlements: () => this.#tellOfSettlements(nowMs),
      onRates: (tables) => this.#inbox.push(...this.#desks.accept(tables, this.#options.clock())),
      refuse: (...refused) => this.#refusals.refuse(...refused),
    });
  }

  /** Builds archives beside the present. */
  #keepArchives(): void {
    const { store, archives, clock, log, mayWrite } = this.#options;
    if (!archives) return;
    const sharesProcess = store.kind === "pglite";
    const { signal } = this.#leaving;
    this.#archives = new ArchiveKeeper({ store, archives, writer: this.#writer, clock, signal, mayWrite, log, sharesProcess });
  }

  /** Takes in what a clocked source said before the term began, at its own time. */
  async #catchUp(source: ClockedSource, fromMs: number, toMs: number, grows: boolean): Promise<void> {
    for (const { atMs, observations } of source.due(fromMs, toMs)) {
      this.#settle(atMs);
      this.#moments.add(this.#desks.take(this.#desks.accept(observations, atMs), atMs, { grows }));
      if (this.#moments.size < CATCH_UP_ROWS) continue;
      await this.#write(atMs);
      // The embedded engine answers without a turn of the event loop; the lease's timers need one.
      await setImmediate();
    }
    this.#settle(toMs);
    await this.#write(toMs);
  }

  /** Composes what changed of itself before an instant, each change at its own time. */
  #settle(beforeMs: number): void {
    const { market } = this.#desks;
    for (let atMs = market.nextChangeMs; atMs < beforeMs; atMs = market.nextChangeMs) this.#moments.add(market.take([], atMs));
  }

  #schedule(): void {
    if (this.#ended) return;
    const wait = SECOND_MS - (this.#options.clock() % SECOND_MS);
    this.#timer = setTimeout(() => {
      this.#step = this.#advance().finally(() => this.#schedule());
    }, wait);
  }

  /** Handles everything up to now as one write. */
  async #advance(): Promise<void> {
    const { clock, log, store } = this.#options;
    const nowMs = clock();
    try {
      for (const source of this.#clocked) {
        for (const { atMs, observations } of source.due(this.#handledMs, nowMs)) {
          this.#settle(atMs);
          this.#moments.add(this.#desks.take(this.#desks.accept(observations, atMs), atMs));
        }
      }
      this.#handledMs = nowMs;
      const arrived = this.#inbox;
      this.#inbox = [];
      this.#moments.add(this.#desks.take(arrived, nowMs));
      await this.#write(nowMs);
      await this.#report(nowMs);
      if (nowMs - this.#soughtMs >= SEEK_ANCHORS_EVERY_MS) {
        this.#soughtMs = nowMs;
        await this.#seekAnchors(nowMs);
      }
      if (nowMs - this.#prunedMs >= PRUNE_EVERY_MS) {
        this.#prunedMs = nowMs;
        await prune(store, nowMs);
      }
    } catch (error) {
      if (error instanceof StaleTokenError) {
        this.#ended = true;
        this.#options.onRefused();
        return;
      }
      if (error instanceof TermEndedError) return;
      const dropped = this.#moments.shed();
      log.fault(
        error,
        dropped > 0
          ? `a moment could not be written; ${dropped} waiting ticks were dropped`
          : "a moment could not be written; it waits",
      );
    }
  }

  /** Compares prices that have no past with the newest bars that somebody else has put there since. */
  async #seekAnchors(nowMs: number): Promise<void> {
    const { prices } = this.#desks.market;
    for (const instrument of prices.beliefs.withoutAnchor()) {
      const anchor = await newestForeignClose(this.#options.store, instrument, this.#sources, this.#ownBars);
      if (anchor && prices.beliefs.anchor(instrument, anchor)) prices.wake(instrument, nowMs);
    }
  }

  /** Commits what waits, then tells of it: never the other way round. */
  async #write(atMs: number): Promise<void> {
    if (!this.#options.mayWrite()) throw new TermEndedError("the lease ran out");
    await this.#moments.write(atMs);
    for (const side of this.#desks.sides) await side.tell(atMs);
    await this.#outbox.send();
  }

  async #report(nowMs: number): Promise<void> {
    const { clocked } = this.#refusals;
    try {
      await publishFeeds(
        this.#options.live,
        feedsDocument(this.#runners, clocked, this.#archives?.health ?? null, nowMs),
        this.#writer.token,
      );
    } catch (error) {
      this.#options.log.fault(error, "the feeds' health could not be published");
    }
  }

  /** Ends the term: stops the feeds and finishes the moment under way. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#leaving.abort();
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all([this.#step, this.#past, this.#archives?.done]);
    await Promise.all(this.#desks.sides.map((side) => side.end()));
    clearTimeout(this.#timer);
  }
}
