/** Probability surfaces for tests: those of the simulated market. */
import { type ArbitrageSignal, arbitrageSignals, type HorizonSurface, probabilitySurface } from "@assay/pricing";
import { simulatedBooks, simulatedOptions } from "@assay/simulator";
import { FRIDAY_MS } from "./rows.ts";

type Metal = HorizonSurface["metal"];
const SEED = 1;

/** Every horizon of a metal at an instant. */
export const makeSurfaces = (metal: Metal = "xau", atMs: number = FRIDAY_MS): HorizonSurface[] => {
  const chain = simulatedOptions(metal, atMs, SEED);
  const markets = simulatedBooks(metal, atMs, SEED);
  return probabilitySurface({ metal, spotUsdPerOzt: chain.spotUsdPerOzt, chains: [chain], markets, nowMs: atMs });
};

const STRETCH_MS = 600_000;

/** The edges of the simulated market's first stretch that has any, dated at an instant. */
export const makeSignals = (metal: Metal = "xau", atMs: number = FRIDAY_MS): ArbitrageSignal[] => {
  for (let fromMs = atMs; ; fromMs += STRETCH_MS) {
    const edges = arbitrageSignals(simulatedBooks(metal, fromMs, SEED), fromMs);
    if (edges.length > 0) return edges.map((edge) => ({ ...edge, detectedAtMs: atMs }));
  }
};
