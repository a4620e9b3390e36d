/** One term as the leading writer: catch up with the past, then a moment every second until the term ends. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { prune, readSourceRecords, StaleTokenError, StoreUnavailableError } from "@assay/db";
import { createFeedRunner, createUpstream, type FeedRunner, type Upstream } from "@assay/feeds";
import { Handover, type LeaseToken, readStandby } from "@assay/live";
import type { Cancel } from "@assay/ports";
import type { ClockedSource, Instrument, Observation } from "@assay/pricing";
import type { MetricReading } from "@assay/process";
import { AlertDesk } from "../alerts/alert-desk.ts";
import { DeliveryDesk } from "../alerts/delivery-desk.ts";
import { Gaps } from "../backfill/history-gaps.ts";
import { feedsDocument, publishFeeds } from "../feed-health.ts";
import { takeBackBarsAhead } from "../moments/bars-ahead.ts";
import { MomentWriter } from "../moments/moment-writer.ts";
import { seekAnchors } from "../prices/belief-store.ts";
import { Intake } from "./intake.ts";
import { DELAYED_VIEW_MS, openTerm, type TermParts } from "./opening.ts";
import { Past, type PastParts } from "./past.ts";
import { isCommitDue, TermClock, untilNextSecondMs } from "./term-clock.ts";
import { type LeadershipOptions, TermEndedError } from "./term-options.ts";

const PRUNE_EVERY_MS = 5 * MINUTE_MS;
/** How often unconfirmed prices are compared with bars imported in the meantime. */
const SEEK_ANCHORS_EVERY_MS = MINUTE_MS;

/** Waits for all, so that none is left running, and then throws the first error. */
const allDone = async (works: readonly (Promise<unknown> | undefined)[]): Promise<void> => {
  const failed = (await Promise.allSettled(works)).find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
};

