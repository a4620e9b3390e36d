/** Decides who may open a WebSocket: a valid key of a high enough tier, with a place left among its streams. */
import { type Refused, STREAM_TIER, type StreamCloseCode, type TierCatalog, type TierName } from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import { type Authenticator, attempt, type Caller, type CallerKey, type Limits, requireTier } from "@assay/services";
import type { Places } from "../session/places.ts";

/** The result for a key. */
export interface Admission {
  readonly caller: Pick<CallerKey, "hash" | "revokedAtMs">;
  readonly tier: TierName;
  readonly place: StreamPlace;
  /** The most streams the key may have open. */
  readonly limit: number;
}

/** Checks a key. */
export type Admit = (key: string, ip: string) => Promise<Admission | { readonly refused: StreamCloseCode }>;

/** What checking keys depends on. */
export interface AdmitOptions {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly catalog: TierCatalog;
  readonly places: Places;
  readonly clock: () => number;
}

/**
 * The close code of a refusal before admission. A key that was not checked, because its address guesses too often, may retry.
 */
const closeOf = ({ code }: Refused): StreamCloseCode => {
  if (code === "plan_gated" || code === "auth_unavailable") return code;
  if (code === "rate_limit_exceeded") return "auth_unavailable";
  return "unauthenticated";
};

/** Creates the check. */
export const admitter = ({ authenticator, limits, catalog, places, clock }: AdmitOptions): Admit => {
  const countBadKey = async (ip: string): Promise<void> => {
    try {
      await attempt<unknown>(
        (fail) => limits.badKey(ip, clock(), (code, detail) => fail(code, detail)),
        () => undefined,
      );
    } catch {
      // The limiter is unavailable; the key is refused regardless.
    }
  };
  return async (key, ip) => {
    const judged = await attempt<Caller | { readonly refused: StreamCloseCode }>(
      async (fail) => {
        const caller = await authenticator.authenticate(key, ip, { fail, failCounted: (code, detail) => fail(code, detail) });
        requireTier(caller, STREAM_TIER, fail);
        return caller;
      },
      async (refusal) => {
        const refused = closeOf(refusal);
        // Guesses are counted as over REST: the same bucket of bad keys per address.
        if (refused === "unauthenticated") await countBadKey(ip);
        return { refused };
      },
    );
    if ("refused" in judged) return judged;
    const caller = judged;
    if (!caller.key) return { refused: "unauthenticated" };
    const limit = catalog.tiers[caller.tier].max_concurrent_streams;
    const place = await places.take({ keyId: caller.key.id, orgId: caller.key.orgId }, limit);
    if (!place) return { refused: "too_many_connections" };
    const { hash, revokedAtMs } = caller.key;
    return { caller: { hash, revokedAtMs }, tier: caller.tier, place, limit };
  };
};
