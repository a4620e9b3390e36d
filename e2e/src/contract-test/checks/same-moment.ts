/** Answers of the same moment: asked again until no price moved in between. */
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";

/** A price moves every second or so, and two requests take far less. */
const TRIES = 8;

/** The moment an answer tells of, in whichever field it has. */
export const momentOf = (exchange: Exchange): unknown => {
  const { computed_at: computedAt, timestamp, symbols } = fieldsOf(exchange.json);
  return computedAt ?? timestamp ?? (Array.isArray(symbols) ? fieldsOf(symbols[0]).computed_at : undefined);
};

/**
 * Asks for answers until all tell of the same moment.
 * @param ask asks for all of them, one after the other
 * @throws NotChecked when they never do
 */
export const ofOneMoment = async <T extends readonly Exchange[]>(ask: () => Promise<T>): Promise<T> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answers = await ask();
    if (new Set(answers.map(momentOf)).size <= 1) return answers;
  }
  throw new NotChecked("the price moved between every two requests");
};
