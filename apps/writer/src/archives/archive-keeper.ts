/** Keeps archives up to date during a term: past years once, current ones nightly, and again after bars were replaced. */
import { setTimeout as sleep } from "node:timers/promises";
import { readArchives, readSeriesSources, StaleTokenError } from "@assay/db";
import type { ArchivesHealth } from "@assay/live";
import { TermEndedError } from "../term/term-ended.ts";
import type { WriterLog } from "../writer-log.ts";
import { type ArchiveBuilding, buildArchive } from "./build-archive.ts";
import { type DueArchive, dueArchives } from "./due-archives.ts";
import { faultClass } from "./fault-class.ts";

/** How often to check whether an archive is due. */
const LOOK_EVERY_MS = 60_000;
/** How often progress is logged while a long history is built. */
const TELL_EVERY_MS = 10_000;

/** After this many failures in a row the cause is general, and the rest waits. */
const FAILURES_IN_A_ROW = 3;

const nameOf = ({ symbol, interval, year }: DueArchive): string => `${symbol} ${interval} ${year}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What keeping archives depends on. */
export interface ArchiveKeeping extends ArchiveBuilding {
  readonly log: Pick<WriterLog, "info" | "fault">;
  /** Whether the process also serves requests: then building uses only half of the time. */
  readonly sharesProcess: boolean;
}

/** Before the first check. */
export const UNCHECKED: ArchivesHealth = { pending: null, built: 0, lastBuiltAtMs: null, lastError: null };

/** Builds archives as they become due. */
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

  /** Its status. */
  get health(): ArchivesHealth {
    return this.#health;
  }

  /** Resolves when it has stopped; never rejects. */
  get done(): Promise<void> {
    return this.#done;
  }

  async #run(): Promise<void> {
    const { signal, log } = this.#keeping;
    while (!signal.aborted) {
      try {
        await this.#pass();
      } catch (error) {
        if (this.#isOver(error)) return;
        this.#health = { ...this.#health, lastError: faultClass(error) };
        log.fault(error, "failed to build archives; retrying in a minute");
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Builds everything due now. One failure does not block the others. */
  async #pass(): Promise<void> {
    const { store, clock, log } = this.#keeping;
    const due = dueArchives(await readSeriesSources(store), await readArchives(store), clock());
    const inOrder = [...due].sort(
      (left, right) => Number(this.#failed.has(nameOf(left))) - Number(this.#failed.has(nameOf(right))),
    );
    const failures: Error[] = [];
    const failed = new Set<string>();
    let inARow = 0;
    let rows = 0;
    let built = 0;
    let toldMs = performance.now();
    for (const archive of inOrder) {
      this.#health = { ...this.#health, pending: due.length - built };
      try {
        rows += await this.#build(archive);
        built += 1;
        inARow = 0;
      } catch (error) {
        if (this.#isOver(error)) throw error;
        failures.push(new Error(`${nameOf(archive)}: ${messageOf(error)}`, { cause: error }));
        failed.add(nameOf(archive));
        inARow += 1;
        if (inARow === FAILURES_IN_A_ROW) break;
      }
      if (performance.now() - toldMs < TELL_EVERY_MS) continue;
      toldMs = performance.now();
      log.info(`archives: ${built} of ${due.length} years built`, { built, due: due.length });
    }
    this.#failed = failed;
    this.#health = {
      ...this.#health,
      pending: due.length - built,
      lastError: failures[0] ? faultClass(failures[0].cause) : null,
    };
    for (const failure of failures) log.fault(failure, "failed to build an archive; retrying in a minute");
    if (built > 0) log.info(`archives: ${built} years built`, { built, rows });
  }

  async #build(archive: DueArchive): Promise<number> {
    const { signal, sharesProcess, clock } = this.#keeping;
    if (signal.aborted) throw new TermEndedError("the term ended");
    const startedMs = performance.now();
    const rows = await buildArchive(archive, this.#keeping);
    this.#health = { ...this.#health, built: this.#health.built + 1, lastBuiltAtMs: clock() };
    if (sharesProcess) await sleep(performance.now() - startedMs, undefined, { signal });
    return rows;
  }

  /** Whether an error means that the term has ended, rather than a problem with an archive. */
  #isOver(error: unknown): boolean {
    return this.#keeping.signal.aborted || error instanceof TermEndedError || error instanceof StaleTokenError;
  }
}
