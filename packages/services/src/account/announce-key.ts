/** Tells every process that a key was made or ends, this one first. */
import type { Authenticator } from "../access/authenticate.ts";
import type { ServiceDeps } from "../context.ts";

/** Tells of a key and its end; null for a new key, which has none. */
export type AnnounceKey = (keyHash: string, revokedAtMs: number | null) => Promise<void>;

/**
 * Makes the announcer. When the bus does not answer the other processes learn of it from the store within seconds.
 * @param authenticator this process's own verified keys
 */
export const keyAnnouncer =
  ({ live, log }: Pick<ServiceDeps, "live" | "log">, authenticator: Authenticator): AnnounceKey =>
  async (keyHash, revokedAtMs) => {
    authenticator.keyChanged(keyHash, revokedAtMs);
    try {
      await live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs });
    } catch (error) {
      log.warn({ err: error }, "a change of a key could not be announced");
    }
  };
