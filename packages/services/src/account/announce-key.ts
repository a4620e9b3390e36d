/** Tells every process that a key ends, this one first. */
import type { Authenticator } from "../access/authenticate.ts";
import type { ServiceDeps } from "../context.ts";

/** Tells of a key's end. */
export type AnnounceKey = (keyHash: string, revokedAtMs: number) => Promise<void>;

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
      log.warn({ err: error }, "a key's end could not be announced");
    }
  };
