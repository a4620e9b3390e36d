/**
 * What holds across answers: a price is the same on every route and in every currency, a conversion and back is 1, and a rotation is
 * repeated under its Idempotency-Key. What one answer says of itself is for the rules.
 */
import { CONVERT_METALS, CURRENCIES, contract, type Route } from "@assay/contract";
import { Decimal, minorUnits } from "@assay/pricing";
import type { Input } from "../inputs/sample.ts";
import { figureIn, halfUlp, halfUp, pricePlaces } from "../rules/row.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import type { Attempt, Claim, Family } from "./claim.ts";

/** Prices change about every second, and two requests take far less. */
const TRIES = 8;

/** A figure of an answer. @throws NotChecked when it is missing; the body rule reports that */
const figureOf = (exchange: Exchange, name: string): Decimal => {
  const figure = figureIn(fieldsOf(exchange.json), name);
  if (figure === null) throw new NotChecked(`the answer has no figure ${name}`);
  return figure;
};

/** The instant an answer gives, in whichever field it has. */
const momentOf = (exchange: Exchange): unknown => {
  const { computed_at: computedAt, timestamp, symbols } = fieldsOf(exchange.json);
  return computedAt ?? timestamp ?? (Array.isArray(symbols) ? fieldsOf(symbols[0]).computed_at : undefined);
};

/** Asks a route and another for what both say of one moment. @throws NotChecked when they never agree on it */
const ofOneMoment = async (it: Attempt, input: Input, other: Route, otherInput: Input, tries = TRIES) => {
  const caller = await it.trial.main();
  for (; tries > 0; tries -= 1) {
    const answer = await it.ask({ caller, input, priority: PRIORITY.invariant });
    const beside = await it.world.service.route(other, { caller, input: otherInput, priority: PRIORITY.invariant });
    if (beside.status === 429) throw new NotChecked("a rate limit in between");
    if (momentOf(answer) === momentOf(beside)) return [answer, beside] as const;
  }
  throw new NotChecked("the price changed between the requests every time");
};

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
/** Two rates of 18 significant digits multiplied are off by two units of the eighteenth. */
const RATE_TOLERANCE = new Decimal("4e-17");
/** How often a round trip is tried: the rate may change between its two requests without a visible sign. */
const ROUND_TRIPS = 5;

const thereAndBack = ([from, to]: (typeof PAIRS)[number]): Claim => ({
  group: "invariants",
  title: `${from} to ${to} and back is 1`,
  why: "1, apart from the rounding of each rate to 18 digits",
  check: async (it) => {
    const ways = [
      { from, to, amount: "12.5" },
      { from: to, to: from, amount: "12.5" },
    ] as const;
    for (let tries = 1; ; tries += 1) {
      const both: Exchange[] = [];
      // Two currencies are each dated by their own `to` leg, so their instants may differ.
      if (from === "USD") for (const input of ways) both.push(await it.ask({ input, priority: PRIORITY.invariant }));
      else both.push(...(await ofOneMoment(it, ways[0], it.route, ways[1])));
      if (!both.every((each) => it.expect(each, "success", "both are convertible"))) return;
      const product = both.map((each) => figureOf(each, "rate")).reduce((one, other) => one.mul(other));
      if (product.minus(1).abs().lte(RATE_TOLERANCE)) return;
      if (tries >= ROUND_TRIPS) return it.fault(`the two rates multiply to ${product.toFixed(20)}`, both[1]);
    }
  },
});

/** One currency of each number of decimals, none of them that of the prices themselves. */
const QUOTED = [...new Map(CURRENCIES.filter((code) => code !== "USD").map((code) => [minorUnits(code), code])).values()];

/** What an answer in a currency says besides the dollars of the same moment, times its rate. */
const currencyFaults = (made: Exchange, dollars: Exchange): string[] => {
  const [said, row] = [fieldsOf(made.json), fieldsOf(dollars.json)];
  const [whole, rate, price] = [figureOf(made, "price_usd"), figureOf(made, "fx_rate"), figureOf(dollars, "price")];
  const shown = halfUp(whole, pricePlaces(whole));
  const stated = figureIn(said, "rate");
  const exact = whole.mul(rate).toSignificantDigits(18);
  const sides = ["bid", "ask"].flatMap((side) => {
    const [figure, of] = [figureIn(said, side), figureIn(row, side)];
    if (!figure || !of) return [];
    const error = halfUlp(row, side).mul(rate).plus(halfUlp(said, side));
    return figure.minus(of.mul(rate)).abs().lte(error) ? [] : [`${side} is ${figure}, and ${of} × ${rate} makes ${of.mul(rate)}`];
  });
  return [
    ...(shown.eq(price) ? [] : [`price_usd is ${whole}, and the price in dollars ${price}`]),
    ...(stated === null || stated.eq(exact) ? [] : [`rate is ${stated}, and ${whole} × ${rate} makes ${exact}`]),
    ...sides,
  ];
};

const inCurrencies = (inputIn: (currency: string) => Input): Claim => ({
  group: "invariants",
  title: "a price in a currency is a price × fx_rate",
  why: "it is the price in dollars of the same moment × fx_rate, rounded once",
  check: async (it) => {
    for (const currency of QUOTED) {
      const input = { ...inputIn(currency), include: "sources" };
      const [made, dollars] = await ofOneMoment(it, input, contract.spot.get, { symbol: "XAU-USD-SPOT" });
      if (!it.expect(made, "success", "it is a quote currency") || fieldsOf(made.json).fx_rate === undefined) continue;
      it.faults(currencyFaults(made, dollars), made);
    }
  },
});

const listed = (symbol: string): Claim => ({
  group: "invariants",
  title: `the row of ${symbol} equals the one in the list`,
  why: "every route has the same price",
  check: async (it) => {
    const asked = { symbol, include: "karat" };
    const [row, list] = await ofOneMoment(it, asked, contract.prices.list, asked);
    const why = `${symbol} is served on every tier`;
    if (!it.expect(row, "success", why) || !it.expect(list, "success", why, contract.prices.list)) return;
    const said = JSON.stringify([fieldsOf(list.json).symbols].flat()[0]);
    if (JSON.stringify(row.json) !== said) it.fault(`the row differs from the one in the list: ${said?.slice(0, 200)}`, row);
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
  [`GET ${contract.spot.get.path}`]: [
    ...["XAU-USD-SPOT", "XAU-JPY-SPOT"].map(listed),
    inCurrencies((currency) => ({ symbol: `XAU-${currency}-SPOT` })),
  ],
  [`GET ${contract.convert.get.path}`]: [...PAIRS.map(thereAndBack), inCurrencies((to) => ({ from: GOLD, to }))],
  [`GET ${contract.carat.get.path}`]: [inCurrencies((currency) => ({ currency }))],
  [`POST ${contract.account.mintKey.path}`]: [rotation],
};

/** What holds across the answers of a route, and of others. */
export const invariantClaims: Family = ({ method, path }) => CLAIMS[`${method} ${path}`] ?? [];
