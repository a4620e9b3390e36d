/** Bars for archives: a batch as the store provides it, already rounded as on the wire. */

/** Decimals of prices in Parquet: the maximum on the wire. */
export const PRICE_SCALE = 6;
/** Decimals of volumes in Parquet. */
export const VOLUME_SCALE = 9;

/** Bars in time order. */
export interface ArchiveBatch {
  readonly rows: number;
  /** CSV rows, each with its line end. */
  readonly csv: Uint8Array;
  /** Epoch milliseconds. */
  readonly startsMs: BigInt64Array;
  /** Prices in millionths. */
  readonly open: BigInt64Array;
  readonly high: BigInt64Array;
  readonly low: BigInt64Array;
  readonly close: BigInt64Array;
  /** Decimal text, or null where none was traded or reported. */
  readonly volume: readonly (string | null)[];
}

/** Converts a decimal to units of its last place: "1.5" at scale 6 is 1 500 000. Further digits round half up. */
export const unscaled = (text: string, scale: number): bigint => {
  const [whole = "0", places = ""] = text.split(".");
  const kept = BigInt(`${whole}${places.slice(0, scale).padEnd(scale, "0")}`);
  return (places[scale] ?? "0") >= "5" ? kept + 1n : kept;
};
