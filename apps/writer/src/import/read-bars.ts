/** A file's rows as bars, each checked, in batches: what is read once to be checked and once more to be written. */
import { type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import { type BarRow, type BarRule, type DailySymbol, validateBar } from "@assay/pricing";
import { BadRow, clipped, ImportError } from "./import-error.ts";
import type { Layout } from "./layout.ts";
import { priceCheck } from "./price-check.ts";
import { scaler } from "./scale.ts";
import { openFile, type SourceFile } from "./source-file.ts";
import { SplitError, splitRows } from "./split-rows.ts";
import { StartSet } from "./start-set.ts";
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
  /** What prices are multiplied by; 1 when left out. */
  readonly scale?: DecimalText | undefined;
  /** Whether rows without a volume, or with one of 0, are passed over. */
  readonly isDroppingEmptyVolume?: boolean | undefined;
  /** Whether rows that break a rule are passed over. */
  readonly isSkippingBadRows?: boolean | undefined;
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
  /** Hears of rows that break a rule, which are passed over then. */
  readonly onBadRow?: (row: BadRow) => void;
  /** Hears of rows that are passed over for their volume. */
  readonly onDropped?: () => void;
  /** Takes the starts that are read. */
  readonly starts?: StartSet;
  /** The digest the bytes must have. */
  readonly digest?: string;
  readonly signal?: AbortSignal;
}

type Fields = readonly string[];
type PriceField = "open" | "high" | "low" | "close" | "volume";

const EMPTY_VOLUME = /^(?:0+(?:\.0+)?)?$/;

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
const barMaker = (source: BarSource, starts: StartSet) => {
  const { file, layout, symbol, interval, zone, nowMs } = source;
  const { form, timeForm } = layout;
  const sourceId = `import:${form.format}`;
  const lengthMs = INTERVAL_MS[interval];
  const scaled = scaler(source.scale);
  const checkPrices = priceCheck(symbol);
  let previousMs = Number.NEGATIVE_INFINITY;

  /** Names a field as the file's header does. */
  const named = (field: string): string => {
    const place = field in layout ? layout[field as PriceField] : -1; // one of the layout's columns, or none of them
    const name = layout.names[place];
    return name === undefined || name.trim().toLowerCase() === field
      ? field
      : `${field} (column ${JSON.stringify(clipped(name))})`;
  };
  const bad = (line: number, field: string, message: string) => new BadRow(file.path, line, named(field), message);

  const startOf = (fields: Fields, line: number): number => {
    const date = fields[layout.date] ?? "";
    const text = layout.time < 0 ? date : `${date} ${fields[layout.time]}`;
    const refuse = (message: string) => bad(line, "bar_start", `${JSON.stringify(clipped(text))} ${message}`);
    const found = timeForm.pattern.exec(text);
    if (!found) throw refuse(`is no time of the ${form.format} form, which is written like ${timeForm.example}`);
    const { wallMs, offsetMs, isDay } = timeForm.read(found);
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
    if (text === "" || (form.isZeroVolumeNone && EMPTY_VOLUME.test(text))) return null;
    return text;
  };

  const isClosed = (fields: Fields, startMs: number, line: number): boolean => {
    const text = layout.isClosed < 0 ? "true" : fields[layout.isClosed];
    if (text !== "true" && text !== "false") {
      throw bad(line, "is_closed", `${JSON.stringify(clipped(text ?? ""))} is neither true nor false`);
    }
    return text === "true" && startMs + lengthMs <= nowMs;
  };

  /** @returns null for a row that is dropped for its volume */
  return (fields: Fields, line: number): BarRow | null => {
    if (fields.length !== layout.width) {
      throw bad(line, "row", `it has ${fields.length} columns instead of ${layout.width}`);
    }
    if (source.isDroppingEmptyVolume && EMPTY_VOLUME.test(fields[layout.volume] ?? "")) return null;
    const barStartMs = startOf(fields, line);
    const bar: BarRow = {
      symbol,
      interval,
      barStartMs,
      open: scaled(fields[layout.open] ?? ""),
      high: scaled(fields[layout.high] ?? ""),
      low: scaled(fields[layout.low] ?? ""),
      close: scaled(fields[layout.close] ?? ""),
      volume: volumeOf(fields),
      isClosed: isClosed(fields, barStartMs, line),
      sourceId,
    };
    const verdict = validateBar(bar, nowMs);
    if (!verdict.ok) throw bad(line, ...explain(verdict.rule, verdict.detail, bar));
    const strange = checkPrices(bar);
    if (strange) throw new BadRow(file.path, line, named(strange[0]), strange[1], true);
    if (!starts.add(barStartMs)) {
      const start = new Date(barStartMs).toISOString();
      throw bad(line, "bar_start", `the bar of ${start} stands in an earlier line already`);
    }
    previousMs = barStartMs;
    return bar;
  };
};

const translate = (file: SourceFile, error: unknown): unknown =>
  error instanceof SplitError ? new BadRow(file.path, error.line, "row", error.message) : error;

/**
 * Reads a file's bars in the order they stand in.
 * @yields a thousand or so at a time
 * @throws ImportError that names the file, the line and the field of the first row that breaks a rule, when nobody else
 * hears of it and bad rows are not skipped; and of text that is no CSV, after which nothing can be read
 */
export async function* readFileBars(source: BarSource, options: ReadOptions = {}): AsyncGenerator<FileRow[]> {
  const { onBytes, onBadRow, onDropped, starts, digest, signal } = options;
  const { file, layout, isSkippingBadRows, interval } = source;
  const opened = openFile(file, onBytes);
  const makeBar = barMaker(source, starts ?? new StartSet(INTERVAL_MS[interval]));
  let line = 0;
  let batch: FileRow[] = [];
  const take = (fields: Fields): void => {
    try {
      const bar = makeBar(fields, line);
      if (bar) batch.push({ line, bar });
      else onDropped?.();
    } catch (error) {
      if (!(error instanceof BadRow) || !(onBadRow || isSkippingBadRows)) throw error;
      onBadRow?.(error);
    }
  };
  try {
    for await (const rows of splitRows(opened.stream, layout.delimiter)) {
      for (const fields of rows) {
        line += 1;
        if ((line === 1 && layout.hasHeader) || (fields.length === 1 && fields[0] === "")) continue;
        take(fields);
      }
      signal?.throwIfAborted();
      if (batch.length < BATCH) continue;
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
