/** Selects credible option quotes: two-sided, uncrossed and not too wide. */
import type { OptionQuote } from "./option-chain.ts";

/** A strike with its credible quotes; undefined where there is none. */
export interface QuotedStrike {
  readonly strike: number;
  readonly call?: TwoSided | undefined;
  readonly put?: TwoSided | undefined;
}

/** Bid and ask, in the option's own unit. */
export interface TwoSided {
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  /** Half of ask − bid. */
  readonly half: number;
}

/** A spread wider than this share of the mid carries almost no information about the price. */
const WIDEST_SPREAD = 1;

const twoSided = ({ bid, ask }: OptionQuote): TwoSided | undefined => {
  const low = Number(bid ?? 0);
  const high = Number(ask ?? 0);
  if (!(low > 0 && high >= low && Number.isFinite(high))) return undefined;
  const mid = (low + high) / 2;
  return high - low > WIDEST_SPREAD * mid ? undefined : { bid: low, ask: high, mid, half: (high - low) / 2 };
};

/**
 * The credible quotes of one expiry by strike. A quote needs a bid above zero, an ask not below it, and a spread of at most its
 * own mid; of two quotes of one option the tighter is kept.
 * @param quotes as the venue shows them
 * @returns strikes with at least one such quote, ascending
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
