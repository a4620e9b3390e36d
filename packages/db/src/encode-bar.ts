/** The wire form of one bar, byte for byte what `readEncodedBars` builds in SQL. */
import { type DecimalText, formatTimestamp } from "@assay/contract";
import { type BarRow, dec, formatPrice } from "@assay/pricing";

/** A figure that rounds to zero has no sign, as in SQL. */
const price = (text: DecimalText): DecimalText => {
  const rounded = formatPrice(dec(text));
  return rounded.startsWith("-") && !/[1-9]/.test(rounded) ? rounded.slice(1) : rounded;
};

/**
 * Encodes a bar: fixed key order, no whitespace, prices rounded half up to the wire's decimals.
 * @param row the stored bar, unrounded
 * @returns one JSON object
 */
export const encodeBar = (row: BarRow): string => {
  const volume = row.volume === null ? "null" : `"${dec(row.volume).toFixed()}"`;
  return (
    `{"bar_start":"${formatTimestamp(new Date(row.barStartMs))}","open":"${price(row.open)}","high":"${price(row.high)}",` +
    `"low":"${price(row.low)}","close":"${price(row.close)}","volume":${volume},"is_closed":${row.isClosed}}`
  );
};
