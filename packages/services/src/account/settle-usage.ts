/** Writes counted calls and key uses to the store, periodically and at shutdown. */
import { addUsage, touchKeys } from "@assay/db";
import type { Authenticator } from "../access/authenticate.ts";
import type { ServiceDeps } from "../context.ts";

/** How often counted calls and key uses are written to the store. */
const SETTLE_INTERVAL_MS = 1_000;

type SettleDeps = Pick<ServiceDeps, "live" | "store" | "clock" | "log">;

/** Settles once; what cannot be written now is retried next time. */
const settle = async ({ live, store, log }: Omit<SettleDeps, "clock">, authenticator: Authenticator): Promise<void> => {
  try {
    await live.counters.settle((deltas) => addUsage(store, deltas));
  } catch (error) {
    log.warn({ err: error }, "failed to settle usage; keeping it for the next attempt");
  }
  const used = authenticator.takeUsed();
  if (used.size === 0) return;
  try {
    await touchKeys(
      store,
      [...used].map(([keyId, usedAtMs]) => ({ keyId, usedAtMs })),
    );
  } catch (error) {
    log.warn({ err: error }, "failed to store when keys were last used");
  }
};

/** Settles every second until stopped, then once more. */
export const settleUsage = (deps: SettleDeps, authenticator: Authenticator): { stop(): Promise<void> } => {
  let running: Promise<void> = Promise.resolve();
  let idle = true;
  const run = (): Promise<void> =>
    settle(deps, authenticator).catch((error: unknown) => deps.log.warn({ err: error }, "failed to settle usage"));
  const end = deps.clock.every(SETTLE_INTERVAL_MS, () => {
    if (!idle) return;
    idle = false;
    running = run().finally(() => {
      idle = true;
    });
  });
  return {
    stop: async () => {
      end();
      await running;
      await run();
    },
  };
};
