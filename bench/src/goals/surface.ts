/** P14: a whole probability surface. */
import { DAY_MS } from "@assay/contract";
import { probabilitySurface } from "@assay/pricing";
import { simulatedBooks, simulatedOptions } from "@assay/simulator";
import type { Bench, BenchContext } from "../bench.ts";
import { median } from "../measure/statistics.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const EXPIRIES = 25;
/** Strikes to either side of the money, calls and puts of each; those of late expiries below zero are omitted. */
const STRIKES = 65;
const ROUNDS = 7;

const timed = (work: () => void): number => {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
};

const measureSurface = ({ report }: BenchContext): void => {
  const expiries = Array.from(
    { length: EXPIRIES },
    (_, index) => AT_MS + Math.round(7 * DAY_MS * 1.2 ** (index ** 0.9)) + DAY_MS * index,
  );
  const chain = simulatedOptions("xau", AT_MS, 1, { expiries, strikes: STRIKES });
  const markets = simulatedBooks("xau", AT_MS, 1);
  const quotes = chain.expiries.reduce((sum, expiry) => sum + expiry.quotes.length, 0);
  const input = { metal: "xau", spotUsdPerOzt: chain.spotUsdPerOzt, chains: [chain], markets, nowMs: AT_MS } as const;
  const rounds: number[] = [];
  let horizons = 0;
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    const tookMs = timed(() => {
      horizons = probabilitySurface(input).length;
    });
    if (round >= 2) rounds.push(tookMs);
  }
  report({
    id: "P14",
    what: "probability surface of a whole option chain and its prediction markets",
    figure: median(rounds),
    unit: "ms",
    goal: { atMost: 1_000 },
    raw: `${quotes} quotes over ${EXPIRIES} expiries, ${markets.length} books, ${horizons} horizons`,
  });
};

/** The surface benchmark. */
export const surface: Bench = {
  ids: ["P14"],
  run: async (context) => measureSurface(context),
};
