/** The surfaces and signals one process knows. */
import type { SurfaceMetal } from "@assay/contract";
import type { ArbitrageSignal, HorizonSurface } from "@assay/pricing";

/** What the surface and signal verbs read. */
export interface SurfaceView {
  /** The newest surface of every live horizon, by date, however old; empty when there was none yet. */
  horizons(metal: SurfaceMetal): readonly HorizonSurface[];
  /** The edges that stand now, largest first. */
  signals(metal: SurfaceMetal): readonly ArbitrageSignal[];
}
