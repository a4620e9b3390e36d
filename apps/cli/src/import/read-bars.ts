/** Reads a file's rows as validated bars, in batches: once to check them and once to write them. */
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

/** Rows per batch. */
const BATCH = 1_000;

/** What to read, and how to interpret it. */
export interface BarSource {
  readonly file: SourceFile;
  readonly layout: Layout;
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  /** The zone of times that do not state one. */
  readonly zone: Zone;
  /** Bars that end after this are forming. */
  readonly nowMs: number;
  /** The factor for prices; 1 when omitted. */
  readonly scale?: DecimalText | undefined;
  /** Whether rows with no volume, or a volume of 0, are skipped. */
  readonly isDroppingEmptyVolume?: boolean | undefined;
  /** Whether invalid rows are skipped. */
  readonly isSkippingBadRows?: boolean | undefined;
}

/** A bar and its line in the file. */
export interface FileRow {
  readonly line: number;
  readonly bar: BarRow;
}

/** Callbacks of a read. */
export interface ReadOptions {
  /** Called with the number of bytes read. */
  readonly onBytes?: (bytes: number) => void;
  /** Called with each invalid row, which is then skipped. */
  readonly onBadRow?: (row: BadRow) => void;
  /** Called for each row skipped for its volume. */
  readonly onDropped?: () => void;
  /** Collects the starts read. */
  readonly starts?: StartSet;
  /** The digest the bytes must have. */
  readonly digest?: string;
  readonly signal?: AbortSignal;
}

type Fields = readonly string[];
type PriceField = "open" | "high" | "low" | "close" | "volume";

const EMPTY_VOLUME = /^(?:0+(?:\.0+)?)?$/;

const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** Explains a failed rule to the file's author; the details of the other rules name their field themselves. */
const explain = (rule: BarRule, detail: string, bar: BarRow): readonly [field: string, message: string] => {
  if (rule === "misaligned") {
    return [
      "bar_start",
      `${iso(bar.barStartMs)} is not the start of a ${bar.interval} bar in UTC; check --interval and --timezone`,
    ];
  }
  if (rule === "from_the_future") return ["bar_start", `${iso(bar.barStartMs)} is in the future; check --timezone`];
  const [, field = "row", rest = detail] = /^(open|high|low|close|volume) (.*)$/s.exec(detail) ?? [];
  const reason = {
    malformed: "is not a plain decimal",
    not_positive: `is ${field === "volume" ? "below" : "not above"} zero`,
    too_large: "is too large",
  };
  return [field, rule === "inconsistent" ? `${rest}` : `${rest} ${reason[rule]}`];
};

/** Builds bars from rows, one at a time. */
const barMaker = (source: BarSource, starts: StartSet) => {
  const { file, layout, symbol, interval, zone, nowMs } = source;
  const { form, timeForm } = layout;
  const sourceId = `import:${form.format}`;
  const lengthMs = INTERVAL_MS[interval];
  const scaled = scaler(source.scale);
  const checkPrices = priceCheck(symbol);
  let previousMs = Number.NEGATIVE_INFINITY;

  /** The name of a field as in the file's header. */
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
    if (!found) throw refuse(`is not a time of the ${form.format} format, such as ${timeForm.example}`);
    const { wallMs, offsetMs, isDay } = timeForm.read(found);
    if (Number.isNaN(wallMs) || Number.isNaN(offsetMs)) throw refuse("is not a valid date and time");
    // A daily bar is named by its date, in whatever zone it was recorded.
    if (interval === "1d") {
      if (wallMs % lengthMs !== 0) throw refuse("is not the start of a daily bar (00:00); check --interval");
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

  /** @returns null for a row skipped for its volume */
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
      throw bad(line, "bar_start", `the bar of ${start} is already on an earlier line`);
    }
    previousMs = barStartMs;
    return bar;
  };
};

const translate = (file: SourceFile, error: unknown): unknown =>
  error instanceof SplitError ? new BadRow(file.path, error.line, "row", error.message) : error;

/**
 * Reads a file's bars in file order.
 * @yields batches of about a thousand
 * @throws ImportError naming the file, line and field of the first invalid row, unless invalid rows are skipped or passed to
 * the callback; and for malformed CSV, after which nothing can be parsed
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
    throw new ImportError(`${file.path}: the file changed while it was being read; run the import again`);
  }
}
