/** Announces a minted or revoked key to every process, this one first. */
import type { Authenticator } from "../access/authenticate.ts";
import type { ServiceDeps } from "../context.ts";

/** Announces a key and its end; null for a new key, which has none. */
export type AnnounceKey = (keyHash: string, revokedAtMs: number | null) => Promise<void>;

/**
 * Creates the announcer. When the bus is unavailable the other processes learn of the key from the store within seconds.
 * @param authenticator this process's verified keys
 */
export const keyAnnouncer =
  ({ live, log }: Pick<ServiceDeps, "live" | "log">, authenticator: Authenticator): AnnounceKey =>
  async (keyHash, revokedAtMs) => {
    authenticator.keyChanged(keyHash, revokedAtMs);
    try {
      await live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.info({ reason }, "failed to announce a changed key; the other processes read it from the database within seconds");
    }
  };
