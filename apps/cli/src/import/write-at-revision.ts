/**
 * An optimistic write: it applies only over the bars it was computed from, and is recomputed when another process wrote first.
 */
import { BarsRevisedError, readBarsRevision, type Store } from "@assay/db";
import { ImportError } from "./import-error.ts";

/** A writer writes once a second, which leaves time for many attempts. */
const MAX_TRIES = 100;

/**
 * Reads, computes and writes, until no other write came in between.
 * @param dayMs the first day affected, for the error
 * @param attempt reads the bars it depends on and writes at the given revision
 * @throws ImportError when another process wrote first every time
 */
export const writeAtRevision = async <T>(store: Store, dayMs: number, attempt: (revision: number) => Promise<T>): Promise<T> => {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const revision = await readBarsRevision(store);
    try {
      return await attempt(revision);
    } catch (error) {
      if (!(error instanceof BarsRevisedError)) throw error;
    }
  }
  const day = new Date(dayMs).toISOString().slice(0, 10);
  throw new ImportError(`${day}: bars are written faster than the import can read them; run the import again`);
};
