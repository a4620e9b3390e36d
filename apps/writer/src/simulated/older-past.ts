/** Fills in the older part of the simulated past behind a running term, and tries again after a failure. */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "@assay/contract";
import { StaleTokenError } from "@assay/db";
import { TermEndedError } from "../term/term-ended.ts";
import type { OlderWriting, SimulatedMarket } from "../term/term-options.ts";
import type { WriterLog } from "../writer-log.ts";

/** What it depends on. */
export interface OlderPast extends OlderWriting {
  readonly log: Pick<WriterLog, "info" | "fault">;
}

/**
 * Resolves when the past is whole or the term has ended; never rejects. The thread is closed then.
 * @param retryMs the pause after a failure
 */
export const fillOlderPast = async (
  simulated: Pick<SimulatedMarket, "fillOlder">,
  past: OlderPast,
  retryMs = MINUTE_MS,
): Promise<void> => {
  const { signal, thread, log } = past;
  while (!signal.aborted) {
    try {
      await simulated.fillOlder(past);
      break;
    } catch (error) {
      if (signal.aborted || error instanceof TermEndedError || error instanceof StaleTokenError) break;
      log.fault(error, "failed to fill in the history; retrying");
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  await thread.close();
};
