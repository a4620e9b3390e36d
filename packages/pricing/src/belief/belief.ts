/** What is believed of an instrument at a moment, as plain data. */
import type { DecimalText } from "@assay/contract";
import type { SpotObservation } from "../observation.ts";

/** The past as a witness: the last price that two sources confirmed, else the close of the newest closed bar. */
export interface Anchor {
  readonly price: DecimalText;
  /** When it was so, epoch milliseconds; the band around it widens with its age. */
  readonly atMs: number;
  /** The witnesses it comes from; empty for bars of none of the sources. When all of them say the same again it is not another witness. */
  readonly by: readonly string[];
}

/** The price that was published last, and by whom; it is no witness. */
export interface LastPrice {
  readonly price: DecimalText;
  readonly atMs: number;
  readonly by: readonly string[];
}

/** A reading that is not believed. */
export interface Disbelieved {
  readonly observation: SpotObservation;
  /** `jump`: outside the band of the majority, or of the past. `dispute`: there is no majority. */
  readonly rule: "jump" | "dispute";
  readonly detail: string;
}

/** The verdict on an instrument. */
export type Belief =
  /** There is a price: by a majority of two witnesses or more (`confirmed`), or by one with nothing to compare it with. */
  | {
      readonly verdict: "confirmed" | "unconfirmed";
      /** The middle of the believed readings that set the price. */
      readonly price: DecimalText;
      /** What the price is composed of, and what may be listed beside it. */
      readonly believed: readonly SpotObservation[];
      readonly refused: readonly Disbelieved[];
      /** Who speaks for it now; the past is not among them. */
      readonly by: readonly string[];
    }
  /** Too few witnesses at a cold start, while others may still come. */
  | {
      readonly verdict: "waiting";
      readonly price: DecimalText | null;
      readonly by: readonly string[];
      readonly refused: readonly [];
    }
  /** No majority: nothing is published. */
  | { readonly verdict: "disputed"; readonly by: readonly string[]; readonly refused: readonly Disbelieved[] }
  /** No fresh reading that could set a price. */
  | { readonly verdict: "silent"; readonly refused: readonly [] };
