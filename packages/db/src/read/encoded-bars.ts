/** Stored bars in their wire form, encoded by the database: the fast way to fill a process's memory. */
import type { Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";

/** Bars of one series, newest first. */
export interface EncodedBars {
  /** JSON objects joined by commas, without brackets. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When each begins, epoch milliseconds. */
  readonly startsMs: Float64Array<ArrayBuffer>;
  /** How many bytes each takes, without the comma after it. */
  readonly lengths: Int32Array<ArrayBuffer>;
}

const price = (column: string) =>
  sql.raw(`round(${column}, case when abs(${column}) >= 100 then 2 when abs(${column}) >= 1 then 4 else 6 end)`);

/** Bars start on whole seconds, so no fraction is ever printed. */
const encoded = sql`
  '{"bar_start":"' || to_char(bar_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  || '","open":"' || ${price("open")} || '","high":"' || ${price("high")}
  || '","low":"' || ${price("low")} || '","close":"' || ${price("close")}
  || '","volume":' || coalesce('"' || trim_scale(volume) || '"', 'null')
  || case when is_closed then ',"is_closed":true}' else ',"is_closed":false}' end`;

/** Binary numbers travel as `\x` and hexadecimal digits. */
const fromHex = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Buffer<ArrayBuffer> => {
  if (!bytea) return Buffer.from(new ArrayBuffer(0));
  const digits = Buffer.from(bytea.buffer, bytea.byteOffset, bytea.byteLength).toString("latin1", 2);
  const target = Buffer.from(new ArrayBuffer(digits.length / 2));
  target.write(digits, "hex");
  return target;
};

/**
 * Reads a series in its wire form with one query.
 * @param sinceMs the earliest bar start; by default the whole series
 * @returns empty arrays when there is none
 */
export const readEncodedBars = async (
  store: Store,
  symbol: string,
  interval: Interval,
  sinceMs?: number,
): Promise<EncodedBars> => {
  const since = sinceMs === undefined ? sql`` : sql`and bar_start >= ${formatInstant(sinceMs)}::timestamptz`;
  const [bytes, starts, lengths] = await store.readRow(sql`
    select string_agg(bar, ','),
      string_agg(float8send((extract(epoch from bar_start) * 1000)::float8), ''),
      string_agg(int4send(length(bar)), '')
    from (
      select bar_start, ${encoded} as bar from bars
      where symbol = ${symbol} and interval = ${interval} ${since}
      order by bar_start desc
    ) as newest_first`);
  // Numbers are sent with the highest byte first; their arrays want it last, as on every machine Node runs on.
  return {
    bytes: bytes ?? new Uint8Array(0),
    startsMs: new Float64Array(fromHex(starts).swap64().buffer as ArrayBuffer), // swap64 answers the very same buffer
    lengths: new Int32Array(fromHex(lengths).swap32().buffer as ArrayBuffer), // as above
  };
};
