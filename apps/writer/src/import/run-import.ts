/** An import from its first file to its last: every file is checked before any is written. */
import type { Interval } from "@assay/contract";
import { analyze, findImport, noteReplacedBars, recordImport, type Store } from "@assay/db";
import type { DailySymbol } from "@assay/pricing";
import { checkFile, type FileSummary } from "./check-file.ts";
import { DayCopy, NOTHING_TAKEN, type TakenDays } from "./copy-days.ts";
import type { ImportFormat } from "./form.ts";
import { ImportError } from "./import-error.ts";
import { recogniseLayout } from "./layout.ts";
import type { ImportProgress } from "./progress.ts";
import type { BarSource } from "./read-bars.ts";
import { reportFile } from "./report.ts";
import { digestOf, headOf, inspectFile } from "./source-file.ts";
import { requireInterval } from "./symbols.ts";
import { writeFile } from "./write-file.ts";
import { readZone, type Zone } from "./zone.ts";

/** What is to be imported. */
export interface ImportRequest {
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  readonly files: readonly string[];
  /** Recognised from each file when left out. */
  readonly format?: ImportFormat | undefined;
  /** Of times that state none; the format's own when left out. */
  readonly zone?: Zone | undefined;
  readonly isLastForming: boolean;
  readonly isAggregating: boolean;
  /** Whether files are imported again that were before. */
  readonly isForced: boolean;
}

/** What an import works with. */
export interface ImportTools {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly progress: ImportProgress;
  /** Takes a line for whoever asked. */
  readonly say: (line: string) => void;
  /** Tells running servers that bars of a series were replaced. */
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
  /** How long that took. */
  readonly tookMs: number;
}

const zoneOf = (path: string, zone: string): Zone => {
  const known = readZone(zone);
  if (!known) throw new ImportError(`${path}: the zone ${zone} of its format is not known here; name one with --timezone`);
  return known;
};

/** Recognises a file by its first lines. */
const recogniseFile = async (path: string, request: ImportRequest, nowMs: number): Promise<BarSource> => {
  const { symbol, interval, format } = request;
  const file = await inspectFile(path);
  const layout = recogniseLayout(path, await headOf(file), { format, isZoneNamed: request.zone !== undefined });
  const zone = request.zone ?? zoneOf(path, layout.form.zone ?? "UTC");
  return { file, layout, symbol, interval, zone, nowMs };
};

/** The files that are not in yet. */
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
    if (twin) tools.say(`${file.path}: skipped, it holds the same bytes as ${twin.source.file.path}`);
    else if (record) {
      const finishedAt = new Date(record.finishedAtMs).toISOString();
      tools.say(`${file.path}: skipped, its ${record.rows} rows were imported at ${finishedAt}; --force imports them again`);
    } else pending.set(digest, { source, digest });
  }
  return [...pending.values()];
};

/** Checks a file, and sends along what can be sent already. */
const checkPending = async (pending: PendingFile, copy: DayCopy, tools: ImportTools): Promise<CheckedFile> => {
  const { clock, progress, signal } = tools;
  const startedMs = clock();
  const { source, digest } = pending;
  const step = progress.step(`checking ${source.file.path}`, source.file.bytes);
  const onBytes = (bytes: number): void => step.advance(bytes);
  const taker = copy.file(source);
  try {
    const summary = await checkFile(source, { onBytes, onRows: taker.take, digest, signal });
    const taken = await taker.end(summary);
    return { ...pending, summary, taken, tookMs: clock() - startedMs };
  } finally {
    step.done();
  }
};

const importFile = async (
  { source, digest, summary, taken, tookMs }: CheckedFile,
  request: ImportRequest,
  tools: ImportTools,
): Promise<void> => {
  const { store, clock, progress, say, announce, signal } = tools;
  const { symbol, interval, file } = source;
  const { isLastForming, isAggregating } = request;
  const startedMs = clock();
  const step = progress.step(`writing ${file.path}`, summary.rows);
  const onRows = (rows: number): void => step.advance(rows);
  const written = await writeFile({
    ...{ store, source, summary, digest, taken, isLastForming, isAggregating, signal, clock },
    onRows,
  }).finally(() => step.done());
  await noteReplacedBars(store, symbol, summary.firstStartMs, summary.lastStartMs);
  await analyze(store);
  // The record comes last: whatever failed before it is done again when the import is started again.
  await announce(symbol);
  await recordImport(store, { fileDigest: digest, symbol, interval, rows: summary.rows, finishedAtMs: clock() });
  say(reportFile(source, summary, written, tookMs + clock() - startedMs));
};

/**
 * Looks at every file as far as that can be done at a glance, so that what is plainly wrong is said before a store is opened.
 * @param nowMs now; bars whose time is not over by then are forming
 * @throws ImportError for a file that cannot be read, or is of no form that is known
 */
export const planImport = async (request: ImportRequest, nowMs: number): Promise<readonly BarSource[]> => {
  requireInterval(request.symbol, request.interval);
  const sources: BarSource[] = [];
  for (const path of request.files) sources.push(await recogniseFile(path, request, nowMs));
  return sources;
};

/**
 * Imports files into a series.
 * @param sources the files, as planned
 * @throws ImportError for whatever the operator has to see to; files written before it stay
 */
export const runImport = async (sources: readonly BarSource[], request: ImportRequest, tools: ImportTools): Promise<void> => {
  const pending = await pendingFiles(sources, request, tools);
  const copy = new DayCopy(tools.store, request);
  const checked: CheckedFile[] = [];
  const checkAll = async (): Promise<boolean> => {
    for (const file of pending) checked.push(await checkPending(file, copy, tools));
    return copy.finish();
  };
  const isIn = await checkAll().catch(async (error: unknown) => {
    await copy.abandon();
    throw error;
  });
  for (const file of checked) await importFile(isIn ? file : { ...file, taken: NOTHING_TAKEN }, request, tools);
};
