/** Notes in the store, periodically, which keys have ended by themselves. */
import { endKeys } from "@assay/db";
import type { ServiceDeps } from "../context.ts";

const NOTE_INTERVAL_MS = 60_000;

/** Notes them every minute until stopped. */
export const noteEnds = ({ store, log, clock }: Pick<ServiceDeps, "store" | "log" | "clock">): { stop(): Promise<void> } => {
  let running: Promise<void> = Promise.resolve();
  const end = clock.every(NOTE_INTERVAL_MS, () => {
    running = endKeys(store, clock()).catch((error: unknown) =>
      log.warn({ err: error }, "failed to note which keys have ended; trying again in a minute"),
    );
  });
  return {
    stop: () => {
      end();
      return running;
    },
  };
};
