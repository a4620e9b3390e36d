/** Bars into stretches of time that hold none, by one COPY: all of them or none. */
import type { BarRow } from "@assay/pricing";
import { StoreQueryError } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import type { RowStream, Store } from "../store.ts";

const STATEMENT = `copy bars (symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id) from stdin`;

/** Text as COPY reads it; what is between its tabs must not hold any. */
const escaped = (text: string): string =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : text;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Every minute of a day. */
const CLOCK = Array.from({ length: 1_440 }, (_, minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16));
/** Text sent at once; more is put together meanwhile. */
const CHUNK_CHARS = 200_000;

/** Writes instants, day by day: a day's bars come together, and its date is most of the work. */
const instantWriter = (): ((ms: number) => string) => {
  let dayMs = Number.NaN;
  let date = "";
  return (ms) => {
    const startMs = Math.floor(ms / DAY_MS) * DAY_MS;
    if (startMs !== dayMs) [dayMs, date] = [startMs, formatInstant(startMs).slice(0, 10)];
    const clock = CLOCK[(ms - startMs) / MINUTE_MS];
    return clock === undefined ? formatInstant(ms) : `${date} ${clock}Z`;
  };
};

const lineWriter = (): ((bar: BarRow) => string) => {
  const instant = instantWriter();
  return ({ symbol, interval, barStartMs, open, high, low, close, volume, isClosed, sourceId }) =>
    `${escaped(symbol)}\t${interval}\t${instant(barStartMs)}\t${open}\t${high}\t${low}\t${close}\t` +
    `${volume ?? "\\N"}\t${isClosed ? "t" : "f"}\t${escaped(sourceId)}\n`;
};

/** Bars on their way. */
export interface BarCopy {
  /** Takes bars, and waits while the server is far behind. @returns false once the server has refused one */
  add(bars: readonly BarRow[]): Promise<boolean>;
  /** Ends it. @returns whether the bars are in; false when one of them was there before, and then none is */
  finish(): Promise<boolean>;
  /** Ends it; none is in. */
  abandon(): Promise<void>;
}

/**
 * Begins one.
 * @returns null on an engine that is no faster that way
 * @throws StoreUnavailableError when the server does not answer
 */
export const openBarCopy = async (store: Store): Promise<BarCopy | null> => {
  if (!store.copyInto) return null;
  const stream: RowStream = await store.copyInto(STATEMENT);
  const line = lineWriter();
  let text = "";
  let inFlight: Promise<void> = Promise.resolve();
  let isRefused = false;
  const unlessRefused = async (step: Promise<void>): Promise<boolean> => {
    try {
      await step;
    } catch (error) {
      if (!(error instanceof StoreQueryError)) throw error;
      isRefused = true;
    }
    return !isRefused;
  };
  /** Sends what has gathered; the next rows are put together while the server takes these. */
  const flush = async (): Promise<boolean> => {
    const chunk = text;
    text = "";
    if (!(await unlessRefused(inFlight))) return false;
    inFlight = stream.write(chunk);
    // Awaited a turn later; until then its failure is nobody's yet.
    inFlight.catch(() => {});
    return true;
  };
  return {
    add: async (bars) => {
      if (isRefused) return false;
      for (const bar of bars) text += line(bar);
      return text.length < CHUNK_CHARS || flush();
    },
    finish: async () => {
      if (!isRefused && (await flush()) && (await unlessRefused(inFlight))) return unlessRefused(stream.finish());
      await stream.abandon();
      return false;
    },
    abandon: async () => {
      await inFlight.catch(() => {});
      await stream.abandon();
    },
  };
};
