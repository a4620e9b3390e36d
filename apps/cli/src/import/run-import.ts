/** Imports files: all of them are checked before any is written. */
import { BAR_SYMBOLS, INTERVAL_MS, type Interval } from "@assay/contract";
import {
  analyze,
  closeOldBars,
  findImport,
  noteReplacedBars,
  readImports,
  readNewestBars,
  recordImport,
  type Store,
} from "@assay/db";
import type { Clock } from "@assay/ports";
import { bucketStart, type DailySymbol } from "@assay/pricing";
import type { Progress } from "@assay/process/progress";
import { checkFile, type FileSummary } from "./check/check-file.ts";
import { ImportError } from "./import-error.ts";
import { type Layout, type LayoutOptions, recogniseLayout } from "./read/layout.ts";
import { type BarSource, type RowOptions, sourceIdOf } from "./read/read-bars.ts";
import { digestOf, headOf, inspectFile } from "./read/source-file.ts";
import { readZone, type Zone, zoneNeeded } from "./read/zone.ts";
import { reportFile } from "./report.ts";
import { type Coverage, coarserIntervals } from "./stored-bars.ts";
import { DayCopy, NOTHING_TAKEN, type TakenDays } from "./write/copy-days.ts";
import { coverageOf, writeFile } from "./write/write-file.ts";

/** What to import; what is not specified of a file's form is detected for each file. */
export interface ImportRequest extends RowOptions, Omit<LayoutOptions, "isZoneNamed"> {
  readonly files: readonly string[];
  /** The zone of times that do not state one; the format's own when omitted. */
  readonly zone?: Zone | undefined;
  readonly isAggregating: boolean;
  /** Whether the bars in the files' time range are removed first. */
  readonly isReplacing?: boolean | undefined;
  /** Whether files imported before are imported again. */
  readonly isForced: boolean;
  /** Why they are imported, as corrections name it. */
  readonly note?: string | undefined;
}

export interface ImportTools {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock: Clock;
  readonly progress: Progress;
  readonly say: (line: string) => void;
  /** Prints a line about a skipped row; like `say` when omitted. */
  readonly warn?: (line: string) => void;
  /** Notifies running servers that bars of a series were replaced. */
  readonly announce: (symbol: DailySymbol) => Promise<void>;
  readonly signal: AbortSignal;
}

interface PendingFile {
  readonly source: BarSource;
  readonly digest: string;
}

interface CheckedFile extends PendingFile {
  readonly summary: FileSummary;
  readonly taken: TakenDays;
  readonly tookMs: number;
}

/**
 * Refuses intervals a series does not have.
 * @throws ImportError
 */
const isServed = (symbol: DailySymbol): boolean => BAR_SYMBOLS.some((each) => each === symbol);

const requireInterval = (symbol: DailySymbol, interval: Interval): void => {
  if (interval !== "1d" && !isServed(symbol)) {
    throw new ImportError(`${symbol} has only daily bars; --interval must be 1d, not ${interval}`);
  }
};

const zoneOf = (path: string, layout: Layout, request: ImportRequest): Zone => {
  if (request.zone) return request.zone;
  const { zone } = layout.form;
  // If the first row is invalid, the file is refused for it.
  const isSettled =
    layout.timeForm.isZoned || request.interval === "1d" || (layout.timesRead === 0 && !request.isSkippingBadRows);
  if (zone === null && !isSettled) throw zoneNeeded(path, layout);
  const known = readZone(zone ?? "UTC");
  if (!known) throw new ImportError(`${path}: the zone ${zone} of its format is unknown on this system; pass --timezone`);
  return known;
};

/** Detects a file's form from its first lines. */
const recogniseFile = async (path: string, place: string, request: ImportRequest, nowMs: number): Promise<BarSource> => {
  const file = await inspectFile(path, place);
  const layout = recogniseLayout(path, await headOf(file), { ...request, isZoneNamed: request.zone !== undefined });
  if (request.isDroppingEmptyVolume && layout.volume < 0) {
    throw new ImportError(`${path}: it has no volume column, which --drop-empty-volume needs; pass --map volume=NAME`);
  }
  return { ...request, file, layout, zone: zoneOf(path, layout, request), nowMs };
};

