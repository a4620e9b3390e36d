/**
 * Keeps archives up to date during a term, newest years first: past years once, current ones nightly, and again after bars were
 * replaced.
 */
import { ArchivesFailedError, ArchivesUnreachableError } from "@assay/archives";
import { BAR_SYMBOLS, type BarSymbol, DAY_MS, INTERVALS } from "@assay/contract";
import {
  type ArchiveRecord,
  readArchives,
  readSeriesSources,
  type SeriesSource,
  StaleTokenError,
  StoreUnavailableError,
} from "@assay/db";
import type { ArchivesHealth } from "@assay/live";
import { TermEndedError } from "../term/term-options.ts";
import { Filling, type WriterLog } from "../writer-log.ts";
import { type ArchiveBuilding, buildArchive, type DueArchive } from "./build-archive.ts";

/** Current years are built this long after midnight UTC, when the day's last bars have long been closed. */
const NIGHTLY_AFTER_MS = 10 * 60_000;
/** How long after its end bars of a year may still be corrected. */
const SETTLED_AFTER_MS = 2 * DAY_MS;

const isCurrent = ({ builtAtMs, builtChanges, changes, year }: ArchiveRecord, nowMs: number): boolean => {
  if (builtAtMs === null || builtChanges === null || builtChanges < changes) return false;
  if (builtAtMs >= Date.UTC(year + 1, 0, 1) + SETTLED_AFTER_MS) return true;
  const lastNightMs = Math.floor((nowMs - NIGHTLY_AFTER_MS) / DAY_MS) * DAY_MS + NIGHTLY_AFTER_MS;
  return builtAtMs >= lastNightMs;
};

const isBarSymbol = (symbol: string): symbol is BarSymbol => BAR_SYMBOLS.some((known) => known === symbol);

/**
 * Lists what is due: years never built, current ones not built since last night, and those whose bars were replaced since.
 * Newest years come first, and within a year the daily bars: they are requested most.
 * @param series the stored series
 * @param records the ledger
 */
export const dueArchives = (
  series: readonly SeriesSource[],
  records: readonly ArchiveRecord[],
  nowMs: number,
): readonly DueArchive[] => {
  const known = new Map(records.map((record) => [`${record.symbol} ${record.interval} ${record.year}`, record]));
  const yearOf = (ms: number): number => new Date(ms).getUTCFullYear();
  const due: DueArchive[] = [];
  for (const { symbol, interval, oldestStartMs, latestStartMs } of series) {
    if (!isBarSymbol(symbol)) continue;
    const last = Math.min(yearOf(latestStartMs), yearOf(nowMs));
    for (let year = yearOf(oldestStartMs); year <= last; year += 1) {
      const record = known.get(`${symbol} ${interval} ${year}`);
      if (!record || !isCurrent(record, nowMs)) due.push({ symbol, interval, year, changes: record?.changes ?? 0 });
    }
  }
  const place = (archive: DueArchive): number =>
    -archive.year * 1_000 - INTERVALS.indexOf(archive.interval) * 10 + BAR_SYMBOLS.indexOf(archive.symbol);
  return due.sort((left, right) => place(left) - place(right));
};

/** One archive failed, for the reason that is its cause. */
class BuildError extends Error {
  override readonly name = "BuildError";
}

const NO_SPACE: readonly unknown[] = ["ENOSPC", "EDQUOT"];

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** What the log of the database reports. */
const DATABASE_UNAVAILABLE = "database_unavailable";
/** An error that should not happen, of which the log has the stack. */
const BUILD_FAILED = "build_failed";

/** The class of a failure, one public word; the log has the details. */
const faultClass = (failure: unknown): string => {
  const error = failure instanceof BuildError ? failure.cause : failure;
  if (error instanceof ArchivesUnreachableError) return "storage_unreachable";
  if (error instanceof ArchivesFailedError) return NO_SPACE.includes(codeOf(error.cause)) ? "no_space" : "storage_error";
  if (error instanceof StoreUnavailableError) return DATABASE_UNAVAILABLE;
  return BUILD_FAILED;
};

/** How often to check whether an archive is due. */
const LOOK_EVERY_MS = 60_000;
/** Fewer are built at night, without a word until they are done. */
const WORTH_LOGGING = 100;

/** After this many failures in a row the cause is general, and the rest waits. */
const FAILURES_IN_A_ROW = 3;

