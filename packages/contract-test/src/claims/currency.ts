/** A price in a currency is a price in dollars times a rate, both of one moment, and the answer holds what it takes to show it. */
import { CURRENCIES, contract, type Route } from "@assay/contract";
import { Decimal, minorUnits } from "@assay/pricing";
import { halfUp, pricePlaces } from "../rules/product.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import { figureOf, ofOneMoment } from "./moments.ts";

/** One currency of each number of decimals, none of them that of the prices themselves. */
const QUOTED = [...new Map(CURRENCIES.filter((code) => code !== "USD").map((code) => [minorUnits(code), code])).values()];

/** What a figure of a route is of the price in the currency. */
interface Made {
  readonly field: string;
  readonly of: string;
  /** The figure from the unrounded price, rounded as the route does. */
  readonly from: (price: Decimal) => Decimal;
}

const asPrice = (price: Decimal): Decimal => halfUp(price, pricePlaces(price));

const ROW: readonly Made[] = ["price", "bid", "ask"].map((field) => ({ field, of: field, from: asPrice }));
const RATE: readonly Made[] = [{ field: "rate", of: "price", from: (price) => price.toSignificantDigits(18) }];
const GRAM: readonly Made[] = [{ field: "price_gram_24k", of: "price", from: (price) => halfUp(price.div("31.1034768"), 4) }];

/** What is wrong with a figure: it must be one of those that the dollars, before they were rounded, make at the rate. */
const faultOf = (dollars: Exchange, made: Exchange, { field, of, from }: Made): string | null => {
  if (fieldsOf(dollars.json)[of] === undefined && fieldsOf(made.json)[field] === undefined) return null;
  const [price, rate, figure] = [figureOf(dollars, of), figureOf(made, "fx_rate"), figureOf(made, field)];
  const half = new Decimal(10).pow(-pricePlaces(price)).div(2);
  const [least, most] = [from(price.minus(half).mul(rate)), from(price.plus(half).mul(rate))];
  return figure.gte(least) && figure.lte(most) ? null : `${field} is ${figure}, and ${price} × ${rate} makes ${least} to ${most}`;
};

/** The answers in a currency and in dollars, of one moment. */
const askBoth = async (it: Attempt, input: Readonly<Record<string, string>>) => {
  const caller = await it.trial.main();
  const asked = (more: Readonly<Record<string, string>>) => ({ caller, priority: PRIORITY.invariant, input: more });
  const [made, dollars] = await ofOneMoment(async () => {
    const answer = await it.ask(asked({ ...input, include: "sources" }));
    return [answer, await it.world.service.route(contract.spot.get, asked({ symbol: "XAU-USD-SPOT" }))] as const;
  });
  if (dollars.status === 429) throw new NotChecked("a rate limit in between");
  return { made, dollars };
};

const inCurrencies = (inputIn: (currency: string) => Readonly<Record<string, string>>, figures: readonly Made[]): Claim => ({
  group: "invariants",
  title: "a price in a currency is a price × fx_rate",
  why: "it is the price in dollars of the same moment × fx_rate, rounded once",
  check: async (it: Attempt) => {
    for (const currency of QUOTED) {
      const { made, dollars } = await askBoth(it, inputIn(currency));
      if (!it.expect(made, "success", "it is a quote currency") || fieldsOf(made.json).fx_rate === undefined) continue;
      it.faults(
        figures.flatMap((each) => faultOf(dollars, made, each) ?? []),
        made,
      );
    }
  },
});

/** Routes that name the rate, as far as they do: the input in a currency, and the figures that are made with it. */
const NAMING: readonly (readonly [Route, (currency: string) => Readonly<Record<string, string>>, readonly Made[]])[] = [
  [contract.spot.get, (currency) => ({ symbol: `XAU-${currency}-SPOT` }), ROW],
  [contract.convert.get, (currency) => ({ from: "XAU", to: currency }), RATE],
  [contract.carat.get, (currency) => ({ currency }), GRAM],
];

/** Prices in currencies, on routes whose answers name the rate. */
export const currencyClaims: Family = (route) => {
  const naming = NAMING.find(([{ path }]) => path === route.path);
  if (!naming || !("include" in route.input.shape)) return [];
  const [, inputIn, figures] = naming;
  return [inCurrencies(inputIn, figures)];
};
