/** Which option quotes can be believed: those somebody would really trade at, from both sides. */
import type { OptionQuote } from "./option-chain.ts";

/** A strike with the quotes that can be believed; undefined where there is none. */
export interface QuotedStrike {
  readonly strike: number;
  readonly call?: TwoSided | undefined;
  readonly put?: TwoSided | undefined;
}

/** What can be bought and sold at, in the option's own unit. */
export interface TwoSided {
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  /** Half of ask − bid. */
  readonly half: number;
}

/** A wider spread, as a share of the mid, says next to nothing about the price. */
const WIDEST_SPREAD = 1;

const twoSided = ({ bid, ask }: OptionQuote): TwoSided | undefined => {
  const low = Number(bid ?? 0);
  const high = Number(ask ?? 0);
  if (!(low > 0 && high >= low && Number.isFinite(high))) return undefined;
  const mid = (low + high) / 2;
  return high - low > WIDEST_SPREAD * mid ? undefined : { bid: low, ask: high, mid, half: (high - low) / 2 };
};

/**
 * The believable quotes of one expiry by strike. A quote needs a bid above zero, an ask that is not below it, and a spread
 * of its own mid at most; of two quotes of one option the tighter stays.
 * @param quotes as the venue shows them
 * @returns strikes with at least one such quote, rising
 */
export const cleanQuotes = (quotes: readonly OptionQuote[]): QuotedStrike[] => {
  const strikes = new Map<number, QuotedStrike>();
  for (const quote of quotes) {
    const strike = Number(quote.strike);
    const sides = twoSided(quote);
    if (!(strike > 0 && Number.isFinite(strike)) || !sides) continue;
    const held = strikes.get(strike) ?? { strike };
    const other = held[quote.right];
    if (!other || sides.half < other.half) strikes.set(strike, { ...held, [quote.right]: sides });
  }
  return [...strikes.values()].sort((a, b) => a.strike - b.strike);
};
