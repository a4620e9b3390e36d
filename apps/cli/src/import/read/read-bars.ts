/** The row reader: reads a file's rows as validated bars, in batches; once to check them and once to write them. */
import { type DecimalText, INTERVAL_MS, type Interval, SplitError } from "@assay/contract";
import {
  type BarRow,
  type BarRule,
  compareDecimalText,
  type DailySymbol,
  type PriceBounds,
  priceBoundsAt,
  validateBar,
} from "@assay/pricing";
import { StartSet } from "../check/starts.ts";
import { BadRow, clipped, ImportError } from "../import-error.ts";
import { type DecimalMark, figureFault, figureReader, NO_FIGURE, scaler, volumeReader } from "./figures.ts";
import type { Layout } from "./layout.ts";
import { openFile, type SourceFile, splitRows } from "./source-file.ts";
import { onLongClock, timeFault } from "./times.ts";
import type { Zone } from "./zone.ts";

/** Rows per batch. */
const BATCH = 1_000;

export interface RowOptions {
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  /** What separates the decimals of figures; a point when omitted. */
  readonly decimal?: DecimalMark | undefined;
  /** The factor for prices; 1 when omitted. */
  readonly scale?: DecimalText | undefined;
  /** Who the bars are from, for their `source_id`; the file's format when omitted. */
  readonly sourceName?: string | undefined;
  readonly isCloseOnly?: boolean | undefined;
  /** Whether rows with no volume, or a volume of 0, are skipped. */
  readonly isDroppingEmptyVolume?: boolean | undefined;
  readonly isSkippingBadRows?: boolean | undefined;
}

/** What to read, and how to interpret it. */
export interface BarSource extends RowOptions {
  readonly file: SourceFile;
  readonly layout: Layout;
  /** The zone of times that do not state one. */
  readonly zone: Zone;
  /** Bars that end after this are forming. */
  readonly nowMs: number;
}

export interface FileRow {
  readonly line: number;
  readonly bar: BarRow;
}

