/** Hundredths of currencies that exchanges quote in, by the codes that data vendors write them with. None is a currency of its own. */

/** A hundredth of a currency. */
export interface Subunit {
  readonly name: string;
  readonly currency: string;
}

/** By code; only GBp and ZAc need their small letter. */
export const SUBUNITS: ReadonlyMap<string, Subunit> = new Map(
  (
    [
      ["GBp", "pence", "GBP"],
      ["GBX", "pence", "GBP"],
      ["ZAc", "cents", "ZAR"],
      ["ZAC", "cents", "ZAR"],
      ["ILA", "agorot", "ILS"],
      ["USX", "cents", "USD"],
    ] as const
  ).map(([code, name, currency]) => [code, { name, currency }]),
);
