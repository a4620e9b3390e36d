/**
 * Conversions: a round trip multiplies to 1, a result is amount times rate at its own precision, and karat prices follow spot.
 */
import { contract, GRAM_FIELDS, KARATS } from "@assay/contract";
import { Decimal, MINOR_UNITS } from "@assay/pricing";
import { expectAnswer } from "../expectation.ts";
import type { RouteTrial } from "../route-trial.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import { figureOf, halfPlace, halfUlp } from "./figures.ts";
import { ofOneMoment } from "./same-moment.ts";

const PAIRS: readonly (readonly [from: string, to: string])[] = [
  ["XAU", "EUR"],
  ["XAU", "XAG"],
  ["XAG", "JPY"],
  ["USD", "INR"],
];
/** A rate has up to 18 significant digits; two of them multiplied are off by two units of the eighteenth. */
const RATE_TOLERANCE = new Decimal("4e-17");
const GRAMS_PER_OZT = new Decimal("31.1034768");
const METAL_PLACES = 6;
const KARAT_PLACES = 4;

const placesOf = (code: string): number =>
  Object.hasOwn(MINOR_UNITS, code) ? MINOR_UNITS[code as keyof typeof MINOR_UNITS] : METAL_PLACES; // an own key, checked above

const askBothWays = (trial: RouteTrial, from: string, to: string): Promise<readonly [Exchange, Exchange]> =>
  // Two currencies are each dated by their own `to` leg, so their instants may differ.
  (from === "USD" ? <T>(ask: () => Promise<T>) => ask() : ofOneMoment)(async () => {
    const there = await trial.ask({ input: { from, to, amount: "12.5" }, priority: PRIORITY.invariant });
    return [there, await trial.ask({ input: { from: to, to: from, amount: "12.5" }, priority: PRIORITY.invariant })] as const;
  });

const TRIES = 5;

const checkThereAndBack = (trial: RouteTrial, from: string, to: string): Promise<void> =>
  trial.check("invariants", `${from} to ${to} and back is 1`, async (tell) => {
    for (let tries = 1; ; tries += 1) {
      const [there, back] = await askBothWays(trial, from, to);
      if (!expectAnswer(tell, trial.route, there, "success", "both are convertible")) return;
      if (!expectAnswer(tell, trial.route, back, "success", "both are convertible")) return;
      const product = figureOf(there, "rate").mul(figureOf(back, "rate"));
      if (product.minus(1).abs().lte(RATE_TOLERANCE)) return;
      // The rate may have changed between the two without a visible sign.
      if (tries < TRIES) continue;
      return tell(
        `the two rates multiply to ${product.toFixed(20)}`,
        "1, apart from the rounding of each rate to 18 digits",
        back,
      );
    }
  });

const checkResult = (trial: RouteTrial): Promise<void> =>
  trial.check("invariants", "a result is amount × rate", async (tell) => {
    for (const [from, to] of PAIRS) {
      const exchange = await trial.ask({ input: { from, to, amount: "12.5" }, priority: PRIORITY.invariant });
      if (!expectAnswer(tell, trial.route, exchange, "success", "both are convertible")) continue;
      const result = figureOf(exchange, "result");
      const exact = figureOf(exchange, "amount").mul(figureOf(exchange, "rate"));
      const places = placesOf(to);
      if (result.decimalPlaces() > places) tell(`${to} has ${result.decimalPlaces()} decimals`, `${places} decimals`, exchange);
      const off = result.minus(exact).abs();
      const most = halfPlace(places).plus(exact.abs().mul(RATE_TOLERANCE));
      if (off.gt(most)) tell(`result is ${result}, amount × rate ${exact}`, `rounded half up to ${places} decimals`, exchange);
    }
  });

/** Checks conversions. */
export const checkConversion = async (trial: RouteTrial): Promise<void> => {
  if (trial.route.path !== contract.convert.get.path) return;
  for (const [from, to] of PAIRS) await checkThereAndBack(trial, from, to);
  await checkResult(trial);
};

/** Checks karat prices against spot. */
export const checkKarat = (trial: RouteTrial): Promise<void> => {
  if (trial.route.path !== contract.carat.get.path) return Promise.resolve();
  return trial.check("invariants", "karat prices follow spot", async (tell) => {
    const caller = trial.main();
    for (const currency of ["USD", "KRW"]) {
      const [karat, spot] = await ofOneMoment(async () => {
        const one = await trial.ask({ input: { currency }, priority: PRIORITY.invariant });
        const asked = { input: { symbol: `XAU-${currency}-SPOT` }, caller, priority: PRIORITY.invariant };
        return [one, await trial.run.service.route(contract.spot.get, asked)] as const;
      });
      if (spot.status === 429) throw new NotChecked("a rate limit in between");
      if (!expectAnswer(tell, trial.route, karat, "success", "the currency is one of the 31")) continue;
      const perGram = figureOf(spot, "price").div(GRAMS_PER_OZT);
      const most = halfUlp(spot, "price").div(GRAMS_PER_OZT).plus(halfPlace(KARAT_PLACES));
      KARATS.forEach((parts, index) => {
        const field = GRAM_FIELDS[index] ?? "";
        const expected = perGram.mul(parts).div(24);
        const off = figureOf(karat, field).minus(expected).abs();
        if (off.gt(most)) tell(`${field} in ${currency} is off by ${off.toFixed(6)}`, `spot / 31.1034768 × ${parts}/24`, karat);
      });
    }
  });
};
