/** Pegged currencies: fixed by law, or within a band that their central bank defends. */
import type { DecimalText } from "@assay/contract";

/** Levs per euro: fixed by law, and not published by the European Central Bank since 2026-01-01. */
export const BGN_PER_EUR: DecimalText = "1.95583";

/** Units per US dollar of the currencies pegged to it. */
export const USD_PEGS: Readonly<Record<string, DecimalText>> = { AED: "3.6725", SAR: "3.75" };

/** The currency of a peg, and the number of units per unit of it. */
export interface Peg {
  readonly to: string;
  readonly units: DecimalText;
}

/** The pegs. HKD is kept within 7.75 and 7.85, DKK within half a percent of its central rate. */
export const PEGS: Readonly<Record<string, Peg>> = {
  ...Object.fromEntries(Object.entries(USD_PEGS).map(([currency, units]) => [currency, { to: "USD", units }])),
  HKD: { to: "USD", units: "7.8" },
  BGN: { to: "EUR", units: BGN_PER_EUR },
  DKK: { to: "EUR", units: "7.46038" },
};
