/** P14 and P15: a whole probability surface, and the premiums of all dealers for one tick. */
import { DAY_MS } from "@assay/contract";
import { EMPTY_FX, fxRate, premiumOf, probabilitySurface, spotPerGram, validateDealerQuote, withFx } from "@assay/pricing";
import { simulatedBooks, simulatedDealers, simulatedFx, simulatedOptions, simulatedPrice } from "@assay/simulator";
import type { Bench, BenchContext } from "../bench.ts";
import { median } from "../measure/statistics.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const EXPIRIES = 25;
/** Strikes to either side of the money, calls and puts of each; those of late expiries below zero are omitted. */
const STRIKES = 65;
const ROUNDS = 7;
const CURRENCIES = ["AED", "EGP", "NPR", "PKR", "SAR", "VND"];

const timed = (work: () => void): number => {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
};

const surface = ({ report }: BenchContext): void => {
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

const premiums = ({ report }: BenchContext): void => {
  const fx = withFx(EMPTY_FX, simulatedFx(AT_MS, 1, CURRENCIES));
  const quotes = simulatedDealers(AT_MS, 1);
  const ticks = Array.from({ length: 200 }, (_, second) => simulatedPrice("XAU-USD-SPOT", AT_MS + second * 1_000, 1));
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    const tookMs = timed(() => {
      for (const price of ticks) {
        for (const quote of quotes) {
          const rate = fxRate(fx, quote.currency, AT_MS);
          const spot = rate && spotPerGram(price, rate);
          premiumOf(quote, spot);
          validateDealerQuote(quote, { nowMs: AT_MS, freshForMs: DAY_MS, spot });
        }
      }
    });
    if (round >= 2) rounds.push(tookMs / ticks.length);
  }
  report({
    id: "P15",
    what: "premiums of all dealers for one tick, with their gate",
    figure: median(rounds),
    unit: "ms",
    goal: { atMost: 2 },
    raw: `${quotes.length} quotes of 12 countries, ${((median(rounds) / quotes.length) * 1_000).toFixed(0)} µs each`,
  });
};

/** The benchmarks of the surface and of physical premiums. */
export const surfaceAndPremiums: Bench = {
  ids: ["P14", "P15"],
  run: async (context) => {
    if (context.wants("P14")) surface(context);
    if (context.wants("P15")) premiums(context);
  },
};
