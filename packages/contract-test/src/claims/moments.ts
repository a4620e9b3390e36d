/** Figures of answers, and answers of one moment: prices change about every second. */
import { Decimal } from "@assay/pricing";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";

/**
 * Reads a figure of an answer.
 * @throws NotChecked when it is missing; the body rule reports that
 */
export const figureOf = (exchange: Exchange, name: string): Decimal => {
  const value = fieldsOf(exchange.json)[name];
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value)) throw new NotChecked(`the answer has no figure ${name}`);
  return new Decimal(value);
};

/** A price changes about every second, and two requests take far less. */
export const TRIES = 8;

/** The instant an answer gives, in whichever field it has. */
const momentOf = (exchange: Exchange): unknown => {
  const { computed_at: computedAt, timestamp, symbols } = fieldsOf(exchange.json);
  return computedAt ?? timestamp ?? (Array.isArray(symbols) ? fieldsOf(symbols[0]).computed_at : undefined);
};

/**
 * Repeats requests until all answers give the same instant.
 * @param ask makes all requests, one after the other
 * @throws NotChecked when they never agree
 */
export const ofOneMoment = async <T extends readonly Exchange[]>(ask: () => Promise<T>): Promise<T> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answers = await ask();
    if (new Set(answers.map(momentOf)).size <= 1) return answers;
  }
  throw new NotChecked("the price changed between the requests every time");
};
