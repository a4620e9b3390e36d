/** Signals: computed when books change or expire, stored in `latest`, and published. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import { type LeaseToken, type Live, readSignals, SIGNALS_LAST_MS, type SignalSet, signalsKey } from "@assay/live";
import { type ArbitrageSignal, arbitrageSignals } from "@assay/pricing";
import type { EventQueue } from "../moments/event-queue.ts";
import type { WriterLog } from "../writer-log.ts";
import type { VenueBooks } from "./venue-books.ts";

/** How often current edges are republished: readers do not trust a silent writer. */
const REPUBLISH_EVERY_MS = SIGNALS_LAST_MS / 4;

interface SignalDeskParts {
  readonly live: Live;
  readonly writer: LeaseToken;
  readonly eventQueue: EventQueue;
  readonly log: WriterLog;
  readonly books: VenueBooks;
}

class MetalSignals {
  known: readonly ArbitrageSignal[] = [];
  /** What the previous term published, until every venue has had time to report again. */
  inherited: readonly ArbitrageSignal[] = [];
  inheritedUntilMs = Number.NEGATIVE_INFINITY;
  hasChanged = true;
  /** When the first of the underlying books expires. */
  untilMs = Number.POSITIVE_INFINITY;
  publishedMs = Number.NEGATIVE_INFINITY;
}

export class SignalDesk {
  readonly #parts: SignalDeskParts;
  readonly #metals = new Map(SURFACE_METALS.map((metal) => [metal, new MetalSignals()]));

  constructor(parts: SignalDeskParts) {
    this.#parts = parts;
  }

  /** Records that books of a metal changed. */
  changed(metal: SurfaceMetal): void {
    const signals = this.#metals.get(metal);
    if (signals) signals.hasChanged = true;
  }

  /** Restores what was published before, so that an edge that still exists keeps its `detected_at`. */
  async begin(nowMs: number): Promise<void> {
    for (const [metal, signals] of this.#metals) {
      try {
        const published = await readSignals(this.#parts.live.latest, metal);
        if (!published || nowMs - published.atMs > SIGNALS_LAST_MS) continue;
        signals.inherited = published.signals;
        signals.inheritedUntilMs = nowMs + SIGNALS_LAST_MS;
      } catch (error) {
        this.#parts.log.fault(error, "failed to load previous signals; detected_at restarts");
      }
    }
  }

  /** Computes the signals whose books changed or expired, and publishes the result. */
  async flush(atMs: number): Promise<void> {
    for (const [metal, signals] of this.#metals) {
      if (signals.hasChanged || atMs >= signals.untilMs) this.#compute(metal, signals, atMs);
      const isNews = signals.publishedMs === Number.NEGATIVE_INFINITY;
      if (isNews || (signals.known.length > 0 && atMs - signals.publishedMs >= REPUBLISH_EVERY_MS))
        await this.#publish(metal, signals, atMs);
    }
  }

  #compute(metal: SurfaceMetal, signals: MetalSignals, atMs: number): void {
    const { markets, newestMs, untilMs } = this.#parts.books.standing(metal, atMs);
    const inherited = atMs < signals.inheritedUntilMs ? signals.inherited : [];
    // An edge exists since the newest books arrived.
    const found = arbitrageSignals(markets, newestMs, [...inherited, ...signals.known]);
    if (JSON.stringify(found) !== JSON.stringify(signals.known)) signals.publishedMs = Number.NEGATIVE_INFINITY;
    signals.known = found;
    signals.untilMs = untilMs;
    signals.hasChanged = false;
  }

  async #publish(metal: SurfaceMetal, signals: MetalSignals, atMs: number): Promise<void> {
    const { live, writer, eventQueue, log } = this.#parts;
    const { token } = writer;
    const set: SignalSet = { metal, signals: signals.known, atMs };
    signals.publishedMs = atMs;
    eventQueue.put({ kind: "signals", token, ...set });
    try {
      await live.latest.put(signalsKey(metal), JSON.stringify(set), { token, atMs });
    } catch (error) {
      log.fault(error, "failed to store signals; retrying on the next publish");
    }
  }
}
