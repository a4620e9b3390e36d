/** A price in a currency is a price in dollars times a rate: an answer that names both can be recomputed from itself. */
import { Decimal } from "@assay/pricing";
import { type AnswerObject, objectsOf } from "./answer-objects.ts";
import { isSuccess, type Rule } from "./rule.ts";

const PLAIN = /^\d+(\.\d+)?$/;
const GRAMS_PER_OZT = "31.1034768";

/** Decimals of a price per unit of a metal, decided on the unrounded figure. */
export const pricePlaces = (figure: Decimal): number => (figure.gte(100) ? 2 : figure.gte(1) ? 4 : 6);

export const halfUp = (figure: Decimal, places: number): Decimal => figure.toDecimalPlaces(places, Decimal.ROUND_HALF_UP);

/** The figures of an answer that are made of its price, each from that price before it was rounded. */
const MADE: Readonly<Record<string, (price: Decimal) => Decimal>> = {
  price: (price) => halfUp(price, pricePlaces(price)),
  price_gram_24k: (price) => halfUp(price.div(GRAMS_PER_OZT), 4),
};

/** What is wrong with an object; null when it does not name what its price is made of. */
const faultsOf = (said: AnswerObject): string[] | null => {
  const { price_usd: dollars, fx_rate: rate = "1" } = said;
  if (typeof dollars !== "string" || !PLAIN.test(dollars) || typeof rate !== "string" || !PLAIN.test(rate)) return null;
  const exact = new Decimal(dollars).mul(rate);
  return Object.entries(MADE).flatMap(([field, from]) => {
    const { [field]: shown } = said;
    if (typeof shown !== "string" || !PLAIN.test(shown) || from(exact).eq(shown)) return [];
    return [`${field} is ${shown}, and ${dollars} × ${rate} makes ${from(exact)}`];
  });
};

/** The rule; it does not apply to answers that do not name what their prices are made of. */
export const product: Rule = {
  title: "price × rate",
  says: "price_usd × fx_rate, rounded once, is the price to its last digit",
  judge: (subject) => {
    if (!isSuccess(subject)) return null;
    const judged = objectsOf(subject.route, subject.exchange).map(faultsOf);
    return judged.every((each) => each === null) ? null : [...new Set(judged.flatMap((each) => each ?? []))];
  },
};
