/** One process's surfaces and signals: loaded once, and kept up to date by the bus. */
import { type FailWith, SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import { readSurfaces, type Store } from "@assay/db";
import { type LatestPort, type MarketEvent, readSignals, SIGNALS_LAST_MS, type SignalSet } from "@assay/live";
import { type ArbitrageSignal, defaultHorizon, type HorizonSurface } from "@assay/pricing";

export interface SurfaceView {
  /** The newest surface of every horizon not yet past, by date, however old; empty when there is none. */
  horizons(metal: SurfaceMetal, nowMs: number): readonly HorizonSurface[];
  /** The current edges, largest first. */
  signals(metal: SurfaceMetal, nowMs: number): readonly ArbitrageSignal[];
}

/** One process's surfaces and signals. */
export class SurfaceBook implements SurfaceView {
  readonly #store: Store;
  readonly #latest: LatestPort;
  readonly #surfaces = new Map<SurfaceMetal, readonly HorizonSurface[]>();
  /** Loads started, and the last one kept for each metal: of two concurrent loads the later one wins. */
  #begun = 0;
  readonly #kept = new Map<SurfaceMetal, number>();
  readonly #signals = new Map<SurfaceMetal, SignalSet>();

  constructor(options: { readonly store: Store; readonly latest: LatestPort }) {
    this.#store = options.store;
    this.#latest = options.latest;
  }

  /** Loads everything; signals stay unchanged when their engine is unavailable, since they are soon republished. */
  async load(nowMs: number): Promise<void> {
    for (const metal of SURFACE_METALS) {
      await this.reload(metal, nowMs);
      const known = await readSignals(this.#latest, metal).catch(() => null);
      if (known) this.#take(known);
    }
  }

  async reload(metal: SurfaceMetal, nowMs: number): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const surfaces = await readSurfaces(this.#store, metal, nowMs);
    if (turn < (this.#kept.get(metal) ?? 0)) return;
    this.#kept.set(metal, turn);
    this.#surfaces.set(metal, surfaces);
  }

  apply(event: MarketEvent): void {
    if (event.kind === "signals") this.#take(event);
  }

  #take({ metal, signals, atMs }: SignalSet): void {
    if (atMs >= (this.#signals.get(metal)?.atMs ?? 0)) this.#signals.set(metal, { metal, signals, atMs });
  }

  horizons(metal: SurfaceMetal, nowMs: number): readonly HorizonSurface[] {
    return (this.#surfaces.get(metal) ?? []).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  signals(metal: SurfaceMetal, nowMs: number): readonly ArbitrageSignal[] {
    const known = this.#signals.get(metal);
    return known && nowMs - known.atMs <= SIGNALS_LAST_MS ? known.signals : [];
  }
}

export interface LiveSurfaces {
  readonly metal: SurfaceMetal;
  readonly surfaces: readonly HorizonSurface[];
  /** The horizon that is shown when none is asked for. */
  readonly standard: string;
}

/**
 * The surfaces that a route was asked for.
 * @param text the metal, in either case
 * @param fail receives unknown_metal for one without surfaces, and not_found when there is none at the moment
 */
export const requireSurfaces = (
  view: SurfaceView,
  text: string,
  nowMs: number,
  fail: FailWith<"unknown_metal" | "not_found">,
): LiveSurfaces => {
  const lower = text.toLowerCase();
  const metal = SURFACE_METALS.find((each) => each === lower);
  if (!metal) return fail("unknown_metal", { message: `The metal is unknown; use one of ${SURFACE_METALS.join(", ")}.` });
  const surfaces = view.horizons(metal, nowMs);
  const standard = defaultHorizon(surfaces, nowMs);
  if (standard === null) return fail("not_found", { message: "There is no live surface of this metal." });
  return { metal, surfaces, standard };
};

/** Whole seconds since a surface's prices were retrieved, never below 0. */
export const snapshotAge = (retrievedAtMs: number, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - retrievedAtMs) / 1_000));