const pendingFiles = async (
  sources: readonly BarSource[],
  request: ImportRequest,
  tools: ImportTools,
): Promise<PendingFile[]> => {
  const pending = new Map<string, PendingFile>();
  for (const source of sources) {
    const { file, symbol, interval } = source;
    const digest = await digestOf(file);
    const twin = pending.get(digest);
    const record = request.isForced ? null : await findImport(tools.store, { fileDigest: digest, symbol, interval });
    if (twin) tools.say(`${file.path}: skipped, it is identical to ${twin.source.file.path}`);
    else if (record) {
      const finishedAt = new Date(record.finishedAtMs).toISOString();
      tools.say(`${file.path}: skipped, its ${record.rows} rows were imported at ${finishedAt}; --force imports them again`);
    } else pending.set(digest, { source, digest });
  }
  return [...pending.values()];
};

/** Checks a file, and copies what can be written early. */
const checkPending = async (pending: PendingFile, copy: DayCopy, tools: ImportTools): Promise<CheckedFile> => {
  const { clock, progress, signal } = tools;
  const startedMs = clock();
  const { source, digest } = pending;
  const step = progress.step(`checking ${source.file.path}`, source.file.bytes);
  const onBytes = (bytes: number): void => step.advance(bytes);
  const fileCopy = copy.file(source);
  try {
    const summary = await checkFile(source, { onBytes, onRows: fileCopy.take, digest, signal });
    const taken = await fileCopy.end(summary);
    return { ...pending, summary, taken, tookMs: clock() - startedMs };
  } finally {
    step.done();
  }
};

/** The ranges of earlier imports: of this file, and of others. */
const earlierImports = async (store: Store, { symbol, interval }: BarSource, fileDigest: string) => {
  const ranges = (await readImports(store, { symbol, interval })).flatMap(({ firstStartMs, lastStartMs, ...record }) => {
    if (firstStartMs === null || lastStartMs === null) return [];
    return [{ fileDigest: record.fileDigest, fromMs: firstStartMs, untilMs: lastStartMs + INTERVAL_MS[interval] }];
  });
  return {
    earlier: ranges.find((range) => range.fileDigest === fileDigest) ?? null,
    others: ranges.filter((range) => range.fileDigest !== fileDigest),
  };
};

/** Refuses files when one would remove what another has just imported. */
const requireApart = (files: readonly CheckedFile[]): void => {
  const ordered = files.toSorted((a, b) => a.summary.firstStartMs - b.summary.firstStartMs);
  for (const [index, file] of ordered.entries()) {
    const next = ordered[index + 1];
    if (!next || coverageOf(next).fromMs >= coverageOf(file).untilMs) continue;
    const paths = `${file.source.file.path} and ${next.source.file.path}`;
    throw new ImportError(`${paths}: their bars overlap in time; with --replace, import them one after the other`);
  }
};

const intervalsOf = ({ interval, isAggregating }: ImportRequest): readonly Interval[] =>
  isAggregating ? [interval, ...coarserIntervals(interval)] : [interval];

/** The days of the bars that are forming before an import, which then may have newer ones behind them. */
const formingDays = async (store: Store, request: ImportRequest): Promise<Set<number>> => {
  const newest = await readNewestBars(store, request.symbol, intervalsOf(request));
  return new Set(newest.filter(({ isClosed }) => !isClosed).map(({ barStartMs }) => bucketStart(barStartMs, "1d")));
};

