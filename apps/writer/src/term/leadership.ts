/** One term as the leading writer: catch up with the past, then a moment every second until the term ends. */
import { MINUTE_MS, SECOND_MS } from "@assay/contract";
import { type BarLines, prune, StaleTokenError, StoreUnavailableError } from "@assay/db";
import { createFeedRunner, createUpstream, type FeedRunner, processTimers, type Upstream } from "@assay/feeds";
import { computesAfterMs, Handover, type LeaseToken, readStandby } from "@assay/live";
import type { ClockedSource, Observation, SourceInfo } from "@assay/pricing";
import { ArchiveKeeper, UNCHECKED } from "../archives/archive-keeper.ts";
import { Gaps } from "../backfill/gaps.ts";
import { dropHolidaySettlements } from "../backfill/holiday-settlements.ts";
import { backfillLive, noteMissingCloses } from "../backfill/live.ts";
import { BarKeeper, COMPOSED } from "../bars/bar-keeper.ts";
import type { Desks } from "../desks/desks.ts";
import { Refusals } from "../feeds/refusals.ts";
import { feedsDocument, publishFeeds } from "../feeds/report.ts";
import { MomentWriter } from "../moments/moment-writer.ts";
import { Outbox } from "../moments/outbox.ts";
import { seekAnchors } from "../prices/belief-store.ts";
import { warnOfLeftOverBars } from "../simulated/left-over.ts";
import { fillOlderPast } from "../simulated/older-past.ts";
import type { Thread } from "../threads/thread.ts";
import type { BarsRequest } from "../threads/threads.ts";
import { allDone } from "./all-done.ts";
import { Intake } from "./intake.ts";
import { untilNextSecondMs } from "./next-second.ts";
import { openDesks } from "./open-desks.ts";
import { publishPast } from "./publish-past.ts";
import { DELAYED_VIEW_MS, restoreMarket } from "./restore-market.ts";
import { TermEndedError } from "./term-ended.ts";
import type { LeadershipOptions } from "./term-options.ts";
import { clockedSourcesOf, isOpenOf, sourcesOf } from "./term-sources.ts";

const PRUNE_EVERY_MS = 5 * MINUTE_MS;
/** How often unconfirmed prices are compared with bars imported in the meantime. */
const SEEK_ANCHORS_EVERY_MS = MINUTE_MS;

/** The parts of a term. */
interface TermParts {
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly bars: BarKeeper;
  readonly refusals: Refusals;
  readonly desks: Desks;
  readonly outbox: Outbox;
}

