/** One process's surfaces and signals: loaded once, and kept up to date by the bus. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/contract";
import { readSurfaces, type Store } from "@assay/db";
import { type LatestPort, type MarketEvent, readSignals, SIGNALS_LAST_MS, type SignalSet } from "@assay/live";
import type { ArbitrageSignal, HorizonSurface } from "@assay/pricing";
import type { SurfaceView } from "./surface-view.ts";

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

  /** Reloads a metal's surfaces. */
  async reload(metal: SurfaceMetal, nowMs: number): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const surfaces = await readSurfaces(this.#store, metal, nowMs);
    if (turn < (this.#kept.get(metal) ?? 0)) return;
    this.#kept.set(metal, turn);
    this.#surfaces.set(metal, surfaces);
  }

  /** Applies an event from the bus. */
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
