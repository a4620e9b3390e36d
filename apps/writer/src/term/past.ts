/** The past of a term: what is missing of it is filled in while live prices continue, and archives follow. */
import { MINUTE_MS } from "@assay/contract";
import { type BarLines, readFxTables, readRateSetsSince, StaleTokenError } from "@assay/db";
import type { Upstream } from "@assay/feeds";
import type { ArchivesHealth, LeaseToken } from "@assay/live";
import { DAILY_SYMBOLS, type FxObservation } from "@assay/pricing";
import { ArchiveKeeper, UNCHECKED } from "../archives/archive-keeper.ts";
import type { Gaps } from "../backfill/history-gaps.ts";
import { backfillLive, dropHolidaySettlements, noteMissingDays } from "../backfill/live.ts";
import type { Refusals } from "../feed-health.ts";
import type { EventQueue } from "../moments/event-queue.ts";
import type { BarsRequest, Thread } from "../threads/threads.ts";
import type { WriterLog } from "../writer-log.ts";
import { type LeadershipOptions, type OlderWriting, type SimulatedMarket, TermEndedError } from "./term-options.ts";

/** What filling in depends on, besides the options of the term. */
export interface PastParts {
  readonly writer: LeaseToken;
  readonly gaps: Gaps;
  /** Where simulated bars are made; closed when they are complete. */
  readonly thread: Thread<BarsRequest, BarLines[]>;
  readonly upstream: Upstream;
  readonly eventQueue: EventQueue;
  readonly refusals: Refusals;
  /** Aborted when the term ends. */
  readonly signal: AbortSignal;
  /** Called when bars were added: a price without a reference may have one. */
  readonly onBars: () => void;
  /** Applies reference rates that are still current as live readings. */
  readonly onRates: (tables: readonly FxObservation[]) => void;
}

/** The past, as one term works on it. */
export class Past {
  readonly #options: LeadershipOptions;
  readonly #parts: PastParts;
  /** Whether requests are served by this process too, as they are on the embedded engine. */
  readonly #sharesProcess: boolean;
  #archives: ArchiveKeeper | null = null;
  #filled: Promise<void> = Promise.resolve();

  constructor(options: LeadershipOptions, parts: PastParts) {
    this.#options = options;
    this.#parts = parts;
    this.#sharesProcess = options.store.kind === "pglite";
  }

  /**
   * Corrects what is stored, and makes readers reload every series and the settlements: what was backfilled was not published one
   * by one, nor was what the previous leader stored but could not publish. Current rates are published again for the same reason.
   */
  async begin(nowMs: number): Promise<void> {
    const { store, polled, log } = this.#options;
    const { writer, gaps, eventQueue } = this.#parts;
    await noteMissingDays({ store, gaps, polled, nowMs });
    await dropHolidaySettlements(store, writer, log);
    for (const symbol of DAILY_SYMBOLS) eventQueue.put({ kind: "bars-replaced", symbol });
    eventQueue.put({ kind: "history-filled" });
    eventQueue.put({ kind: "settlements-replaced" });
    const fx = await readFxTables(store, nowMs);
    // This term's first ticks may stand beside the last rates of the one before.
    const rateSets = (await readRateSetsSince(store, nowMs)).slice(-1);
    if (fx.length + rateSets.length > 0)
      eventQueue.put({ kind: "moment", token: writer.token, atMs: nowMs, ticks: [], bars: [], fx, rateSets });
  }

  /** Starts filling in what is missing up to an instant. */
  fill(nowMs: number): void {
    this.#filled = this.#fill(nowMs);
  }

  /** The status of the archives: null when they are disabled, unchecked while they wait for the history. */
  get archives(): ArchivesHealth | null {
    return this.#options.archives && (this.#archives?.health ?? UNCHECKED);
  }

  /** Resolves when the work has stopped after the end of the term. */
  async done(): Promise<void> {
    await this.#filled;
    await this.#archives?.done;
  }

  /** First what is missing of the simulated past, then public feeds'. */
  async #fill(nowMs: number): Promise<void> {
    const { store, clock, simulated, archives, log, mayWrite } = this.#options;
    const { writer, signal, eventQueue } = this.#parts;
    const sharesProcess = this.#sharesProcess;
    const onFilled = (): void => eventQueue.put({ kind: "history-filled" });
    if (simulated)
      await fillOlderPast(simulated, { ...this.#parts, store, nowMs, clock, mayWrite, log, onFilled, sharesProcess });
    await this.#fillFromFeeds(nowMs);
    if (!archives || signal.aborted) return;
    this.#archives = new ArchiveKeeper({ store, archives, writer, clock, signal, mayWrite, log, sharesProcess });
  }

  async #fillFromFeeds(nowMs: number): Promise<void> {
    const { store, polled, log, progress, mayWrite } = this.#options;
    const { writer, gaps, upstream, signal, eventQueue, refusals, onBars, onRates } = this.#parts;
    await backfillLive({
      store,
      writer,
      upstream,
      polled,
      log,
      progress,
      nowMs,
      signal,
      mayWrite,
      gaps,
      onFilled: () => eventQueue.put({ kind: "history-filled" }),
      onBars: (symbol) => {
        eventQueue.put({ kind: "bars-replaced", symbol });
        onBars();
      },
      onSettlements: () => eventQueue.put({ kind: "settlements-replaced" }),
      onRates,
      refuse: (...refused) => refusals.refuse(...refused),
    });
  }
}

/** The pause after a failure. */
const RETRY_MS = MINUTE_MS;

/** What filling in the older part of the simulated past depends on. */
export interface OlderPast extends OlderWriting {
  readonly log: Pick<WriterLog, "info" | "fault">;
}

/**
 * Fills in the older part of the simulated past, and tries again after a failure. Resolves when it is whole or the term has
 * ended; never rejects. The thread is closed then.
 */
export const fillOlderPast = async (simulated: Pick<SimulatedMarket, "fillOlder">, past: OlderPast): Promise<void> => {
  const { clock, signal, thread, log } = past;
  while (!signal.aborted) {
    try {
      await simulated.fillOlder(past);
      break;
    } catch (error) {
      if (signal.aborted || error instanceof TermEndedError || error instanceof StaleTokenError) break;
      log.fault(error, "failed to fill in the history; retrying");
      await clock.sleep(RETRY_MS, signal);
    }
  }
  await thread.close();
};
