/** An alert: its rule, which its owner sets, and where it stands, which the judge keeps. */
import type { AlertKind, AlertState, DecimalText, MoveDirection } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";

/** What an owner asks for. */
export interface AlertRule {
  readonly id: string;
  readonly name: string;
  /** A spot symbol in its canonical form, such as `XAU-EUR-SPOT`. */
  readonly symbol: string;
  readonly kind: AlertKind;
  /** A price in the symbol's currency, or for `moved` a percentage; null for `stale`. */
  readonly threshold: DecimalText | null;
  /** Of `moved`; null for the other kinds. */
  readonly windowSeconds: number | null;
  /** Of `moved`; null for the other kinds. */
  readonly direction: MoveDirection | null;
  /** Whether it ends once it has fired. */
  readonly once: boolean;
}

/** Where it stands: everything a judge needs to continue from another one's work. */
export interface AlertStanding {
  readonly state: AlertState;
  readonly hasFired: boolean;
  /** The tick that this is the standing after; later ones are still to be judged. */
  readonly seenSeq: number;
  /** What it remembers besides, which only the judge reads; null at its beginning. */
  readonly memory: string | null;
}

export interface Alert extends AlertRule, AlertStanding {}

/** Whose prices an alert is judged on: those of now, or those of callers who see them 15 minutes late. */
export type JudgeView = "live" | "delayed";

/** A published price in an alert's currency, as answers and streams show it. */
export interface ShownPrice {
  readonly seq: number;
  readonly price: DecimalText;
  readonly computedAtMs: number;
}

/** Why a symbol is stale, in an event: a closed market sends none. */
export type AlertedReason = "feed_down" | "fx_fallback";

/** An event before it is encoded. */
export interface AlertEvent extends ShownPrice {
  readonly alert: AlertRule;
  readonly type: "price.above" | "price.below" | "price.moved" | "price.stale" | "price.fresh";
  /** Of `price.moved`: the price from which it moved, and by how many percent. */
  readonly moved?: { readonly reference: DecimalText; readonly percent: DecimalText };
  /** Of `price.stale`. */
  readonly reason?: AlertedReason;
}

/** Numbers of ticks that were withdrawn, both ends inclusive. */
export interface WithdrawnSeqs {
  readonly instrument: Instrument;
  readonly fromSeq: number;
  readonly toSeq: number;
}
