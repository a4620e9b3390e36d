/**
 * What holds across answers: a price is the same on every route, a conversion and back is 1, karat prices follow spot, and a
 * rotation is repeated under its Idempotency-Key.
 */
import { CONVERT_METALS, CURRENCIES, contract, GRAM_FIELDS, KARATS } from "@assay/contract";
import { Decimal, METAL_DECIMALS, minorUnits } from "@assay/pricing";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import { figureOf, ofOneMoment } from "./moments.ts";

/** Half of the last decimal place of a written figure: its largest rounding error. */
const halfUlp = (exchange: Exchange, name: string): Decimal =>
  new Decimal(10).pow(-figureOf(exchange, name).decimalPlaces()).div(2);

/** Half a unit of the last place: the largest error of a figure rounded to that many decimals. */
const halfPlace = (decimals: number): Decimal => new Decimal(10).pow(-decimals).div(2);

const [GOLD = "", ...OTHERS] = CONVERT_METALS;
/** One currency of each number of decimals. */
const CURRENCY_BY_DECIMALS = new Map(CURRENCIES.map((code) => [minorUnits(code), code]));
/** Metals into currencies, gold into the other metals, and two currencies. */
const PAIRS: readonly (readonly [from: string, to: string])[] = [
  ...[...CURRENCY_BY_DECIMALS.values()].map(
    (code, place) => [CONVERT_METALS[place % CONVERT_METALS.length] ?? GOLD, code] as const,
  ),
  ...OTHERS.map((metal) => [GOLD, metal] as const),
  ["USD", "INR"],
];
/** A rate has up to 18 significant digits; two of them multiplied are off by two units of the eighteenth. */
const RATE_TOLERANCE = new Decimal("4e-17");
const GRAMS_PER_OZT = new Decimal("31.1034768");
const KARAT_PLACES = 4;

/**
 * Decimals of a conversion's result.
 * @param code of a currency or a metal
 */
export const placesOf = (code: string): number => {
  const currency = CURRENCIES.find((each) => each === code);
  return currency === undefined ? METAL_DECIMALS : minorUnits(currency);
};

const convert = (it: Attempt, from: string, to: string): Promise<Exchange> =>
  it.ask({ input: { from, to, amount: "12.5" }, priority: PRIORITY.invariant });

const askBothWays = (it: Attempt, from: string, to: string): Promise<readonly [Exchange, Exchange]> =>
  // Two currencies are each dated by their own `to` leg, so their instants may differ.
  (from === "USD" ? <T>(ask: () => Promise<T>) => ask() : ofOneMoment)(
    async () => [await convert(it, from, to), await convert(it, to, from)] as const,
  );

/** How often a round trip is tried: the rate may change between its two requests. */
const ROUND_TRIPS = 5;

const thereAndBack = ([from, to]: (typeof PAIRS)[number]): Claim => ({
  group: "invariants",
  title: `${from} to ${to} and back is 1`,
  why: "1, apart from the rounding of each rate to 18 digits",
  check: async (it) => {
    for (let tries = 1; ; tries += 1) {
      const [there, back] = await askBothWays(it, from, to);
      if (![there, back].every((each) => it.expect(each, "success", "both are convertible"))) return;
      const product = figureOf(there, "rate").mul(figureOf(back, "rate"));
      if (product.minus(1).abs().lte(RATE_TOLERANCE)) return;
      // The rate may have changed between the two without a visible sign.
      if (tries >= ROUND_TRIPS) return it.fault(`the two rates multiply to ${product.toFixed(20)}`, back);
    }
  },
});

const product: Claim = {
  group: "invariants",
  title: "a result is amount × rate",
  why: "rounded half up to the decimals of the currency or metal",
  check: async (it) => {
    for (const [from, to] of PAIRS) {
      const exchange = await convert(it, from, to);
      if (!it.expect(exchange, "success", "both are convertible")) continue;
      const result = figureOf(exchange, "result");
      const exact = figureOf(exchange, "amount").mul(figureOf(exchange, "rate"));
      const places = placesOf(to);
      if (result.decimalPlaces() > places) it.fault(`${to} has ${result.decimalPlaces()} decimals, not ${places}`, exchange);
      const off = result.minus(exact).abs();
      const most = halfPlace(places).plus(exact.abs().mul(RATE_TOLERANCE));
      if (off.gt(most)) it.fault(`result is ${result}, amount × rate ${exact}`, exchange);
    }
  },
};