export interface ReadOptions {
  readonly onBytes?: (bytes: number) => void;
  /** Called with each invalid row, which is then skipped. */
  readonly onBadRow?: (row: BadRow) => void;
  /** Called for each row skipped for what it does not have: a volume, or a close. */
  readonly onDropped?: () => void;
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

/** The out-of-bounds field, and what is wrong with it; null when all are plausible. */
type PriceCheck = (bar: BarRow) => readonly [field: string, message: string] | null;

/** Creates the check of one series. Values within a range already accepted are not checked again. */
const priceCheck = (symbol: DailySymbol): PriceCheck => {
  let bounds: PriceBounds | null = null;
  return ({ low: lowest, high: highest, close, barStartMs }) => {
    const [low, high] = [lowest ?? close, highest ?? close];
    if (bounds === null || barStartMs < bounds.fromMs || barStartMs >= bounds.untilMs) bounds = priceBoundsAt(symbol, barStartMs);
    const isLow = compareDecimalText(low, bounds.low) < 0;
    if (!isLow && compareDecimalText(high, bounds.high) <= 0) return null;
    const [field, price] = isLow ? [lowest === null ? "close" : "low", low] : [highest === null ? "close" : "high", high];
    return [
      field,
      `the price check failed: ${price} is not between ${bounds.low} and ${bounds.high} USD, where ${symbol} was around ` +
        `${new Date(barStartMs).getUTCFullYear()}`,
    ];
  };
};

type Refuse = (line: number, field: string, message: string, isStrangePrice?: boolean) => BadRow;

/** Fields are named as in the file's header. */
const refuser = ({ file, layout }: BarSource): Refuse => {
  const named = (field: string): string => {
    const place = field in layout ? layout[field as PriceField] : -1; // one of the layout's columns, or none of them
    const name = layout.names[place];
    return name === undefined || name.trim().toLowerCase() === field
      ? field
      : `${field} (column ${JSON.stringify(clipped(name))})`;
  };
  return (line, field, message, isStrangePrice) => new BadRow(file.path, line, named(field), message, isStrangePrice);
};

/** Reads when a row's bar starts, given the start of the bar before it. */
const startReader = ({ layout, interval, zone }: BarSource, refuse: Refuse) => {
  const { form, timeForm } = layout;
  return (fields: Fields, line: number, previousMs: number): number => {
    const date = fields[layout.date] ?? "";
    const written = layout.time < 0 ? date : `${date} ${fields[layout.time]}`;
    const text = onLongClock(written);
    const bad = (message: string) => refuse(line, "bar_start", `${JSON.stringify(clipped(written))} ${message}`);
    const found = timeForm.pattern.exec(text);
    if (!found) throw bad(timeFault(text) ?? `is not a time of the ${form.format} format, such as ${timeForm.example}`);
    const { wallMs, offsetMs, isDay } = timeForm.read(found);
    if (Number.isNaN(wallMs) || Number.isNaN(offsetMs)) throw bad("is not a valid date and time");
    // A daily bar is named by its date, in whatever zone it was recorded.
    if (interval === "1d") {
      if (wallMs % INTERVAL_MS["1d"] !== 0) throw bad("is not the start of a daily bar (00:00); check --interval");
      return wallMs;
    }
    if (isDay) throw bad(`is a day without a time, but --interval is ${interval}`);
    if (offsetMs !== null) return wallMs - offsetMs;
    const startMs = zone.instantOf(wallMs, previousMs);
    if (Number.isNaN(startMs)) throw bad(`was skipped by the clocks of ${zone.name}`);
    return startMs;
  };
};

/** Reads a row's prices and volume. */
const figuresReader = ({ layout, decimal, scale, ...source }: BarSource, refuse: Refuse) => {
  const { form } = layout;
  const scaled = scaler(scale);
  const figure = figureReader(decimal);
  const volume = volumeReader(figure);

  const isEmptyVolume = (fields: Fields): boolean => {
    const text = fields[layout.volume] ?? "";
    return EMPTY_VOLUME.test(volume(text) ?? text) || NO_FIGURE.test(text);
  };

  const figureOf = (fields: Fields, field: PriceField, line: number): DecimalText => {
    const text = fields[layout[field]] ?? "";
    const plain = field === "volume" ? volume(text) : figure(text);
    if (plain !== null) return plain;
    const isWithout = text !== "" && layout.volume >= 0 && NO_FIGURE.test(text) && isEmptyVolume(fields);
    const fault = isWithout
      ? "is no figure; pass --drop-empty-volume to leave out rows without a volume"
      : figureFault(text, decimal);
    throw refuse(line, field, `${JSON.stringify(text)} ${fault}`);
  };

  const volumeOf = (fields: Fields, line: number): DecimalText | null => {
    if (layout.volume < 0 || fields[layout.volume] === "") return null;
    return form.isZeroVolumeNone && isEmptyVolume(fields) ? null : figureOf(fields, "volume", line);
  };

  /** Assay's own archives have bars of their close alone among others. */
  const isCloseOnly = (fields: Fields): boolean =>
    source.isCloseOnly === true ||
    (form.format === "assay" && [layout.open, layout.high, layout.low].every((at) => fields[at] === ""));

  const pricesOf = (fields: Fields, line: number): Pick<BarRow, "open" | "high" | "low" | "close"> => {
    const priceOf = (field: PriceField): DecimalText => scaled(figureOf(fields, field, line));
    const known = isCloseOnly(fields)
      ? { open: null, high: null, low: null }
      : { open: priceOf("open"), high: priceOf("high"), low: priceOf("low") };
    return { ...known, close: priceOf("close") };
  };

  return { isEmptyVolume, volumeOf, pricesOf };
};

/** The `source_id` of a file's bars. */
export const sourceIdOf = ({ sourceName, layout }: BarSource): string => `import:${sourceName ?? layout.form.format}`;

/** Builds bars from rows, one at a time. */
const barMaker = (source: BarSource, starts: StartSet) => {
  const { layout, symbol, interval, nowMs } = source;
  const refuse = refuser(source);
  const startOf = startReader(source, refuse);
  const { isEmptyVolume, volumeOf, pricesOf } = figuresReader(source, refuse);
  const checkPrices = priceCheck(symbol);
  const sourceId = sourceIdOf(source);
  let previousMs = Number.NEGATIVE_INFINITY;

  const isClosed = (fields: Fields, startMs: number, line: number): boolean => {
    const text = layout.isClosed < 0 ? "true" : fields[layout.isClosed];
    if (text !== "true" && text !== "false") {
      throw refuse(line, "is_closed", `${JSON.stringify(clipped(text ?? ""))} is neither true nor false`);
    }
    return text === "true" && startMs + INTERVAL_MS[interval] <= nowMs;
  };

  /** @returns null for a row skipped for what it does not have */
  return (fields: Fields, line: number): BarRow | null => {
    if (fields.length !== layout.width) {
      throw refuse(line, "row", `it has ${fields.length} columns instead of ${layout.width}`);
    }
    if (source.isDroppingEmptyVolume && isEmptyVolume(fields)) return null;
    if (source.isCloseOnly && NO_FIGURE.test(fields[layout.close] ?? "")) return null;
    const barStartMs = startOf(fields, line, previousMs);
    const bar: BarRow = {
      symbol,
      interval,
      barStartMs,
      ...pricesOf(fields, line),
      volume: volumeOf(fields, line),
      isClosed: isClosed(fields, barStartMs, line),
      sourceId,
    };
    const verdict = validateBar(bar, nowMs);
    if (!verdict.ok) throw refuse(line, ...explain(verdict.rule, verdict.detail, bar));
    const strange = checkPrices(bar);
    if (strange) throw refuse(line, ...strange, true);
    if (!starts.add(barStartMs)) {
      throw refuse(line, "bar_start", `the bar of ${new Date(barStartMs).toISOString()} is already on an earlier line`);
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
    for await (const rows of splitRows(opened.text, layout.delimiter)) {
      for (const fields of rows) {
        line += 1;
        // A blank line, or one that a spreadsheet has cleared.
        if (line <= layout.headerLines || fields.every((field) => field === "")) continue;
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
    opened.close();
  }
  if (digest !== undefined && opened.digest() !== digest) {
    throw new ImportError(`${file.path}: the file changed while it was being read; run the import again`);
  }
}
