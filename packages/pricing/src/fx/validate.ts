/** Validation rules of currency tables. A fault in one currency refuses that currency, not the table. */
import { Decimal } from "../number/exact.ts";
import { isDecimalText } from "../number/scaled.ts";
import type { FxObservation } from "../readings/observation.ts";
import { type Refusal, refused, type TimeRule, validateTime } from "../readings/validation.ts";
import { type OffReference, offReference, witnessOf } from "./cross.ts";
import { EMPTY_FX, type FxState } from "./tables.ts";

export type FxTableRule =
  | TimeRule
  /** The base is not a currency code. */
  | "malformed_base"
  /** No rate of the US dollar, which every cross rate needs. */
  | "no_usd_leg"
  /** The base against the dollar is too far off its reference rate, and so is everything crossed through it. */
  | "off_reference"
  /** No valid rate is left. */
  | "empty";

/** The rules that refuse one currency of a table. */
export type FxCurrencyRule =
  /** A rate that is not a plain decimal. */
  | "malformed"
  /** A rate that is not above zero. */
  | "not_positive"
  /** A rate other than one for the base itself. */
  | "base_not_one"
  /** Too far from the source's previous table, where no reference rate is known. */
  | "moved"
  /** Too far off the reference rate of the last seven days, or off its peg. */
  | "off_reference";

/** Maximum move of a currency between two tables of one source, in percent of the earlier rate, inclusive. */
export const MAX_FX_MOVE_PERCENT = 20;

export interface RefusedCurrency {
  readonly currency: string;
  readonly rule: FxCurrencyRule;
  readonly detail: string;
}

/** A table without its refused currencies, or the reason the whole table is refused. */
export type FxVerdict =
  | { readonly ok: true; readonly table: FxObservation; readonly refused: readonly RefusedCurrency[] }
  | Refusal<FxTableRule>;

/** The form of a currency code. Feeds also list tokens and funds under other names; those are ignored. */
const CODE = /^[A-Z]{3}$/;

const validateCurrency = (currency: string, text: string, base: string): Omit<RefusedCurrency, "currency"> | null => {
  if (!isDecimalText(text)) return { rule: "malformed", detail: JSON.stringify(text) };
  const rate = new Decimal(text);
  if (rate.lte(0)) return { rule: "not_positive", detail: text };
  return currency === base && !rate.eq(1) ? { rule: "base_not_one", detail: text } : null;
};

const validateMove = (text: string, before: string | undefined): Omit<RefusedCurrency, "currency"> | null => {
  if (before === undefined) return null;
  const percent = new Decimal(text).minus(before).abs().mul(100).div(before);
  if (percent.lte(MAX_FX_MOVE_PERCENT)) return null;
  return { rule: "moved", detail: `${before} to ${text}, ${percent.toFixed(1)} %, at most ${MAX_FX_MOVE_PERCENT} %` };
};

const detailOf = ({ percent, limit }: OffReference): string => `${percent.toFixed(1)} % off, at most ${limit} %`;

/**
 * Validates a currency table.
 *
 * Each leg of a live table, the first as well as every later one, is compared with the reference rate of the last seven days, and
 * a pegged currency with its peg (`offReference`): a wrong figure does not become right by repetition. Where no such reference is
 * known, and in reference tables themselves, a currency that moved too far since the source's previous table is dropped from this
 * one; as it is then missing from the table that the next one is compared with, a move that the next table confirms is believed.
 * Such a leg is used until a reference contradicts it.
 * @param table the table, as the feed made it
 * @param known the tables accepted so far
 * @returns the table without refused currencies and unknown codes, and what was refused; or the rule that refuses all of it
 */
export const validateFx = (table: FxObservation, nowMs: number, known: FxState = EMPTY_FX): FxVerdict => {
  const time = validateTime(table.observedAtMs, nowMs, table.freshForMs);
  if (!time.ok) return time;
  if (!CODE.test(table.base)) return refused("malformed_base", JSON.stringify(table.base));
  const faults: RefusedCurrency[] = [];
  const formed: [currency: string, text: string][] = [];
  for (const [currency, text] of Object.entries(table.rates)) {
    if (!CODE.test(currency)) continue;
    const fault = validateCurrency(currency, text, table.base);
    if (fault) faults.push({ currency, ...fault });
    else formed.push([currency, text]);
  }
  const whole = { ...table, rates: Object.fromEntries(formed) };
  const isLive = table.role === "live";
  const witness = (currency: string): FxObservation | null => (isLive ? witnessOf(known, currency, nowMs) : null);
  const baseOff = isLive && offReference(whole, table.base, witness(table.base));
  if (baseOff) return refused("off_reference", `base ${table.base}: ${detailOf(baseOff)}`);
  const previous = known[table.role].findLast(({ source }) => source === table.source);
  const before = new Map(previous?.base === table.base ? Object.entries(previous.rates) : []);
  const rates: Record<string, string> = {};
  for (const [currency, text] of formed) {
    const off = isLive && offReference(whole, currency, witness(currency));
    const fault = off
      ? ({ rule: "off_reference", detail: `${text}, ${detailOf(off)}` } as const)
      : witness(currency)
        ? null
        : validateMove(text, before.get(currency));
    if (fault) faults.push({ currency, ...fault });
    else rates[currency] = text;
  }
  if (Object.keys(rates).length === 0) return refused("empty", `${faults.length} rates refused, none left`);
  if (table.base !== "USD" && rates.USD === undefined) return refused("no_usd_leg", `base ${table.base}`);
  return { ok: true, table: { ...table, rates }, refused: faults };
};
