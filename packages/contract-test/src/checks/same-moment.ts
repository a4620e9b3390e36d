/** Gets answers of the same instant: repeats the requests until no price changed in between. */
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";

/** A price changes about every second, and two requests take far less. */
const TRIES = 8;

/** The instant an answer gives, in whichever field it has. */
export const momentOf = (exchange: Exchange): unknown => {
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
