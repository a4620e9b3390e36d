/**
 * Bars as lines of COPY's text form: a thread hands them over for the price of copying the text, and the engine reads them as
 * they are.
 */
import { type Interval, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import type { BarRow } from "@assay/pricing";

/** The columns, in the order of a line. */
export const COPIED_COLUMNS = "symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id";

/** Lines of one statement: enough to amortise the commit, few enough not to block an embedded engine's process. */
export const LINES_AT_ONCE = 2_000;

/** Lines, each with its line feed. */
export interface BarLines {
  readonly text: string;
  readonly bars: number;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const ESCAPED = new Map(Object.entries(ESCAPES).map(([plain, escaped]) => [escaped, plain]));

const escaped = (text: string): string =>
  /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (each) => ESCAPES[each] ?? each) : text;
const unescaped = (text: string): string =>
  text.includes("\\") ? text.replaceAll(/\\./g, (each) => ESCAPED.get(each) ?? each) : text;

/** COPY's text for null. */
const NULL = "\\N";
const orNull = (text: string): string | null => (text === NULL ? null : text);

/** Every minute of a day. */
const CLOCK = Array.from({ length: 1_440 }, (_, minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16));

/** Formats instants, day by day: bars of one day come together, and the date is most of the work. */
const instantWriter = (): ((ms: number) => string) => {
  let dayMs = Number.NaN;
  let date = "";
  return (ms) => {
    const startMs = startOfUtcDay(ms);
    if (startMs !== dayMs) [dayMs, date] = [startMs, new Date(startMs).toISOString().slice(0, 10)];
    const clock = CLOCK[(ms - startMs) / MINUTE_MS];
    return clock === undefined ? new Date(ms).toISOString() : `${date} ${clock}Z`;
  };
};

export const lineWriter = (): ((bar: BarRow) => string) => {
  const instant = instantWriter();
  return ({ symbol, interval, barStartMs, open, high, low, close, volume, isClosed, sourceId }) =>
    `${escaped(symbol)}\t${interval}\t${instant(barStartMs)}\t${open ?? NULL}\t${high ?? NULL}\t${low ?? NULL}\t${close}\t` +
    `${volume ?? NULL}\t${isClosed ? "t" : "f"}\t${escaped(sourceId)}\n`;
};

/** Formats bars, as many at once as one statement takes. */
export const barLines = (rows: readonly BarRow[]): BarLines[] => {
  const line = lineWriter();
  const lines: BarLines[] = [];
  for (let start = 0; start < rows.length; start += LINES_AT_ONCE) {
    const part = rows.slice(start, start + LINES_AT_ONCE);
    lines.push({ text: part.map(line).join(""), bars: part.length });
  }
  return lines;
};

export const barsOfLines = ({ text }: BarLines): BarRow[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [symbol = "", interval, start = "", open = "", high = "", low = "", close = "", volume = "", isClosed, source = ""] =
        line.split("\t");
      return {
        symbol: unescaped(symbol),
        interval: interval as Interval, // as `lineWriter` wrote it
        barStartMs: Date.parse(start),
        open: orNull(open),
        high: orNull(high),
        low: orNull(low),
        close,
        volume: orNull(volume),
        isClosed: isClosed === "t",
        sourceId: unescaped(source),
      };
    });
