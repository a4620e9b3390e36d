/** The price that badges and embedded pages show: as of 15 minutes ago, in any currency, made once every ten seconds. */
import { hash } from "node:crypto";
import {
  type AssayPages,
  CURRENCIES,
  type Currency,
  Encoded,
  type MarketMode,
  type Metal,
  MINUTE_MS,
  upperCase,
  type Verb,
} from "@assay/contract";
import { METAL_UNIT, type PriceSymbol, presentCrossed, readPriceSymbol } from "@assay/pricing";
import { asOf } from "../access/as-of.ts";
import { requireSymbol } from "../access/gate.ts";
import { marketMode } from "../console/market-mode.ts";
import type { Caller, ServiceDeps, VerbContext } from "../context.ts";

/** Routes that show one price. */
type Route = AssayPages["badge"]["get"] | AssayPages["embed"]["get"];

/** One price, in words for people. */
export interface ShownPrice {
  /** The metal's name in lower case. */
  readonly metal: string;
  readonly currency: Currency;
  /** The unit of the price: `oz` or `lb`. */
  readonly unit: string;
  /** Null when there is none. */
  readonly price: string | null;
  readonly computedAtMs: number | null;
  /** Why the price is stale; null when it is not. */
  readonly stale: string | null;
  readonly delayMinutes: number;
  readonly mode: MarketMode;
}

/** What the verbs are made over. */
export type ShownPriceDeps = Pick<ServiceDeps, "market" | "live" | "catalog">;

/** How long an answer is reused. */
const REUSE_MS = 10_000;

const METAL_NAMES: Readonly<Record<Metal, string>> = { XAU: "gold", XAG: "silver", HG: "copper" };
const UNIT_NAMES = { troy_ounce: "oz", pound: "lb" } as const;
const STALE_WORDS = { market_closed: "market closed", feed_down: "feed down", fx_fallback: "daily currency rate" } as const;

/**
 * Creates the verb of a route that shows one price.
 * @param render the price as text, and the headers that go with it
 */
export const showingPrice = (
  { market, live, catalog }: ShownPriceDeps,
  render: (shown: ShownPrice) => { readonly body: string; readonly headers: Readonly<Record<string, string>> },
): Verb<Route, VerbContext> => {
  const modeNow = marketMode(live);

  const shownAt = (symbol: PriceSymbol, mode: MarketMode, { reach }: Caller, asOfMs: number): ShownPrice => {
    const { price, rate, stale } = market.standingOf(symbol, asOfMs);
    const isKnown = price !== null && rate !== null;
    return {
      metal: METAL_NAMES[symbol.metal],
      currency: symbol.currency,
      unit: UNIT_NAMES[METAL_UNIT[symbol.metal]],
      price: isKnown ? presentCrossed(price.price, rate) : null,
      computedAtMs: isKnown ? price.computedAtMs : null,
      stale: stale.isStale ? STALE_WORDS[stale.reason] : null,
      delayMinutes: reach.delayMs / MINUTE_MS,
      mode,
    };
  };

  /** As many as there are instruments times currencies. */
  const kept = new Map<string, { readonly startMs: number; readonly answer: Promise<Encoded<string>> }>();
  const make = async (symbol: PriceSymbol, caller: Caller, startMs: number): Promise<Encoded<string>> => {
    const { body, headers } = render(shownAt(symbol, await modeNow(), caller, asOf(caller, startMs)));
    return new Encoded(body, { etag: `"${hash("sha256", body).slice(0, 32)}"` }, headers);
  };

  return (input, { caller, nowMs, fail }) => {
    const reading = readPriceSymbol(input.metal);
    if (reading.kind !== "known") return fail("not_found", { message: "There is no such metal; use gold, silver or copper." });
    requireSymbol(catalog, caller, reading.entry, fail);
    const wanted = input.currency ?? reading.entry.currency;
    const currency = CURRENCIES.find((known) => known === upperCase(wanted));
    if (!currency) {
      const message = `currency ${JSON.stringify(wanted)} is not supported: use one of ${CURRENCIES.join(", ")}.`;
      return fail("unsupported_currency", { message });
    }
    const startMs = Math.floor(nowMs / REUSE_MS) * REUSE_MS;
    const name = `${reading.entry.instrument} ${currency}`;
    const known = kept.get(name);
    if (known?.startMs === startMs) return known.answer;
    // The route takes no key, so all its callers see the same.
    const answer = make({ ...reading.entry, currency }, caller, startMs);
    kept.set(name, { startMs, answer });
    return answer;
  };
};