const importFile = async (
  { source, digest, summary, taken, tookMs }: CheckedFile,
  siblings: readonly Coverage[],
  request: ImportRequest,
  tools: ImportTools,
  formingDaysMs: Set<number>,
): Promise<void> => {
  const { clock, progress, say, warn = say, announce, signal } = tools;
  const { isAggregating, isReplacing = false, note = null } = request;
  const store: Store = { ...tools.store, importing: { source: sourceIdOf(source), note } };
  const { symbol, interval, file } = source;
  const startedMs = clock();
  const step = progress.step(`writing ${file.path}`, summary.rows);
  const onRows = (rows: number): void => step.advance(rows);
  const { earlier, others } = await earlierImports(store, source, digest);
  const replacing = isReplacing ? { earlier, others: [...others, ...siblings] } : null;
  const write = { store, source, summary, digest, taken, isAggregating, replacing, signal, clock, onRows };
  const { written, removed, fromMs, untilMs, ...forming } = await writeFile(write).finally(() => step.done());
  for (const dayMs of forming.formingDaysMs) formingDaysMs.add(dayMs);
  for (const dayMs of await closeOldBars(store, symbol, intervalsOf(request), [...formingDaysMs]))
    await noteReplacedBars(store, symbol, dayMs, dayMs);
  await noteReplacedBars(store, symbol, fromMs, untilMs - 1);
  await analyze(store);
  // The record is written last: after a failure everything is redone on the next run.
  await announce(symbol);
  const { rows } = summary;
  // Without --replace, the bars an earlier import wrote elsewhere still exist.
  const here = [coverageOf({ source, summary }), ...(earlier && !isReplacing ? [earlier] : [])];
  const firstStartMs = Math.min(...here.map((each) => each.fromMs));
  const lastStartMs = Math.max(...here.map((each) => each.untilMs)) - INTERVAL_MS[interval];
  await recordImport(store, { fileDigest: digest, symbol, interval, rows, finishedAtMs: clock(), firstStartMs, lastStartMs });
  say(reportFile(source, summary, written, tookMs + clock() - startedMs, isReplacing ? removed : null));
  for (const line of summary.bad.lines()) warn(line);
};

/**
 * Inspects every file quickly, so that obvious errors are reported before a store is opened.
 * @param nowMs now; bars that end after it are forming
 * @param places where the files are, in their order; under their names by default
 * @throws ImportError for a file that cannot be read, or has an unknown form
 */
export const planImport = async (
  request: ImportRequest,
  nowMs: number,
  places: readonly string[] = request.files,
): Promise<readonly BarSource[]> => {
  requireInterval(request.symbol, request.interval);
  const sources: BarSource[] = [];
  for (const [index, path] of request.files.entries()) {
    const place = places[index];
    if (place === undefined) throw new ImportError(`${path}: it was not sent`);
    sources.push(await recogniseFile(path, place, request, nowMs));
  }
  return sources;
};

/**
 * Imports files into a series.
 * @param sources the files, as planned
 * @throws ImportError for anything the operator must fix; files written before it are kept
 */
export const runImport = async (sources: readonly BarSource[], request: ImportRequest, tools: ImportTools): Promise<void> => {
  const { warn = tools.say } = tools;
  if (!isServed(request.symbol)) {
    warn(`${request.symbol} is in the catalogue for ratios alone; its bars are not served until CATALOG has its spot price`);
  }
  const pending = await pendingFiles(sources, request, tools);
  const formingDaysMs = await formingDays(tools.store, request);
  const copy = new DayCopy(tools.store, request);
  const checked: CheckedFile[] = [];
  const checkAll = async (): Promise<boolean> => {
    for (const file of pending) checked.push(await checkPending(file, copy, tools));
    if (request.isReplacing) requireApart(checked);
    return copy.finish();
  };
  const isIn = await checkAll().catch(async (error: unknown) => {
    await copy.abandon();
    throw error;
  });
  for (const file of checked) {
    const siblings = checked.filter((other) => other !== file).map(coverageOf);
    if (file.summary.isLastForming) formingDaysMs.add(bucketStart(file.summary.lastStartMs, "1d"));
    await importFile(isIn ? file : { ...file, taken: NOTHING_TAKEN }, siblings, request, tools, formingDaysMs);
  }
};
