/** A file's rows as bars, each checked, in batches: what is read once to be checked and once more to be written. */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import { type BarRow, type BarRule, type DailySymbol, validateBar } from "@assay/pricing";
import { ImportError, rowError } from "./import-error.ts";
import type { Layout } from "./layout.ts";
import { openFile, type SourceFile } from "./source-file.ts";
import { SplitError, splitRows } from "./split-rows.ts";
import type { Zone } from "./zone.ts";

/** Rows handed out together. */
const BATCH = 1_000;

/** What is read, and as what. */
export interface BarSource {
  readonly file: SourceFile;
  readonly layout: Layout;
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  /** The zone of times that state none. */
  readonly zone: Zone;
  /** Bars whose time is not over by then are forming. */
  readonly nowMs: number;
}

/** A bar and where it stands. */
export interface FileRow {
  readonly line: number;
  readonly bar: BarRow;
}

/** How a reading may be watched. */
export interface ReadOptions {
  /** Hears of bytes as they are read. */
  readonly onBytes?: (bytes: number) => void;
  /** The digest the bytes must have. */
  readonly digest?: string;
  readonly signal?: AbortSignal;
}

type Fields = readonly string[];

const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** Says what a broken rule means to whoever wrote the file; the other rules' details name their field themselves. */
const explain = (rule: BarRule, detail: string, bar: BarRow): readonly [field: string, message: string] => {
  if (rule === "misaligned") {
    return ["bar_start", `${iso(bar.barStartMs)} is no start of a ${bar.interval} bar in UTC; do --interval and --timezone fit?`];
  }
  if (rule === "from_the_future") return ["bar_start", `${iso(bar.barStartMs)} lies in the future; does --timezone fit?`];
  const [, field = "row", rest = detail] = /^(open|high|low|close|volume) (.*)$/s.exec(detail) ?? [];
  const reason = {
    malformed: "is no plain decimal",
    not_positive: `is ${field === "volume" ? "below" : "not above"} zero`,
    too_large: "is too large",
  };
  return [field, rule === "inconsistent" ? `${rest}` : `${rest} ${reason[rule]}`];
};

/** Makes bars of rows, one after the other. */
const barMaker = ({ file, layout, symbol, interval, zone, nowMs }: BarSource) => {
  const { form } = layout;
  const sourceId = `import:${form.format}`;
  const lengthMs = INTERVAL_MS[interval];
  let previousMs = Number.NEGATIVE_INFINITY;

  const startOf = (fields: Fields, line: number): number => {
    const date = fields[layout.date] ?? "";
    const text = layout.time < 0 ? date : `${date} ${fields[layout.time]}`;
    const refuse = (message: string) => rowError(file.path, line, "bar_start", `${JSON.stringify(text)} ${message}`);
    const found = form.time.exec(text);
    if (!found) throw refuse(`is no time of the ${form.format} form`);
    const { wallMs, offsetMs, isDay } = form.readTime(found);
    if (Number.isNaN(wallMs) || Number.isNaN(offsetMs)) throw refuse("is no date and time there is");
    // A day's bar is named by its date, whatever the zone of the clock it was kept by.
    if (interval === "1d") {
      if (wallMs % lengthMs !== 0) throw refuse("is no start of a daily bar, which begins at 00:00; does --interval fit?");
      return wallMs;
    }
    if (isDay) throw refuse(`is a day without a time, but --interval is ${interval}`);
    if (offsetMs !== null) return wallMs - offsetMs;
    const startMs = zone.instantOf(wallMs, previousMs);
    if (Number.isNaN(startMs)) throw refuse(`was skipped by the clocks of ${zone.name}`);
    return startMs;
  };

  const volumeOf = (fields: Fields): string | null => {
    const text = layout.volume < 0 ? "" : (fields[layout.volume] ?? "");
    if (text === "" || (form.isZeroVolumeNone && /^0+(\.0+)?$/.test(text))) return null;
    return text;
  };

  const isClosed = (fields: Fields, startMs: number, line: number): boolean => {
    const text = layout.isClosed < 0 ? "true" : fields[layout.isClosed];
    if (text !== "true" && text !== "false")
      throw rowError(file.path, line, "is_closed", `${JSON.stringify(text)} is neither true nor false`);
    return text === "true" && startMs + lengthMs <= nowMs;
  };

  return (fields: Fields, line: number): BarRow => {
    if (fields.length !== layout.width) {
      throw rowError(file.path, line, "row", `it has ${fields.length} columns instead of ${layout.width}`);
    }
    const barStartMs = startOf(fields, line);
    const bar: BarRow = {
      symbol,
      interval,
      barStartMs,
      open: fields[layout.open] ?? "",
      high: fields[layout.high] ?? "",
      low: fields[layout.low] ?? "",
      close: fields[layout.close] ?? "",
      volume: volumeOf(fields),
      isClosed: isClosed(fields, barStartMs, line),
      sourceId,
    };
    const verdict = validateBar(bar, nowMs);
    if (!verdict.ok) throw rowError(file.path, line, ...explain(verdict.rule, verdict.detail, bar));
    previousMs = barStartMs;
    return bar;
  };
};

const translate = (file: SourceFile, error: unknown): unknown =>
  error instanceof SplitError ? rowError(file.path, error.line, "row", error.message) : error;

/**
 * Reads a file's bars in the order they stand in.
 * @yields a thousand or so at a time
 * @throws ImportError that names the file, the line and the field of the first row that breaks a rule
 */
export async function* readFileBars(source: BarSource, { onBytes, digest, signal }: ReadOptions = {}): AsyncGenerator<FileRow[]> {
  const { file, layout } = source;
  const opened = openFile(file, onBytes);
  const makeBar = barMaker(source);
  let line = 0;
  let batch: FileRow[] = [];
  try {
    for await (const rows of splitRows(opened.stream, layout.form.delimiter)) {
      for (const fields of rows) {
        line += 1;
        if ((line === 1 && layout.hasHeader) || (fields.length === 1 && fields[0] === "")) continue;
        batch.push({ line, bar: makeBar(fields, line) });
      }
      if (batch.length < BATCH) continue;
      signal?.throwIfAborted();
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw opened.translate(translate(file, error));
  } finally {
    opened.stream.destroy();
  }
  if (digest !== undefined && opened.digest() !== digest) {
    throw new ImportError(`${file.path}: the file changed while it was being read; start the import again`);
  }
}