const karats: Claim = {
  group: "invariants",
  title: "karat prices follow spot",
  why: "a gram of a karat is spot / 31.1034768 × parts/24",
  check: async (it) => {
    const caller = await it.trial.main();
    for (const currency of ["USD", "KRW"]) {
      const [karat, spot] = await ofOneMoment(async () => {
        const one = await it.ask({ input: { currency }, priority: PRIORITY.invariant });
        const asked = { input: { symbol: `XAU-${currency}-SPOT` }, caller, priority: PRIORITY.invariant };
        return [one, await it.world.service.route(contract.spot.get, asked)] as const;
      });
      if (spot.status === 429) throw new NotChecked("a rate limit in between");
      if (!it.expect(karat, "success", "the currency is a quote currency")) continue;
      const perGram = figureOf(spot, "price").div(GRAMS_PER_OZT);
      const most = halfUlp(spot, "price").div(GRAMS_PER_OZT).plus(halfPlace(KARAT_PLACES));
      KARATS.forEach((parts, index) => {
        const field = GRAM_FIELDS[index] ?? "";
        const off = figureOf(karat, field).minus(perGram.mul(parts).div(24)).abs();
        if (off.gt(most)) it.fault(`${field} in ${currency} is off by ${off.toFixed(6)}`, karat);
      });
    }
  },
};

const SYMBOLS = ["XAU-USD-SPOT", "XAU-JPY-SPOT"];

const rowOf = (list: Exchange): unknown => {
  const { symbols } = fieldsOf(list.json);
  return Array.isArray(symbols) ? symbols[0] : undefined;
};

const listed = (symbol: string): Claim => ({
  group: "invariants",
  title: `the row of ${symbol} equals the one in the list`,
  why: "every route has the same price",
  check: async (it) => {
    const caller = await it.trial.main();
    const { list: listRoute } = contract.prices;
    const asked = { input: { symbol, include: "karat" }, caller, priority: PRIORITY.invariant };
    const [row, list] = await ofOneMoment(
      async () => [await it.ask(asked), await it.world.service.route(listRoute, asked)] as const,
    );
    if (list.status === 429) throw new NotChecked("a rate limit in between");
    const why = `${symbol} is served on every tier`;
    if (!it.expect(row, "success", why) || !it.expect(list, "success", why, listRoute)) return;
    if (JSON.stringify(row.json) === JSON.stringify(rowOf(list))) return;
    it.fault(`the row differs from the one in the list: ${JSON.stringify(rowOf(list))?.slice(0, 200)}`, row);
  },
});

/** The calling key stops authenticating a day later. */
const rotation: Claim = {
  group: "invariants",
  title: "a retry rotates once",
  why: "the same Idempotency-Key and body get the same response for 24 hours",
  check: async (it) => {
    const caller = await it.trial.main();
    const headers = { "idempotency-key": `contract-test-${it.world.seed}-${Date.now()}` };
    const input = { name: "contract-test" };
    const first = await it.ask({ caller, input, headers });
    if (!it.expect(first, "success", "a key rotates itself")) return;
    const again = await it.ask({ caller, input, headers });
    if (again.text !== first.text) it.fault("the retry got a different response", again);
    const other = await it.ask({ caller, input: { name: "another" }, headers });
    it.expect(other, { code: "validation_error" }, "the same Idempotency-Key with another body is refused");
    const second = await it.trial.askAnyway({ caller, input });
    it.expect(second, { code: "key_in_grace" }, "a key that was replaced changes nothing");
  },
};

const CLAIMS: Readonly<Record<string, readonly Claim[]>> = {
  [`GET ${contract.spot.get.path}`]: SYMBOLS.map(listed),
  [`GET ${contract.convert.get.path}`]: [...PAIRS.map(thereAndBack), product],
  [`GET ${contract.carat.get.path}`]: [karats],
  [`POST ${contract.account.mintKey.path}`]: [rotation],
};

/** What holds across the answers of a route, and of others. */
export const invariantClaims: Family = ({ method, path }) => CLAIMS[`${method} ${path}`] ?? [];