export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #writer: LeaseToken;
  readonly #parts: TermParts;
  readonly #moments: MomentWriter;
  readonly #intake: Intake;
  readonly #alerts: AlertDesk;
  readonly #deliveries: DeliveryDesk;
  readonly #upstream: Upstream;
  readonly #runners: readonly FeedRunner[];
  readonly #leaving = new AbortController();
  #inbox: Observation[] = [];
  readonly #time: TermClock;
  readonly #handover = new Handover();
  #prunedMs: number;
  #soughtMs: number;
  #ended = false;
  /** Queued ticks dropped since the last moment that was written. */
  #dropped = 0;
  /** From the second at which the last moment was due until it was composed. */
  #composeDelayMs = 0;
  /** When a moment was last due to be committed. */
  #committedMs = Number.NEGATIVE_INFINITY;
  /** Whether what was composed since then waits for its turn, not for the database. */
  #isWaiting = false;
  #cancel: Cancel = () => undefined;
  #step: Promise<void> = Promise.resolve();
  #past: Past | null = null;

  private constructor(options: LeadershipOptions, writer: LeaseToken, parts: TermParts, nowMs: number) {
    this.#options = options;
    this.#writer = writer;
    this.#parts = parts;
    this.#time = new TermClock(options.clock, options.log, nowMs);
    this.#prunedMs = nowMs;
    this.#soughtMs = nowMs;
    const { store, clock, random, mayWrite, log, webhooks } = options;
    const { desks, eventQueue, bars, refusals, isOpen } = parts;
    const { market } = desks;
    const judged = {
      rateBeside: market.rateBeside.bind(market),
      beliefOf: (instrument: Instrument) => market.prices.beliefs.of(instrument),
      isOpen,
    };
    this.#alerts = new AlertDesk({ store, writer, market: judged, random, catalog: webhooks.catalog, log });
    this.#deliveries = new DeliveryDesk({ store, writer, clock, random, log, ...webhooks });
    const onCommitted = this.#alerts.committed.bind(this.#alerts);
    this.#moments = new MomentWriter({ store, writer, eventQueue, bars, clock: () => this.#time.now(), onCommitted });
    this.#intake = new Intake({ desks, moments: this.#moments, eventQueue, clock, mayWrite });
    this.#upstream = createUpstream({ nowMs: clock });
    this.#runners = this.#openRunners();
    refusals.watch(this.#runners);
  }

  /**
   * Begins a term: restores what was forming, backfills, and starts the feeds.
   * @throws StaleTokenError when a newer writer was seen in the meantime
   */
  static async begin(options: LeadershipOptions, writer: LeaseToken): Promise<Leadership> {
    const { store, clock, simulated, progress, mayWrite } = options;
    const nowMs = clock();
    const { parts, lastTickMs } = await openTerm(options, writer, nowMs);
    const term = new Leadership(options, writer, parts, nowMs);
    term.#time.continueAfter(lastTickMs, nowMs);
    await takeBackBarsAhead(store, writer, { nowMs, computesFromMs: term.#time.handledMs });
    const gaps = await Gaps.read(store, writer);
    const thread = options.threads.bars();
    const aliveMs = Number.isFinite(lastTickMs) ? Math.min(lastTickMs, nowMs) : nowMs;
    await term.#moments.begin(aliveMs);
    try {
      const writeNewest = await simulated?.makeNewest({ store, writer, thread, gaps, progress, nowMs, clock, mayWrite });
      // One thread makes bars meanwhile, and another surfaces while the bars are written.
      await term.#catchUp(lastTickMs, nowMs);
      await allDone([writeNewest?.(), term.#beginSides(nowMs)]);
    } catch (error) {
      await thread.close();
      throw error;
    }
    // The bars continue from those of the past.
    await term.#moments.begin(aliveMs);
    const past = term.#openPast(gaps, thread);
    await past.begin(nowMs);
    // Catches up with the time the backfill took before announcing that it leads.
    const caughtUpMs = clock();
    await term.#advance(caughtUpMs);
    // From here on the feeds are read.
    parts.record.begin(await readSourceRecords(store, { span: "day", fromMs: caughtUpMs - 2 * DAY_MS }), clock());
    for (const runner of term.#runners) runner.start();
    past.fill(nowMs);
    term.#schedule(caughtUpMs);
    return term;
  }

  /** The polled feeds, not yet started. */
  #openRunners(): FeedRunner[] {
    const { polled, clock, random, log } = this.#options;
    const { desks, isOpen } = this.#parts;
    return polled.map((selected) =>
      createFeedRunner(selected, {
        clock,
        random,
        upstream: this.#upstream,
        isMarketOpen: isOpen,
        judge: (observation) => desks.judge(observation, clock()),
        judged: (observation, rule) => desks.judged(observation, rule, clock()),
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
    if (simulated) await this.#simulateNewest(simulated.source, Math.max(lastTickMs, nowMs - DELAYED_VIEW_MS), nowMs);
    if (replay) {
      const { desks } = this.#parts;
      // Ticks of a clock that was ahead are of a time that is still to come.
      const learntMs = Math.min(lastTickMs, this.#time.handledMs);
      for (const { atMs, observations } of replay.due(Number.NEGATIVE_INFINITY, learntMs)) desks.learn(observations, atMs);
      await this.#intake.catchUp(replay, learntMs, nowMs, true);
    }
  }

  /** The simulated ticks that a service is ready with. */
  async #simulateNewest(source: ClockedSource, fromMs: number, nowMs: number): Promise<void> {
    const step = this.#options.progress.step("building: the newest prices", nowMs - fromMs);
    let doneMs = fromMs;
    try {
      await this.#intake.catchUp(source, fromMs, nowMs, false, (atMs) => {
        step.advance(atMs - doneMs);
        doneMs = atMs;
      });
    } finally {
      step.done();
    }
  }

  async #beginSides(nowMs: number): Promise<void> {
    for (const side of this.#parts.desks.sides) await side.begin(nowMs);
  }

  #openPast(gaps: Gaps, thread: PastParts["thread"]): Past {
    const { desks, eventQueue, refusals } = this.#parts;
    this.#past = new Past(this.#options, {
      writer: this.#writer,
      gaps,
      thread,
      upstream: this.#upstream,
      eventQueue,
      refusals,
      signal: this.#leaving.signal,
      onBars: () => {
        this.#soughtMs = Number.NEGATIVE_INFINITY;
      },
      onRates: (tables) => this.#inbox.push(...desks.accept(tables, this.#options.clock())),
    });
    return this.#past;
  }

  #schedule(handledMs: number): void {
    if (this.#ended) return;
    const { clock } = this.#options;
    this.#cancel = clock.after(untilNextSecondMs(handledMs, clock()), () => {
      const nowMs = clock();
      this.#step = this.#advance(nowMs).finally(() => this.#schedule(nowMs));
    });
  }

  async #advance(nowMs: number): Promise<void> {
    const { log } = this.#options;
    try {
      if (!(await this.#goesOn(nowMs))) return;
      for (const source of this.#parts.clocked) this.#intake.follow(source, this.#time.handledMs, nowMs);
      this.#time.handled(nowMs);
      const arrived = this.#inbox;
      this.#inbox = [];
      this.#intake.take(arrived, nowMs);
      this.#moments.record(this.#parts.record.take(nowMs));
      this.#composeDelayMs = this.#options.clock() - Math.floor(nowMs / SECOND_MS) * SECOND_MS;
      this.#isWaiting = !isCommitDue(nowMs, this.#committedMs, this.#options.commitEveryMs);
      if (this.#isWaiting) {
        await this.#report(nowMs);
        return;
      }
      this.#committedMs = nowMs;
      await this.#intake.write(nowMs);
      this.#handover.wrote();
      await this.#alerts.judge(nowMs);
      this.#deliveries.wake();
      if (this.#dropped > 0) log.info("dropped ticks while the database could not be written", { dropped: this.#dropped });
      this.#dropped = 0;
      await this.#report(nowMs);
      await this.#tidy(nowMs);
    } catch (error) {
      if (error instanceof TermEndedError) return;
      if (error instanceof StaleTokenError || (error instanceof StoreUnavailableError && (await this.#isReplaceable()))) {
        this.#ended = true;
        this.#options.onRefused();
        return;
      }
      this.#dropped += this.#moments.shed();
      log.fault(error, "failed to write a moment; retrying");
      // Otherwise every feed would look late.
      await this.#report(nowMs);
    }
  }

  /** Whether the term goes on at an instant. If its clock was set back, bars that were closed too early form again. */
  async #goesOn(nowMs: number): Promise<boolean> {
    const course = this.#time.look(nowMs);
    if (course === "over") {
      // The next term begins with nothing of the time that was ahead.
      this.#ended = true;
      this.#options.onRefused();
    }
    if (course === "back") {
      await this.#moments.goBack(nowMs, this.#time.handledMs);
      this.#time.wait(nowMs);
    }
    return course === "on";
  }

  /** Whether a writer that reaches the database should lead instead. Without one, this one keeps what it has and retries. */
  async #isReplaceable(): Promise<boolean> {
    const { live, clock, leaseTtlMs, log } = this.#options;
    const isReplaceable = this.#handover.failed(await readStandby(live), clock(), { ttlMs: leaseTtlMs });
    if (isReplaceable) log.info("handing over: a standby can reach the database, and this writer cannot", {});
    return isReplaceable;
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
    const { live, store, log } = this.#options;
    try {
      const { refusals, references, record } = this.#parts;
      const archives = this.#past?.archives ?? null;
      const faults = { offReference: references.contradicted(nowMs), refusesWrites: store.refusesWrites() };
      const reported = { runners: this.#runners, clocked: refusals.clocked, record, archives, ...faults };
      await publishFeeds(live, feedsDocument(reported, nowMs), this.#writer.token);
    } catch (error) {
      log.fault(error, "failed to publish the feeds' health");
    }
  }

  /** What waits to be written and to be published, and how late the last moment was composed. */
  get figures(): { readonly queuedTicks: number; readonly unpublishedEvents: number; readonly composeDelayMs: number } {
    return {
      queuedTicks: this.#moments.size,
      unpublishedEvents: this.#parts.eventQueue.size,
      composeDelayMs: this.#composeDelayMs,
    };
  }

  /** What sources delivered in this term, and what became of alerts. */
  readings(): MetricReading[] {
    const help = "Alerts that are judged";
    const alerts = { name: "assay_alerts", help, kind: "gauge", value: this.#alerts.size } as const;
    return [...this.#parts.record.readings(), alerts, ...this.#deliveries.readings()];
  }

  /** The lease is released after it; should it have run out, the fence refuses what a newer writer has to write. */
  async #commitRest(): Promise<void> {
    try {
      await this.#moments.write(this.#options.clock());
    } catch (error) {
      this.#options.log.fault(error, "failed to write the last moments");
    }
  }

  /** Ends the term: stops the feeds and finishes the moment in progress. */
  async end(): Promise<void> {
    // What a newer writer refused is that one's to write.
    const isRefused = this.#ended;
    this.#ended = true;
    this.#cancel();
    this.#leaving.abort();
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all([this.#step, this.#past?.done()]);
    if (this.#isWaiting && !isRefused) await this.#commitRest();
    await this.#deliveries.end();
    await Promise.all(this.#parts.desks.sides.map((side) => side.end()));
    const lost = isRefused ? 0 : this.#moments.size;
    if (lost > 0) this.#options.log.warn(`ended with ${lost} rows that the database did not take`);
  }
}
