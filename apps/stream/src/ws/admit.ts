/** Who may open a WebSocket: a good key of a high enough tier, with a place left among its streams. */
import { Refusal, STREAM_TIER, type StreamCloseCode, type TierCatalog, type TierName } from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import { type Authenticator, type Caller, type CallerKey, type Limits, requireTier } from "@assay/services";
import type { Places } from "../places.ts";

/** What came of a key. */
export interface Admission {
  readonly caller: Pick<CallerKey, "hash" | "revokedAtMs">;
  readonly tier: TierName;
  readonly place: StreamPlace;
  /** Streams the key may have open. */
  readonly limit: number;
}

/** Judges a key. */
export type Admit = (key: string, ip: string) => Promise<Admission | { readonly refused: StreamCloseCode }>;

/** What keys are judged with. */
export interface AdmitOptions {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly catalog: TierCatalog;
  readonly places: Places;
  readonly clock: () => number;
}

/** The close code of a refusal on the way in. A key that was not judged, as its address guesses too often, may come again. */
const closeOf = (error: unknown): StreamCloseCode => {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === "plan_gated" || error.code === "auth_unavailable") return error.code;
  if (error.code === "rate_limit_exceeded") return "auth_unavailable";
  return "unauthenticated";
};

/** Makes the judge. */
export const admitter =
  ({ authenticator, limits, catalog, places, clock }: AdmitOptions): Admit =>
  async (key, ip) => {
    let caller: Caller;
    try {
      caller = await authenticator.authenticate(key, ip);
      requireTier(caller, STREAM_TIER);
    } catch (error) {
      const refused = closeOf(error);
      // Guessing is counted as over REST: the same bucket of bad keys per address.
      if (refused === "unauthenticated") await Promise.resolve(limits.badKey(ip, clock())).catch(() => undefined);
      return { refused };
    }
    if (!caller.key) return { refused: "unauthenticated" };
    const limit = catalog.tiers[caller.tier].max_concurrent_streams;
    const place = await places.take({ keyId: caller.key.id, orgId: caller.key.orgId }, limit);
    if (!place) return { refused: "too_many_connections" };
    const { hash, revokedAtMs } = caller.key;
    return { caller: { hash, revokedAtMs }, tier: caller.tier, place, limit };
  };
