/** Writes bars into empty time ranges by one COPY: all of them or none. */
import { DAY_MS, MINUTE_MS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { StoreQueryError } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import type { RowStream, Store } from "../store.ts";

/** The columns, in the order of a line. */
export const COPIED_COLUMNS = "symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id";
const STATEMENT = `copy bars (${COPIED_COLUMNS}) from stdin`;

/** Text for COPY; field values must not contain tabs. */
const escaped = (text: string): string =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : text;

/** Every minute of a day. */
const CLOCK = Array.from({ length: 1_440 }, (_, minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16));
/** Text sent at once; more is built meanwhile. */
const CHUNK_CHARS = 200_000;

/** Formats instants, day by day: bars of one day come together, and the date is most of the work. */
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

/** Formats bars as lines of COPY's text form. */
export const lineWriter = (): ((bar: BarRow) => string) => {
  const instant = instantWriter();
  return ({ symbol, interval, barStartMs, open, high, low, close, volume, isClosed, sourceId }) =>
    `${escaped(symbol)}\t${interval}\t${instant(barStartMs)}\t${open}\t${high}\t${low}\t${close}\t` +
    `${volume ?? "\\N"}\t${isClosed ? "t" : "f"}\t${escaped(sourceId)}\n`;
};

/** A COPY of bars in progress. */
export interface BarCopy {
  /** Sends bars, with backpressure. @returns false once the server has refused one */
  add(bars: readonly BarRow[]): Promise<boolean>;
  /** Ends the COPY. @returns whether the bars are stored; false when one of them already existed, and then none is */
  finish(): Promise<boolean>;
  /** Aborts the COPY; no bar is stored. */
  abandon(): Promise<void>;
}

/**
 * Starts a COPY.
 * @returns null on an engine where COPY is no faster
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
  /** Sends the collected rows; the next ones are built while the server processes these. */
  const flush = async (): Promise<boolean> => {
    const chunk = text;
    text = "";
    if (!(await unlessRefused(inFlight))) return false;
    inFlight = stream.write(chunk);
    // Awaited a turn later; until then its rejection must not count as unhandled.
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
