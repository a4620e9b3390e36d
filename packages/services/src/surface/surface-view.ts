/** The interface to the surfaces and signals one process knows. */
import type { SurfaceMetal } from "@assay/contract";
import type { ArbitrageSignal, HorizonSurface } from "@assay/pricing";

/** What the surface and signal verbs need. */
export interface SurfaceView {
  /** The newest surface of every horizon not yet past, by date, however old; empty when there is none. */
  horizons(metal: SurfaceMetal, nowMs: number): readonly HorizonSurface[];
  /** The current edges, largest first. */
  signals(metal: SurfaceMetal, nowMs: number): readonly ArbitrageSignal[];
}
