/** The surfaces and signals one process knows. */
import type { SurfaceMetal } from "@assay/contract";
import type { ArbitrageSignal, HorizonSurface } from "@assay/pricing";

/** What the surface and signal verbs read. */
export interface SurfaceView {
  /** The newest surface of every horizon that is not over, by date, however old; empty when there is none. */
  horizons(metal: SurfaceMetal, nowMs: number): readonly HorizonSurface[];
  /** The edges that stand now, largest first. */
  signals(metal: SurfaceMetal, nowMs: number): readonly ArbitrageSignal[];
}
