/** Keeps archives up to date for as long as a term lasts: past years once, running ones nightly, replaced ones anew. */
import { setTimeout as sleep } from "node:timers/promises";
import { readArchives, readSeriesSources, StaleTokenError } from "@assay/db";
import type { ArchivesHealth } from "@assay/live";
import { TermEndedError } from "../term-ended.ts";
import type { WriterLog } from "../writer-log.ts";
import { type ArchiveBuilding, buildArchive } from "./build-archive.ts";
import { type DueArchive, dueArchives } from "./due-archives.ts";

/** How often it is looked whether anything is due. */
const LOOK_EVERY_MS = 60_000;
/** A history of thirty years is told of this often while it is built. */
const TELL_EVERY_MS = 10_000;

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
        this.#health = { ...this.#health, lastError: null };
      } catch (error) {
        if (error instanceof TermEndedError || error instanceof StaleTokenError || signal.aborted) return;
        const lastError = error instanceof Error ? error.message : String(error);
        this.#health = { ...this.#health, lastError };
        log.fault(error, "archives could not be built; it is tried again in a minute");
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Builds everything that is due now. */
  async #pass(): Promise<void> {
    const { store, clock, log } = this.#keeping;
    const due = dueArchives(await readSeriesSources(store), await readArchives(store), clock());
    let rows = 0;
    let toldMs = performance.now();
    for (const [index, archive] of due.entries()) {
      this.#health = { ...this.#health, pending: due.length - index };
      rows += await this.#build(archive);
      if (performance.now() - toldMs < TELL_EVERY_MS) continue;
      toldMs = performance.now();
      log.info(`archives: ${index + 1} of ${due.length} years built`, { built: index + 1, due: due.length });
    }
    this.#health = { ...this.#health, pending: 0 };
    if (due.length > 0) log.info(`archives: ${due.length} years built`, { built: due.length, rows });
  }

  async #build(archive: DueArchive): Promise<number> {
    const { signal, sharesProcess, clock } = this.#keeping;
    if (signal.aborted) throw new TermEndedError("the term ended");
    const startedMs = performance.now();
    try {
      const rows = await buildArchive(archive, this.#keeping);
      this.#health = { ...this.#health, built: this.#health.built + 1, lastBuiltAtMs: clock() };
      if (sharesProcess) await sleep(performance.now() - startedMs, undefined, { signal });
      return rows;
    } catch (error) {
      if (signal.aborted || error instanceof TermEndedError || error instanceof StaleTokenError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${archive.symbol} ${archive.interval} ${archive.year}: ${reason}`, { cause: error });
    }
  }
}
