/** The desk of options and prediction markets: surfaces and signals from what the venues tell. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import { readSurfaces, StaleTokenError, type Store, writeSurfaces } from "@assay/db";
import type { Judgement } from "@assay/feeds";
import type { LeaseToken, Live } from "@assay/live";
import type { HorizonSurface, Observation, SourceInfo } from "@assay/pricing";
import type { Outbox } from "../outbox.ts";
import type { SideDesk } from "../side-desk.ts";
import type { WriterLog } from "../writer-log.ts";
import { SignalDesk } from "./signal-desk.ts";
import type { MomentPrices } from "./spot-trail.ts";
import type { SurfaceComputer } from "./surface-computer.ts";
import { VenueBooks } from "./venue-books.ts";

/** A metal's surface is computed anew this often at most. */
const COMPUTE_EVERY_MS = 60_000;
/** A venue's clock may be ahead of ours by this much. */
const CLOCK_SKEW_MS = 60_000;

/** What the desk works with. */
export interface SurfaceDeskParts {
  readonly store: Store;
  readonly live: Live;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
  readonly log: WriterLog;
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly prices: MomentPrices;
  readonly computer: SurfaceComputer;
}

const retrievedMs = (observation: Observation): number => {
  if (observation.kind === "options") return observation.chain.retrievedAtMs;
  if (observation.kind === "markets") return Math.max(0, ...observation.markets.map(({ retrievedAtMs }) => retrievedAtMs));
  return observation.observedAtMs;
};

/** The desk of a term. */
export class SurfaceDesk implements SideDesk {
  readonly kinds: SideDesk["kinds"] = new Set(["options", "markets"]);
  readonly #parts: SurfaceDeskParts;
  readonly #books: VenueBooks;
  readonly #signals: SignalDesk;
  /** Metals whose chains or books changed since their surface was begun. */
  readonly #changed = new Set<SurfaceMetal>();
  /** When each metal's surface was begun last. */
  readonly #begunMs = new Map<SurfaceMetal, number>();
  /** Metals of which a surface was computed in this term. */
  readonly #known = new Set<SurfaceMetal>();
  /** Surfaces that are still to be stored. */
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
        const standForMs = observation.standForMs ?? this.#parts.sources.get(observation.source)?.freshForMs ?? 0;
        const metal = this.#books.takeBooks(observation, standForMs, atMs);
        if (!metal) continue;
        this.#changed.add(metal);
        this.#signals.changed(metal);
      }
    }
  }

  /** Takes up the signals told before. Where no surface was ever stored, the first is computed before anybody is served. */
  async begin(nowMs: number): Promise<void> {
    const { store, outbox, log } = this.#parts;
    await this.#signals.begin(nowMs);
    this.#begun = true;
    for (const metal of SURFACE_METALS) {
      try {
        const stored = await readSurfaces(store, metal, nowMs);
        // What is stored stands until every venue had its time to tell: half of them would make a poorer surface.
        if (stored.length > 0) this.#begunMs.set(metal, nowMs);
        else if (this.#books.has(metal)) {
          await this.#compute(metal, nowMs);
          await this.#store(nowMs);
        }
      } catch (error) {
        if (error instanceof StaleTokenError) throw error;
        log.fault(error, "the stored surfaces cannot be read; they are computed anew");
      }
      // What the writer before had stored and could not tell any more.
      outbox.put({ kind: "surfaces-replaced", metal });
    }
  }

  async tell(atMs: number): Promise<void> {
    if (!this.#begun) return;
    await this.#signals.tell(atMs);
    await this.#store(atMs);
    this.#next(atMs);
  }

  /** Begins the surface that has waited longest, unless one is under way. */
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

  /** Computes a metal's surface, to be stored; never rejects. */
  async #compute(metal: SurfaceMetal, atMs: number): Promise<void> {
    // The first surface of a term is made from everything there is, since nobody knows what the term before had left out.
    const input = this.#books.surfaceInput(metal, atMs, !this.#known.has(metal));
    if (!input) return;
    this.#begunMs.set(metal, atMs);
    this.#known.add(metal);
    this.#changed.delete(metal);
    try {
      const surfaces = await this.#parts.computer.compute(input);
      // Nothing to be made of the quotes, as overnight, leaves what was stored.
      if (surfaces.length > 0) this.#ready.set(metal, surfaces);
    } catch (error) {
      if (this.#ended) return;
      this.#changed.add(metal);
      this.#parts.log.fault(error, `the surface of ${metal} could not be computed; it is tried again`);
    }
  }

  /** Stores what was computed and has readers read it. What cannot be stored waits for the next moment. */
  async #store(atMs: number): Promise<void> {
    const { store, writer, outbox, log } = this.#parts;
    for (const [metal, surfaces] of [...this.#ready]) {
      try {
        await writeSurfaces(store, writer, surfaces, atMs);
      } catch (error) {
        if (error instanceof StaleTokenError) throw error;
        log.fault(error, `the surface of ${metal} could not be stored; it waits`);
        return;
      }
      if (this.#ready.get(metal) === surfaces) this.#ready.delete(metal);
      outbox.put({ kind: "surfaces-replaced", metal });
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#parts.computer.close();
    await this.#computing;
  }
}
