/** Closed bars for archives, prepared by the database: figures as on the wire, in columns. */
import type { Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { standingRows } from "../statements/ledger.ts";
import type { Store } from "../store.ts";
import { int64sFrom, wirePrice, wireStart } from "./encoded.ts";

/** A batch of closed bars of one series, oldest first. */
export interface ArchiveBars {
  readonly rows: number;
  /** CSV rows: bar_start, open, high, low, close, volume, is_closed. */
  readonly csv: Uint8Array<ArrayBuffer>;
  /** Start of each bar, epoch milliseconds. */
  readonly startsMs: BigInt64Array<ArrayBuffer>;
  /** Prices in millionths; null for bars of which only the close is known. */
  readonly open: BigInt64Array | (bigint | null)[];
  readonly high: BigInt64Array | (bigint | null)[];
  readonly low: BigInt64Array | (bigint | null)[];
  readonly close: BigInt64Array<ArrayBuffer>;
  readonly volume: readonly (string | null)[];
}

/** What the database sends for null: the least of the numbers that a column holds. */
const UNKNOWN = -(2n ** 63n);

export interface ArchiveWindow {
  readonly symbol: string;
  readonly interval: Interval;
  /** Inclusive. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly limit: number;
  /** The bars that stood at this revision. */
  readonly revision: number;
}

const millionths = (column: string) => sql.raw(`string_agg(int8send(coalesce((${column} * 1000000)::int8, ${UNKNOWN})), '')`);
const textOrNone = (column: string) => sql.raw(`coalesce(${column}::text, '')`);

const pricesFrom = (bytes: Parameters<typeof int64sFrom>[0]): BigInt64Array | (bigint | null)[] => {
  const prices = int64sFrom(bytes);
  return prices.includes(UNKNOWN) ? Array.from(prices, (price) => (price === UNKNOWN ? null : price)) : prices;
};

const readBatch = async (
  store: Store,
  { symbol, interval, fromMs, untilMs, limit, revision }: ArchiveWindow,
): Promise<ArchiveBars> => {
  const inWindow = sql`symbol = ${symbol} and interval = ${interval}
    and bar_start >= ${formatInstant(fromMs)}::timestamptz and bar_start < ${formatInstant(untilMs)}::timestamptz`;
  const oldest = sql`order by bar_start limit ${sql.raw(String(limit))}`;
  const [csv, starts, open, high, low, close, volumes] = await store.readRow(sql`
    select
      string_agg(${wireStart} || ',' || ${textOrNone("open")} || ',' || ${textOrNone("high")} || ',' || ${textOrNone("low")}
        || ',' || close || ',' || ${textOrNone("volume")}
        || E',true\n', ''),
      string_agg(int8send((extract(epoch from bar_start) * 1000)::int8), ''),
      ${millionths("open")}, ${millionths("high")}, ${millionths("low")}, ${millionths("close")},
      string_agg(${textOrNone("volume")}, ',')
    from (
      select bar_start, ${wirePrice("open")} as open, ${wirePrice("high")} as high, ${wirePrice("low")} as low,
        ${wirePrice("close")} as close, trim_scale(volume) as volume
      from ${standingRows("bars", revision, inWindow, oldest)} as stood ${oldest}
    ) as oldest_first`);
  const startsMs = int64sFrom(starts);
  const volume = volumes ? Buffer.from(volumes).toString("latin1").split(",") : [];
  return {
    rows: startsMs.length,
    csv: csv ?? new Uint8Array(0),
    startsMs,
    open: pricesFrom(open),
    high: pricesFrom(high),
    low: pricesFrom(low),
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
