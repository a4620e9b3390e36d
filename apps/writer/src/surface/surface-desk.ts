/** The desk of options and prediction markets: surfaces and signals from the venues' readings. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import { readSurfaces, StaleTokenError, type Store, writeSurfaces } from "@assay/db";
import type { Judgement } from "@assay/feeds";
import type { LeaseToken, Live } from "@assay/live";
import type { HorizonSurface, Observation, SourceInfo, SurfaceInput } from "@assay/pricing";
import type { SideDesk } from "../desks.ts";
import type { EventQueue } from "../moments/event-queue.ts";
import type { Thread } from "../threads/threads.ts";
import type { WriterLog } from "../writer-log.ts";
import { SignalDesk } from "./signal-desk.ts";
import { type MomentPrices, VenueBooks } from "./venue-books.ts";

/** The shortest time between two computations of a metal's surface. */
const COMPUTE_EVERY_MS = 60_000;
/** How far a venue's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 60_000;

interface SurfaceDeskParts {
  readonly store: Store;
  readonly live: Live;
  readonly writer: LeaseToken;
  readonly eventQueue: EventQueue;
  readonly log: WriterLog;
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly prices: MomentPrices;
  readonly computer: Thread<SurfaceInput, HorizonSurface[]>;
}

const retrievedMs = (observation: Observation): number => {
  if (observation.kind === "options") return observation.chain.retrievedAtMs;
  if (observation.kind === "markets") return Math.max(0, ...observation.markets.map(({ retrievedAtMs }) => retrievedAtMs));
  return observation.observedAtMs;
};

export class SurfaceDesk implements SideDesk {
  readonly kinds: SideDesk["kinds"] = new Set(["options", "markets"]);
  readonly #parts: SurfaceDeskParts;
  readonly #books: VenueBooks;
  readonly #signals: SignalDesk;
  /** Metals whose chains or books changed since their surface was last started. */
  readonly #changed = new Set<SurfaceMetal>();
  /** When each metal's surface was last started. */
  readonly #begunMs = new Map<SurfaceMetal, number>();
  /** Metals with a surface computed in this term. */
  readonly #known = new Set<SurfaceMetal>();
  readonly #ready = new Map<SurfaceMetal, readonly HorizonSurface[]>();
  #computing: Promise<void> | null = null;
  #begun = false;
  #ended = false;

  constructor(parts: SurfaceDeskParts) {
    this.#parts = parts;
    this.#books = new VenueBooks(parts.prices);
    this.#signals = new SignalDesk({ ...parts, books: this.#books });
  }

  judge(observation: Observation, nowMs: number): Judgement {
    const aheadMs = retrievedMs(observation) - nowMs;
    return aheadMs > CLOCK_SKEW_MS ? { ok: false, rule: "clock_skew", detail: `${aheadMs} ms ahead` } : { ok: true };
  }

  take(observations: readonly Observation[], atMs: number): void {
    this.#books.pass(atMs);
    for (const observation of observations) {
      if (observation.kind === "options") {
        this.#books.takeChain(observation, atMs);
        this.#changed.add(observation.chain.metal);
      } else if (observation.kind === "markets") {
        const validForMs = observation.validForMs ?? this.#parts.sources.get(observation.source)?.freshForMs ?? 0;
        const metal = this.#books.takeBooks(observation, validForMs, atMs);
        if (!metal) continue;
        this.#changed.add(metal);
        this.#signals.changed(metal);
      }
    }
  }

  /** Restores the signals published before. If no surface was ever stored, the first is computed before requests are served. */
  async begin(nowMs: number): Promise<void> {
    const { store, eventQueue, log } = this.#parts;
    await this.#signals.begin(nowMs);
    this.#begun = true;
    for (const metal of SURFACE_METALS) {
      try {
        const stored = await readSurfaces(store, metal, nowMs);
        // The stored surface is kept until every venue has had time to report: half of them would make a poorer surface.
        if (stored.length > 0) this.#begunMs.set(metal, nowMs);
        else if (this.#books.has(metal)) {
          await this.#compute(metal, nowMs);
          await this.#store(nowMs);
        }
      } catch (error) {
        if (error instanceof StaleTokenError) throw error;
        log.fault(error, "failed to load stored surfaces; recomputing them");
      }
      // What the previous writer stored but could not publish.
      eventQueue.put({ kind: "surfaces-replaced", metal });
    }
  }

  async flush(atMs: number): Promise<void> {
    if (!this.#begun) return;
    await this.#signals.flush(atMs);
    await this.#store(atMs);
    this.#next(atMs);
  }

  /** Starts the surface that has waited longest, unless one is in progress. */
  #next(atMs: number): void {
    if (this.#computing || this.#ended) return;
    const begunMs = (metal: SurfaceMetal): number => this.#begunMs.get(metal) ?? Number.NEGATIVE_INFINITY;
    const [metal] = [...this.#changed]
      .filter((each) => atMs - begunMs(each) >= COMPUTE_EVERY_MS && this.#books.suffice(each, atMs))
      .sort((a, b) => begunMs(a) - begunMs(b));
    if (metal === undefined) return;
    this.#computing = this.#compute(metal, atMs).finally(() => {
      this.#computing = null;
    });
  }

  /** Computes a metal's surface for storing; never rejects. */
  async #compute(metal: SurfaceMetal, atMs: number): Promise<void> {
    // The first surface of a term uses everything available, since it is unknown what the previous term left out.
    const input = this.#books.surfaceInput(metal, atMs, !this.#known.has(metal));
    if (!input) return;
    this.#begunMs.set(metal, atMs);
    this.#known.add(metal);
    this.#changed.delete(metal);
    try {
      const surfaces = await this.#parts.computer.ask(input);
      // If no surface can be made of the quotes, as overnight, the stored one stays.
      if (surfaces.length > 0) this.#ready.set(metal, surfaces);
    } catch (error) {
      if (this.#ended) return;
      this.#changed.add(metal);
      this.#parts.log.fault(error, `failed to compute the surface of ${metal}; retrying`);
    }
  }

  /** Stores what was computed and makes readers load it. What cannot be stored waits for the next moment. */
  async #store(atMs: number): Promise<void> {
    const { store, writer, eventQueue, log } = this.#parts;
    for (const [metal, surfaces] of [...this.#ready]) {
      try {
        await writeSurfaces(store, writer, surfaces, atMs);
      } catch (error) {
        if (error instanceof StaleTokenError) throw error;
        log.fault(error, `failed to store the surface of ${metal}; retrying`);
        return;
      }
      if (this.#ready.get(metal) === surfaces) this.#ready.delete(metal);
      eventQueue.put({ kind: "surfaces-replaced", metal });
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#parts.computer.close();
    await this.#computing;
  }
}
