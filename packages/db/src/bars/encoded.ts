/** Bars in wire form: encoded by the database, the fast way to fill a process's cache, or one by one with the same bytes. */
import { type DecimalText, formatTimestamp, type Interval, type PageOrder } from "@assay/contract";
import { type BarRow, dec, formatPrice } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { instantWithin, standingRows } from "../statements/ledger.ts";
import { rowsOf, type Store, textOf } from "../store.ts";
import type { BarWindow } from "./read.ts";

/** A price column, rounded half up: two decimals from 100 up, four below 100, six below one. */
export const wirePrice = (column: string): SQL =>
  sql.raw(`round(${column}, case when abs(${column}) >= 100 then 2 when abs(${column}) >= 1 then 4 else 6 end)`);

/** The start of a bar; bars start on whole seconds, so no fraction is printed. */
export const wireStart = sql`to_char(bar_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** The bytes of a `bytea` in text form. */
const fromHex = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Buffer<ArrayBuffer> => {
  if (!bytea) return Buffer.from(new ArrayBuffer(0));
  const digits = Buffer.from(bytea.buffer, bytea.byteOffset, bytea.byteLength).toString("latin1", 2);
  const target = Buffer.from(new ArrayBuffer(digits.length / 2));
  target.write(digits, "hex");
  return target;
};

// PostgreSQL sends big-endian. Typed arrays need little-endian, as on every machine Node runs on; swapping is in place.

/** Decodes `string_agg(float8send(…), '')`. */
export const float64sFrom = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Float64Array<ArrayBuffer> =>
  new Float64Array(fromHex(bytea).swap64().buffer);

/** Decodes `string_agg(int8send(…), '')`. */
export const int64sFrom = (bytea: Uint8Array<ArrayBuffer> | null | undefined): BigInt64Array<ArrayBuffer> =>
  new BigInt64Array(fromHex(bytea).swap64().buffer);

/** Decodes `string_agg(int4send(…), '')`. */
export const int32sFrom = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Int32Array<ArrayBuffer> =>
  new Int32Array(fromHex(bytea).swap32().buffer);

/** Bars of one series, newest first. */
export interface EncodedBars {
  /** JSON objects joined by commas, without brackets. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Start of each bar, epoch milliseconds. */
  readonly startsMs: Float64Array<ArrayBuffer>;
  /** Length of each object in bytes, without the comma. */
  readonly lengths: Int32Array<ArrayBuffer>;
  /** The newest revision of the ledger when they were read: they are that snapshot. */
  readonly revision: number;
}

/** A price that only whole bars have. */
const priceOrNull = (column: string) => sql`coalesce('"' || ${wirePrice(column)} || '"', 'null')`;

const encoded = sql`
  '{"bar_start":"' || ${wireStart}
  || '","open":' || ${priceOrNull("open")} || ',"high":' || ${priceOrNull("high")}
  || ',"low":' || ${priceOrNull("low")} || ',"close":"' || ${wirePrice("close")}
  || '","volume":' || coalesce('"' || trim_scale(volume) || '"', 'null')
  || case when is_closed then ',"is_closed":true}' else ',"is_closed":false}' end`;

/**
 * Reads a series in its wire form with one query.
 * @param sinceMs the earliest bar start; defaults to the whole series
 * @returns empty arrays when there is none
 */
export const readEncodedBars = async (
  store: Store,
  symbol: string,
  interval: Interval,
  sinceMs?: number,
): Promise<EncodedBars> => {
  const since = sinceMs === undefined ? sql`` : sql`and bar_start >= ${formatInstant(sinceMs)}::timestamptz`;
  const [bytes, starts, lengths, revision] = await store.readRow(sql`
    select string_agg(bar, ','),
      string_agg(float8send((extract(epoch from bar_start) * 1000)::float8), ''),
      string_agg(int4send(length(bar)), ''),
      (select ledger_revision from writer_fence)
    from (
      select bar_start, ${encoded} as bar from bars
      where symbol = ${symbol} and interval = ${interval} ${since}
      order by bar_start desc
    ) as newest_first`);
  return {
    bytes: bytes ?? new Uint8Array(0),
    startsMs: float64sFrom(starts),
    lengths: int32sFrom(lengths),
    revision: Number(textOf(revision)),
  };
};

/** From which bar on a series comes from a source. */
export interface SourceChange {
  /** Its first bar, epoch milliseconds. */
  readonly startMs: number;
  readonly sourceId: string;
}

/**
 * Reads where the bars of a series come from, oldest first: one row for each change.
 * @param sinceMs the earliest bar start; defaults to the whole series
 */
export const readSourceChanges = (
  store: Store,
  symbol: string,
  interval: Interval,
  sinceMs?: number,
): Promise<SourceChange[]> => {
  const since = sinceMs === undefined ? sql`` : sql`and bar_start >= ${formatInstant(sinceMs)}::timestamptz`;
  return store.run((db) =>
    rowsOf<SourceChange>(
      db,
      sql`
        select (extract(epoch from bar_start) * 1000)::float8 as "startMs", source_id as "sourceId"
        from (
          select bar_start, source_id, lag(source_id) over (order by bar_start) as before from bars
          where symbol = ${symbol} and interval = ${interval} ${since}
        ) as bar
        where source_id is distinct from before
        order by bar_start`,
    ),
  );
};

/** A page of closed bars as they stood at a revision. */
export interface StandingPage {
  /** JSON objects joined by commas, in the order asked for. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** Start of the last bar of the page; null when it is empty. */
  readonly lastStartMs: number | null;
  /** Whether the window has more behind it. */
  readonly hasMore: boolean;
  /** The source of the newest of the bars; of none, of the newest before the window's end. */
  readonly sourceId: string | null;
}

/** Which page. Bars that end after the revision was recorded cannot have stood: a window without them is read faster. */
export interface StandingWindow extends BarWindow {
  readonly revision: number;
  /** Newest first when left out. */
  readonly order?: PageOrder | undefined;
}

/** Reads a page of closed bars as they stood at a revision. */
export const readStandingPage = async (store: Store, window: StandingWindow): Promise<StandingPage> => {
  const { symbol, interval, fromMs, toMs, limit, revision, order = "desc" } = window;
  const series = sql`symbol = ${symbol} and interval = ${interval} and bar_start <= ${instantWithin(toMs)}`;
  const inWindow = sql`${series} and bar_start >= ${instantWithin(fromMs)}`;
  const most = sql.raw(String(limit));
  const newest = sql`order by bar_start desc limit 1`;
  const direction = sql.raw(order);
  const page = sql`order by bar_start ${direction} limit ${most} + 1`;
  const inPage = sql`filter (where place <= ${most})`;
  const [bytes, count, last, sourceId] = await store.readRow(sql`
    select string_agg(bar, ',') ${inPage}, count(*),
      (extract(epoch from ${order === "desc" ? sql`min` : sql`max`}(bar_start) ${inPage}) * 1000)::int8,
      coalesce(
        (array_agg(source_id) ${inPage})[${order === "desc" ? sql`1` : sql`least(count(*), ${most})`}],
        (select source_id from ${standingRows("bars", revision, series, newest)} as stood ${newest})
      )
    from (
      select bar_start, source_id, ${encoded} as bar, row_number() over (order by bar_start ${direction}) as place
      from ${standingRows("bars", revision, inWindow, page)} as stood ${page}
    ) as ordered`);
  const found = Number(textOf(count));
  return {
    bytes: bytes ?? new Uint8Array(0),
    count: Math.min(found, limit),
    lastStartMs: last ? Number(textOf(last)) : null,
    hasMore: found > limit,
    sourceId: sourceId ? textOf(sourceId) : null,
  };
};

/** Rounds as SQL does. Prices of bars are far above their last decimal: see `priceBoundsAt`. */
const priceText = (text: DecimalText | null): string => (text === null ? "null" : `"${formatPrice(text)}"`);

/**
 * Encodes a bar: fixed key order, no whitespace, prices rounded half up to the wire's decimals.
 * @param row the stored bar, unrounded
 * @returns one JSON object
 */
export const encodeBar = (row: BarRow): string => {
  const volume = row.volume === null ? "null" : `"${dec(row.volume).toFixed()}"`;
  return (
    `{"bar_start":"${formatTimestamp(row.barStartMs)}","open":${priceText(row.open)},"high":${priceText(row.high)},` +
    `"low":${priceText(row.low)},"close":${priceText(row.close)},"volume":${volume},"is_closed":${row.isClosed}}`
  );
};
