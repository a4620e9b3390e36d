/** The rules a currency table obeys. A fault of one currency costs that currency, not the table. */
import { Decimal } from "./decimal.ts";
import type { FxObservation } from "./observation.ts";
import { isDecimalText } from "./scaled.ts";
import { type Refusal, refused, type TimeRule, validateTime } from "./validation.ts";

/** The rules that refuse a whole table. */
export type FxTableRule =
  | TimeRule
  /** The base is not a currency code. */
  | "malformed_base"
  /** No rate of the US dollar, through which everything is crossed. */
  | "no_usd_leg"
  /** No rate is left. */
  | "empty";

/** The rules that refuse one currency of a table. */
export type FxCurrencyRule =
  /** A rate that is no plain decimal. */
  | "malformed"
  /** A rate that is not above zero. */
  | "not_positive"
  /** A rate of the base itself that is not one. */
  | "base_not_one"
  /** Too far from the same source's table before. */
  | "moved";

/** How far a currency may move between two tables of one source, in percent of the earlier rate, inclusive. */
export const MAX_FX_MOVE_PERCENT = 20;

/** One currency that was refused. */
export interface RefusedCurrency {
  readonly currency: string;
  readonly rule: FxCurrencyRule;
  readonly detail: string;
}

/** A table without the currencies that were refused, or why the whole table is. */
export type FxVerdict =
  | { readonly ok: true; readonly table: FxObservation; readonly refused: readonly RefusedCurrency[] }
  | Refusal<FxTableRule>;

/** The form of a currency code. Feeds also list tokens and funds under other names; those are no currencies and fall away. */
const CODE = /^[A-Z]{3}$/;

const validateCurrency = (
  currency: string,
  text: string,
  base: string,
  before: string | undefined,
): Omit<RefusedCurrency, "currency"> | null => {
  if (!isDecimalText(text)) return { rule: "malformed", detail: JSON.stringify(text) };
  const rate = new Decimal(text);
  if (rate.lte(0)) return { rule: "not_positive", detail: text };
  if (currency === base && !rate.eq(1)) return { rule: "base_not_one", detail: text };
  if (before === undefined) return null;
  const percent = rate.minus(before).abs().mul(100).div(before);
  if (percent.lte(MAX_FX_MOVE_PERCENT)) return null;
  return { rule: "moved", detail: `${before} to ${text}, ${percent.toFixed(1)} %, at most ${MAX_FX_MOVE_PERCENT} %` };
};

/**
 * Checks a currency table.
 *
 * A currency that moved too far since the table before is left out of this one. As it is then missing from the table the
 * next one is compared with, a move that stands in the next table too is believed: a devaluation costs one table, a slip
 * of the publisher never gets through.
 * @param table the table, as the feed made it
 * @param nowMs now
 * @param previous the last accepted table of the same source; one of another base is not compared
 * @returns the table without the refused currencies and whatever is no currency code, and what was refused; or the rule that refuses it whole
 */
export const validateFx = (table: FxObservation, nowMs: number, previous?: FxObservation): FxVerdict => {
  const time = validateTime(table.observedAtMs, nowMs, table.freshForMs);
  if (!time.ok) return time;
  if (!CODE.test(table.base)) return refused("malformed_base", JSON.stringify(table.base));
  const comparable = new Map(previous?.base === table.base ? Object.entries(previous.rates) : []);
  const rates: Record<string, string> = {};
  const faults: RefusedCurrency[] = [];
  for (const [currency, text] of Object.entries(table.rates)) {
    if (!CODE.test(currency)) continue;
    const fault = validateCurrency(currency, text, table.base, comparable.get(currency));
    if (fault) faults.push({ currency, ...fault });
    else rates[currency] = text;
  }
  if (Object.keys(rates).length === 0) return refused("empty", `${faults.length} rates refused, none left`);
  if (table.base !== "USD" && rates.USD === undefined) return refused("no_usd_leg", `base ${table.base}`);
  return { ok: true, table: { ...table, rates }, refused: faults };
};
