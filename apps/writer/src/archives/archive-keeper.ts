/** Keeps archives up to date for as long as a term lasts: past years once, running ones nightly, replaced ones anew. */
import { setTimeout as sleep } from "node:timers/promises";
import { readArchives, readSeriesSources, StaleTokenError } from "@assay/db";
import type { ArchivesHealth } from "@assay/live";
import { TermEndedError } from "../term-ended.ts";
import type { WriterLog } from "../writer-log.ts";
import { type ArchiveBuilding, buildArchive } from "./build-archive.ts";
import { type DueArchive, dueArchives } from "./due-archives.ts";
import { faultClass } from "./fault-class.ts";

/** How often it is looked whether anything is due. */
const LOOK_EVERY_MS = 60_000;
/** A history of thirty years is told of this often while it is built. */
const TELL_EVERY_MS = 10_000;

/** When so many fail one after the other, the fault is not theirs, and the rest waits. */
const FAILURES_IN_A_ROW = 3;

const nameOf = ({ symbol, interval, year }: DueArchive): string => `${symbol} ${interval} ${year}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What archives are kept with. */
export interface ArchiveKeeping extends ArchiveBuilding {
  readonly log: Pick<WriterLog, "info" | "fault">;
  /** Whether the process also serves: then building leaves it half of its time. */
  readonly sharesProcess: boolean;
}

/** Builds what is due, again and again. */
export class ArchiveKeeper {
  readonly #keeping: ArchiveKeeping;
  readonly #done: Promise<void>;
  /** Those that failed last time: they come behind the others. */
  #failed: ReadonlySet<string> = new Set();
  #health: ArchivesHealth = { pending: null, built: 0, lastBuiltAtMs: null, lastError: null };

  /** Begins at once, and ends with the signal. */
  constructor(keeping: ArchiveKeeping) {
    this.#keeping = keeping;
    this.#done = this.#run();
  }

  /** How it fares. */
  get health(): ArchivesHealth {
    return this.#health;
  }

  /** Fulfilled when it has ended; it never fails. */
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
        log.fault(error, "archives could not be built; it is tried again in a minute");
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Builds everything that is due now. One that fails holds up no other. */
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
    for (const failure of failures) log.fault(failure, "an archive could not be built; it is tried again in a minute");
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

  /** Whether an error says that the term has ended, and nothing about an archive. */
  #isOver(error: unknown): boolean {
    return this.#keeping.signal.aborted || error instanceof TermEndedError || error instanceof StaleTokenError;
  }
}
