/** Closed bars for archives, prepared by the database: figures as on the wire, in columns. */
import type { Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";
import { int64sFrom } from "./binary.ts";
import { wirePrice, wireStart } from "./wire-figures.ts";

/** A batch of closed bars of one series, oldest first. */
export interface ArchiveBars {
  readonly rows: number;
  /** CSV rows: bar_start, open, high, low, close, volume, is_closed. */
  readonly csv: Uint8Array<ArrayBuffer>;
  /** Start of each bar, epoch milliseconds. */
  readonly startsMs: BigInt64Array<ArrayBuffer>;
  /** Prices in millionths. */
  readonly open: BigInt64Array<ArrayBuffer>;
  readonly high: BigInt64Array<ArrayBuffer>;
  readonly low: BigInt64Array<ArrayBuffer>;
  readonly close: BigInt64Array<ArrayBuffer>;
  readonly volume: readonly (string | null)[];
}

/** Which part of a series to read. */
export interface ArchiveWindow {
  readonly symbol: string;
  readonly interval: Interval;
  /** Inclusive. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  /** Maximum number of bars. */
  readonly limit: number;
}

const millionths = (column: string) => sql`string_agg(int8send((${sql.raw(column)} * 1000000)::int8), '')`;

const readBatch = async (store: Store, { symbol, interval, fromMs, untilMs, limit }: ArchiveWindow): Promise<ArchiveBars> => {
  const [csv, starts, open, high, low, close, volumes] = await store.readRow(sql`
    select
      string_agg(${wireStart} || ',' || open || ',' || high || ',' || low || ',' || close || ',' || coalesce(volume::text, '')
        || E',true\n', ''),
      string_agg(int8send((extract(epoch from bar_start) * 1000)::int8), ''),
      ${millionths("open")}, ${millionths("high")}, ${millionths("low")}, ${millionths("close")},
      string_agg(coalesce(volume::text, ''), ',')
    from (
      select bar_start, ${wirePrice("open")} as open, ${wirePrice("high")} as high, ${wirePrice("low")} as low,
        ${wirePrice("close")} as close, trim_scale(volume) as volume
      from bars
      where symbol = ${symbol} and interval = ${interval} and is_closed
        and bar_start >= ${formatInstant(fromMs)}::timestamptz and bar_start < ${formatInstant(untilMs)}::timestamptz
      order by bar_start limit ${sql.raw(String(limit))}
    ) as oldest_first`);
  const startsMs = int64sFrom(starts);
  const volume = volumes ? Buffer.from(volumes).toString("latin1").split(",") : [];
  return {
    rows: startsMs.length,
    csv: csv ?? new Uint8Array(0),
    startsMs,
    open: int64sFrom(open),
    high: int64sFrom(high),
    low: int64sFrom(low),
    close: int64sFrom(close),
    volume: volume.map((text) => (text === "" ? null : text)),
  };
};

/** Iterates over the closed bars of a window, oldest first, in batches of at most the window's limit. */
export async function* walkArchiveBars(store: Store, window: ArchiveWindow): AsyncGenerator<ArchiveBars> {
  let { fromMs } = window;
  for (;;) {
    const batch = await readBatch(store, { ...window, fromMs });
    if (batch.rows > 0) yield batch;
    const last = batch.startsMs.at(-1);
    if (last === undefined || batch.rows < window.limit) return;
    fromMs = Number(last) + 1;
  }
}
