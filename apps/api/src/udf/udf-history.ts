/** Bars as the protocol's columns: the published digits as JSON numbers, copied without ever being floats. */
import {
  type AssayContract,
  ByteWriter,
  type EncodedList,
  type EncodedRows,
  INTERVAL_MS,
  type RequestOf,
  readRows,
  symbolHint,
} from "@assay/contract";
import { type Caller, depthFloor, type FailInput } from "@assay/services";
import type { z } from "zod";
import { type historyQuery, RESOLUTIONS, readUdfSymbol } from "./udf-protocol.ts";

/** The parameters of a request for bars. */
export type HistoryQuery = z.output<typeof historyQuery>;
type BarsInput = RequestOf<AssayContract["bars"]["list"]>;

/** The most bars of a page of the API. */
const MAX_BARS = 10_000;

const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * The page of bars that answers a request: up to `to`, from as far back as the caller may see. So the newest bar before an empty
 * window is known as well.
 */
export const barsInput = (query: HistoryQuery, caller: Caller, nowMs: number, fail: FailInput): BarsInput => {
  const symbol = readUdfSymbol(query.symbol);
  if (symbol === null) {
    const message = symbolHint(query.symbol, "is unknown");
    return fail("validation_error", { issues: [{ path: ["query", "symbol"], code: "invalid_value", message }] });
  }
  const interval = RESOLUTIONS[query.resolution];
  const floorMs = Math.max(0, depthFloor(caller, interval, nowMs));
  const wanted = query.countback ?? Math.ceil(((query.to - query.from) * 1_000) / INTERVAL_MS[interval]);
  return {
    symbol,
    interval,
    from: isoOf(floorMs),
    // `to` is exclusive here and inclusive there.
    to: isoOf(Math.max(floorMs, query.to * 1_000 - 1)),
    limit: Math.min(MAX_BARS, Math.max(1, wanted)),
  };
};

const ZERO = Buffer.from("0");
const COMMA = 0x2c;

/** The columns of prices, and their fields. */
const PRICES = [
  ["o", "open"],
  ["h", "high"],
  ["l", "low"],
  ["c", "close"],
] as const;

const twoAt = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) - 0x30) * 10 + (bytes[at + 1] ?? 0) - 0x30;

/** Unix seconds of `"2026-11-20T14:03:00Z"`, the only form of a bar's start. */
const secondsAt = (bytes: Uint8Array, at: number): number => {
  const year = twoAt(bytes, at + 1) * 100 + twoAt(bytes, at + 3);
  const dayMs = Date.UTC(year, twoAt(bytes, at + 6) - 1, twoAt(bytes, at + 9));
  return dayMs / 1_000 + twoAt(bytes, at + 12) * 3_600 + twoAt(bytes, at + 15) * 60 + twoAt(bytes, at + 18);
};

/** The rows that are shown, oldest first. */
interface Shown {
  readonly rows: EncodedRows;
  /** Their numbers. */
  readonly places: Int32Array;
}

/** Writes a column: figures without their quotes, since a JSON number may have as many digits as they have. */
const writeColumn = (
  writer: ByteWriter,
  { rows, places }: Shown,
  { name, field, unknown }: { readonly name: string; readonly field: string; readonly unknown: Uint8Array | "close" },
): void => {
  const [column, close] = [rows.column(field), rows.column("close")];
  writer.text(`,"${name}":[`);
  for (let index = 0; index < places.length; index += 1) {
    const row = places[index] ?? 0;
    if (index > 0) writer.byte(COMMA);
    const isUnknown = rows.isNull(row, column);
    if (isUnknown && unknown !== "close") writer.copy(unknown, 0, unknown.length);
    else {
      const from = isUnknown ? close : column;
      writer.copy(rows.bytes, rows.from(row, from) + 1, rows.to(row, from) - 1);
    }
  }
  writer.text("]");
};

const columnsOf = (query: HistoryQuery, rows: EncodedRows): string | Uint8Array<ArrayBuffer> => {
  const [start, close, volume] = [rows.column("bar_start"), rows.column("close"), rows.column("volume")];
  const writer = new ByteWriter().text('{"s":"ok","t":[');
  const places = new Int32Array(rows.count);
  let count = 0;
  let hasVolume = false;
  let newest: number | undefined;
  for (let row = rows.count - 1; row >= 0; row -= 1) {
    const startsAt = secondsAt(rows.bytes, rows.from(row, start));
    if (rows.isNull(row, close) || startsAt >= query.to) continue;
    newest = startsAt;
    if (query.countback === undefined && startsAt < query.from) continue;
    if (count > 0) writer.byte(COMMA);
    writer.whole(startsAt);
    hasVolume ||= !rows.isNull(row, volume);
    places[count] = row;
    count += 1;
  }
  if (count === 0) return JSON.stringify({ s: "no_data", ...(newest === undefined ? {} : { nextTime: newest }) });
  const shown = { rows, places: places.subarray(0, count) };
  writer.text("]");
  // Of some bars only the close is known, and a chart needs all four prices.
  for (const [name, field] of PRICES) writeColumn(writer, shown, { name, field, unknown: "close" });
  // Spot has no volume.
  if (hasVolume) writeColumn(writer, shown, { name: "v", field: "volume", unknown: ZERO });
  return writer.text("}").finish();
};

/**
 * Writes the answer.
 * @param bars the rows of the bars route, newest first
 * @returns JSON
 */
export const historyBody = (query: HistoryQuery, bars: EncodedList["rows"]): string | Uint8Array<ArrayBuffer> =>
  readRows(bars, (rows) => columnsOf(query, rows));