/** A term of leadership. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #writer: LeaseToken;
  readonly #parts: TermParts;
  readonly #moments: MomentWriter;
  readonly #intake: Intake;
  readonly #clocked: readonly ClockedSource[];
  readonly #upstream: Upstream;
  readonly #runners: readonly FeedRunner[];
  readonly #leaving = new AbortController();
  #inbox: Observation[] = [];
  #handledMs: number;
  /** The newest stored tick's instant, where that is ahead of the clock: nothing is computed before, so that time never goes back. */
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  readonly #handover = new Handover();
  #prunedMs: number;
  #soughtMs: number;
  #ended = false;
  /** Queued ticks dropped since the last moment that was written. */
  #dropped = 0;
  /** From the second at which the last moment was due until it was composed. */
  #composeDelayMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #step: Promise<void> = Promise.resolve();
  #past: Promise<void> = Promise.resolve();
  #archives: ArchiveKeeper | null = null;

  private constructor(options: LeadershipOptions, writer: LeaseToken, parts: TermParts, nowMs: number) {
    this.#options = options;
    this.#writer = writer;
    this.#parts = parts;
    this.#handledMs = nowMs;
    this.#prunedMs = nowMs;
    this.#soughtMs = nowMs;
    const { store, clock, mayWrite } = options;
    const { desks, outbox, bars, refusals } = parts;
    this.#moments = new MomentWriter({ store, writer, outbox, bars, clock });
    this.#intake = new Intake({ desks, moments: this.#moments, outbox, mayWrite });
    this.#clocked = clockedSourcesOf(options);
    this.#upstream = createUpstream({ nowMs: clock });
    this.#runners = this.#openRunners();
    refusals.watch(this.#runners);
  }

  /**
   * Begins a term: restores what was forming, backfills, and starts the feeds.
   * @throws StaleTokenError when a newer writer was seen in the meantime
   */
  static async begin(options: LeadershipOptions, writer: LeaseToken): Promise<Leadership> {
    const { store, live, clock, log, simulated, progress, mayWrite } = options;
    const nowMs = clock();
    const sources = sourcesOf(options);
    const bars = new BarKeeper(simulated?.barSource ?? COMPOSED);
    const refusals = new Refusals(clockedSourcesOf(options), log);
    const { market, lastTickMs } = await restoreMarket(options, { sources, bars, refusals }, nowMs);
    const outbox = new Outbox(live.bus, log);
    const desks = openDesks(options, { writer, sources, market, outbox, refusals });
    const term = new Leadership(options, writer, { sources, bars, refusals, desks, outbox }, nowMs);
    term.#notBeforeMs = computesAfterMs(lastTickMs, nowMs);
    if (term.#notBeforeMs > nowMs) {
      log.info("the clock is behind the newest tick; waiting until it catches up", {
        seconds: Math.ceil((lastTickMs - nowMs) / SECOND_MS),
      });
      term.#handledMs = lastTickMs;
    }
    const gaps = await Gaps.read(store, writer);
    const thread = options.threads.bars();
    const aliveMs = Number.isFinite(lastTickMs) ? Math.min(lastTickMs, nowMs) : nowMs;
    await term.#moments.begin(aliveMs);
    try {
      const writeNewest = await simulated?.makeNewest({ store, writer, thread, gaps, progress, nowMs, mayWrite });
      // One thread makes bars meanwhile, and another surfaces while the bars are written.
      await term.#catchUp(lastTickMs, nowMs);
      await allDone([writeNewest?.(), term.#beginSides(nowMs)]);
    } catch (error) {
      await thread.close();
      throw error;
    }
    // The bars continue from those of the past.
    await term.#moments.begin(aliveMs);
    await noteMissingCloses({ store, gaps, polled: options.polled, nowMs });
    await dropHolidaySettlements(store, writer, log);
    await publishPast({ store, writer, outbox }, nowMs);
    // Catches up with the time the backfill took before announcing that it leads.
    const caughtUpMs = clock();
    await term.#advance(caughtUpMs);
    for (const runner of term.#runners) runner.start();
    term.#past = term.#fillPast(thread, gaps, nowMs);
    term.#schedule(caughtUpMs);
    return term;
  }

  /** The polled feeds, not yet started. */
  #openRunners(): FeedRunner[] {
    const { polled, clock, log } = this.#options;
    const { desks } = this.#parts;
    const rules = {
      ...{ nowMs: clock, timers: processTimers, random: Math.random, upstream: this.#upstream },
      isMarketOpen: isOpenOf(this.#options),
    };
    return polled.map((selected) =>
      createFeedRunner(selected, {
        ...rules,
        judge: (observation) => desks.judge(observation, clock()),
        deliver: (observations) => {
          this.#inbox.push(...observations);
        },
        report: (event) => log.feed(event),
      }),
    );
  }

  /** Applies what the clocked sources said since the last stored tick. */
  async #catchUp(lastTickMs: number, nowMs: number): Promise<void> {
    const { simulated, replay } = this.#options;
    if (simulated) await this.#intake.catchUp(simulated.source, Math.max(lastTickMs, nowMs - DELAYED_VIEW_MS), nowMs, false);
    if (replay) {
      const { desks } = this.#parts;
      for (const { atMs, observations } of replay.due(Number.NEGATIVE_INFINITY, lastTickMs)) desks.learn(observations, atMs);
      await this.#intake.catchUp(replay, lastTickMs, nowMs, true);
    }
  }

  async #beginSides(nowMs: number): Promise<void> {
    for (const side of this.#parts.desks.sides) await side.begin(nowMs);
  }

  /** Fills in the past while live prices continue: what is missing of the simulated one, then public feeds'; archives follow. */
  async #fillPast(thread: Thread<BarsRequest, BarLines[]>, gaps: Gaps, nowMs: number): Promise<void> {
    const { store, simulated, polled, log, mayWrite } = this.#options;
    const { signal } = this.#leaving;
    const onFilled = (): void => this.#parts.outbox.put({ kind: "history-filled" });
    const writing = { store, writer: this.#writer, thread, gaps, mayWrite, log, signal, onFilled };
    if (simulated) await fillOlderPast(simulated, { ...writing, sharesProcess: this.#sharesProcess });
    else if (polled.length > 0) await warnOfLeftOverBars(store, log);
    await this.#fillFromFeeds(gaps, nowMs);
    if (!signal.aborted) this.#keepArchives();
  }

  /** Backfills public feeds. */
  async #fillFromFeeds(gaps: Gaps, nowMs: number): Promise<void> {
    const { store, polled, log, progress, mayWrite, clock } = this.#options;
    const { desks, outbox, refusals } = this.#parts;
    const writer = this.#writer;
    await backfillLive({
      ...{ store, writer, gaps, polled, log, progress, nowMs, mayWrite, upstream: this.#upstream, signal: this.#leaving.signal },
      onFilled: () => outbox.put({ kind: "history-filled" }),
      onBars: (symbol) => {
        outbox.put({ kind: "bars-replaced", symbol });
        // A price without a reference may have one now.
        this.#soughtMs = Number.NEGATIVE_INFINITY;
      },
      onSettlements: () => outbox.put({ kind: "settlements-replaced" }),
      onRates: (tables) => this.#inbox.push(...desks.accept(tables, clock())),
      refuse: (...refused) => refusals.refuse(...refused),
    });
  }

  /** Builds archives while live prices continue. */
  #keepArchives(): void {
    const { store, archives, clock, log, mayWrite } = this.#options;
    if (!archives) return;
    const { signal } = this.#leaving;
    const sharesProcess = this.#sharesProcess;
    this.#archives = new ArchiveKeeper({ store, archives, writer: this.#writer, clock, signal, mayWrite, log, sharesProcess });
  }

  /** Whether requests are served by this process too, as they are on the embedded engine. */
  get #sharesProcess(): boolean {
    return this.#options.store.kind === "pglite";
  }

  #schedule(handledMs: number): void {
    if (this.#ended) return;
    const { clock } = this.#options;
    this.#timer = setTimeout(
      () => {
        const nowMs = clock();
        this.#step = this.#advance(nowMs).finally(() => this.#schedule(nowMs));
      },
      untilNextSecondMs(handledMs, clock()),
    );
  }

  /** Processes everything up to now as one write. */
  async #advance(nowMs: number): Promise<void> {
    const { log } = this.#options;
    if (nowMs <= this.#notBeforeMs) return;
    try {
      for (const source of this.#clocked) this.#intake.follow(source, this.#handledMs, nowMs);
      this.#handledMs = nowMs;
      const arrived = this.#inbox;
      this.#inbox = [];
      this.#intake.take(arrived, nowMs);
      this.#composeDelayMs = this.#options.clock() - Math.floor(nowMs / SECOND_MS) * SECOND_MS;
      await this.#intake.write(nowMs);
      this.#handover.wrote();
      if (this.#dropped > 0) log.info("dropped ticks while the database could not be written", { dropped: this.#dropped });
      this.#dropped = 0;
      await this.#report(nowMs);
      await this.#tidy(nowMs);
    } catch (error) {
      if (error instanceof StaleTokenError) {
        this.#ended = true;
        this.#options.onRefused();
        return;
      }
      if (error instanceof TermEndedError) return;
      if (error instanceof StoreUnavailableError && (await this.#isReplaceable())) {
        log.info("handing over: a standby can reach the database, and this writer cannot", {});
        this.#ended = true;
        this.#options.onRefused();
        return;
      }
      this.#dropped += this.#moments.shed();
      log.fault(error, "failed to write a moment; retrying");
    }
  }

  /** Whether a writer that reaches the database should lead instead. Without one, this one keeps what it has and retries. */
  async #isReplaceable(): Promise<boolean> {
    const { live, clock, leaseTtlMs } = this.#options;
    return this.#handover.failed(await readStandby(live), clock(), { ttlMs: leaseTtlMs });
  }

  /** Periodic tasks. */
  async #tidy(nowMs: number): Promise<void> {
    const { store, retainTicksMs } = this.#options;
    const { desks, sources, bars } = this.#parts;
    if (nowMs - this.#soughtMs >= SEEK_ANCHORS_EVERY_MS) {
      this.#soughtMs = nowMs;
      await seekAnchors(store, desks.market.prices, sources, bars.sourceId, nowMs);
    }
    if (nowMs - this.#prunedMs >= PRUNE_EVERY_MS) {
      this.#prunedMs = nowMs;
      await prune(store, nowMs, retainTicksMs);
    }
  }

  async #report(nowMs: number): Promise<void> {
    const { live, log } = this.#options;
    try {
      // Archives wait for the history, and are then not disabled but unchecked.
      const archives = this.#options.archives && (this.#archives?.health ?? UNCHECKED);
      const document = feedsDocument(this.#runners, this.#parts.refusals.clocked, archives, nowMs);
      await publishFeeds(live, document, this.#writer.token);
    } catch (error) {
      log.fault(error, "failed to publish the feeds' health");
    }
  }

  /** What waits to be written and to be published, and how late the last moment was composed. */
  get figures(): { readonly queuedTicks: number; readonly unpublishedEvents: number; readonly composeDelayMs: number } {
    return {
      queuedTicks: this.#moments.size,
      unpublishedEvents: this.#parts.outbox.size,
      composeDelayMs: this.#composeDelayMs,
    };
  }

  /** Ends the term: stops the feeds and finishes the moment in progress. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#leaving.abort();
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all([this.#step, this.#past]);
    await this.#archives?.done;
    await Promise.all(this.#parts.desks.sides.map((side) => side.end()));
    clearTimeout(this.#timer);
  }
}
