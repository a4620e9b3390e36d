/** The belief about an instrument at a moment, as plain data. */
import type { DecimalText } from "@assay/contract";
import type { SpotObservation } from "../readings/observation.ts";

/** The past as a witness: the last price confirmed by two sources, otherwise the close of the newest closed bar. */
export interface Anchor {
  readonly price: DecimalText;
  /** Its time, epoch milliseconds; the band around it widens with its age. */
  readonly atMs: number;
  /**
   * Its witnesses; empty for bars that come from none of the sources. When all of them repeat it, it is not an additional
   * witness.
   */
  readonly by: readonly string[];
}

/** The last published price and its sources; not a witness. */
export interface LastPrice {
  readonly price: DecimalText;
  readonly atMs: number;
  readonly by: readonly string[];
}

/** A disbelieved reading. */
export interface Disbelieved {
  readonly observation: SpotObservation;
  /** `jump`: outside the band of the majority, or of the past. `dispute`: there is no majority. */
  readonly rule: "jump" | "dispute";
  readonly detail: string;
}

/** The verdict on an instrument. */
export type Belief =
  /** There is a price: by a majority of at least two witnesses (`confirmed`), or by one with nothing to compare it with. */
  | {
      readonly verdict: "confirmed" | "unconfirmed";
      /** The median of the believed readings that set the price. */
      readonly price: DecimalText;
      /** Readings that set the price, and those that may be listed beside it. */
      readonly believed: readonly SpotObservation[];
      readonly refused: readonly Disbelieved[];
      /** The current witnesses that support it, without the past. */
      readonly by: readonly string[];
    }
  /** Too few witnesses at a cold start, while others may still arrive. */
  | {
      readonly verdict: "waiting";
      readonly price: DecimalText | null;
      readonly by: readonly string[];
      readonly refused: readonly [];
    }
  /** No majority: nothing is published. */
  | { readonly verdict: "disputed"; readonly by: readonly string[]; readonly refused: readonly Disbelieved[] }
  /** No fresh reading that may set a price. */
  | { readonly verdict: "silent"; readonly refused: readonly [] };