const nameOf = ({ symbol, interval, year }: DueArchive): string => `${symbol} ${interval} ${year}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface ArchiveKeeping extends ArchiveBuilding {
  readonly log: Pick<WriterLog, "info" | "fault" | "archives">;
  /** Whether the process also serves requests: then building uses only half of the time. */
  readonly sharesProcess: boolean;
}

/** Before the first check. */
export const UNCHECKED: ArchivesHealth = { pending: null, built: 0, lastBuiltAtMs: null, lastError: null };

export class ArchiveKeeper {
  readonly #keeping: ArchiveKeeping;
  readonly #done: Promise<void>;
  /** Those that failed last time: they go after the others. */
  #failed: ReadonlySet<string> = new Set();
  #health = UNCHECKED;

  /** Starts at once, and stops with the signal. */
  constructor(keeping: ArchiveKeeping) {
    this.#keeping = keeping;
    this.#done = this.#run();
  }

  get health(): ArchivesHealth {
    return this.#health;
  }

  /** Resolves when it has stopped; never rejects. */
  get done(): Promise<void> {
    return this.#done;
  }

  async #run(): Promise<void> {
    const { clock, signal } = this.#keeping;
    while (!signal.aborted) {
      try {
        await this.#pass();
      } catch (error) {
        if (this.#isOver(error)) return;
        this.#health = { ...this.#health, lastError: faultClass(error) };
        this.#report([error]);
      }
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** Builds everything due now. One failure does not block the others. */
  async #pass(): Promise<void> {
    const { store, clock, log } = this.#keeping;
    const due = dueArchives(await readSeriesSources(store), await readArchives(store), clock());
    const inOrder = [...due].sort(
      (left, right) => Number(this.#failed.has(nameOf(left))) - Number(this.#failed.has(nameOf(right))),
    );
    const failures: BuildError[] = [];
    const failed = new Set<string>();
    let inARow = 0;
    let rows = 0;
    let built = 0;
    const filling = due.length >= WORTH_LOGGING ? new Filling({ log, clock }, "archives", due.length) : null;
    for (const archive of inOrder) {
      this.#health = { ...this.#health, pending: due.length - built };
      try {
        rows += await this.#build(archive);
        built += 1;
        inARow = 0;
      } catch (error) {
        if (this.#isOver(error)) throw error;
        failures.push(new BuildError(`${nameOf(archive)}: ${messageOf(error)}`, { cause: error }));
        failed.add(nameOf(archive));
        inARow += 1;
        if (inARow === FAILURES_IN_A_ROW) break;
      }
      filling?.done(built);
    }
    this.#failed = failed;
    this.#health = {
      ...this.#health,
      pending: due.length - built,
      lastError: failures[0] ? faultClass(failures[0]) : null,
    };
    this.#report(failures);
    if (built > 0) log.info(`archives: ${built} years built`, { built, rows });
  }

  /** Logs what failed in a pass: an error of ours with its stack, and the storage once as long as it fails. */
  #report(failures: readonly unknown[]): void {
    const { log } = this.#keeping;
    const classed = failures.map((error) => ({ error, class: faultClass(error) }));
    for (const { error, class: kind } of classed) {
      if (kind === BUILD_FAILED) log.fault(error, "failed to build an archive; retrying in a minute");
    }
    const stored = classed.find(({ class: kind }) => kind !== BUILD_FAILED && kind !== DATABASE_UNAVAILABLE);
    if (stored) log.archives({ class: stored.class, reason: messageOf(stored.error), failures: failures.length });
    else if (failures.length === 0) log.archives(null);
  }

  async #build(archive: DueArchive): Promise<number> {
    const { signal, sharesProcess, clock } = this.#keeping;
    if (signal.aborted) throw new TermEndedError("the term ended");
    const startedMs = clock.elapsed();
    const rows = await buildArchive(archive, this.#keeping);
    this.#health = { ...this.#health, built: this.#health.built + 1, lastBuiltAtMs: clock() };
    if (sharesProcess) await clock.sleep(clock.elapsed() - startedMs, signal);
    return rows;
  }

  /** Whether an error means that the term has ended, rather than a problem with an archive. */
  #isOver(error: unknown): boolean {
    return this.#keeping.signal.aborted || error instanceof TermEndedError || error instanceof StaleTokenError;
  }
}
