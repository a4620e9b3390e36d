/**
 * Decides who may open a WebSocket: a caller of a high enough tier, with a place left among its streams, and without a key no
 * page of another site.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { needsKey, type Refused, STREAM_ACCESS, type StreamCloseCode, type TierCatalog, type TierName } from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import type { Clock } from "@assay/ports";
import { type Authenticator, attempt, type Caller, type CallerKey, type Limits, requireTier } from "@assay/services";
import type { Places } from "../session/places.ts";

/** The result for a caller. */
export interface Admission {
  /** Null for a caller without a key. */
  readonly key: CallerKey | null;
  readonly tier: TierName;
  readonly place: StreamPlace;
  /** The most streams the caller may have open. */
  readonly limit: number;
}

export interface Peer {
  /** The client's address, as limits count it. */
  readonly ip: string;
  /** Whether a browser page of another site began it: such a page has no tier without a key. */
  readonly isForeign: boolean;
}

const THIS_MACHINE: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/**
 * Whether a handshake was begun by a browser page of another site: browsers open WebSockets to any site, whatever page asks, so that
 * without a key the page's origin decides. A name that is only equal to the Host header may have been pointed at this machine by
 * whoever owns it (DNS rebinding); an address cannot.
 * @param publicUrl the service's own address
 */
export const isForeign = ({ headers: { origin, host } }: Pick<IncomingMessage, "headers">, publicUrl: string): boolean => {
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  if (page.hostname === new URL(publicUrl).hostname || THIS_MACHINE.has(page.hostname)) return false;
  return page.host !== host || isIP(bare(page.hostname)) === 0;
};

/** Checks a caller, by its key if it sent one. */
export type Admit = (key: string | undefined, peer: Peer) => Promise<Admission | { readonly refused: StreamCloseCode }>;

interface AdmitOptions {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly catalog: TierCatalog;
  readonly places: Places;
  readonly clock: Clock;
}

/** The close code of a refusal before admission. A key that was not checked, because its address guesses too often, may retry. */
const closeOf = ({ code }: Refused): StreamCloseCode => {
  if (code === "plan_gated" || code === "auth_unavailable") return code;
  if (code === "rate_limit_exceeded") return "auth_unavailable";
  return "unauthenticated";
};

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
  return async (key, { ip, isForeign }) => {
    const judged = await attempt<Caller | { readonly refused: StreamCloseCode }>(
      async (fail) => {
        if (key === undefined) {
          const caller = authenticator.anonymous(ip);
          return isForeign || needsKey({ access: STREAM_ACCESS }, caller.tier) ? fail("unauthenticated") : caller;
        }
        const found = await authenticator.authenticate(key, ip, { fail, failCounted: (code, detail) => fail(code, detail) });
        const caller = found ?? fail("invalid_api_key");
        requireTier(caller, STREAM_ACCESS.tier, fail);
        return caller;
      },
      async (refusal) => {
        const refused = closeOf(refusal);
        // Guesses are counted as over REST: the same bucket of bad keys per address.
        if (refusal.code === "invalid_api_key") await countBadKey(ip);
        return { refused };
      },
    );
    if ("refused" in judged) return judged;
    const { key: held, tier } = judged;
    const limit = catalog.tiers[tier].max_concurrent_streams;
    const place = await places.take(judged, limit);
    return place ? { key: held, tier, place, limit } : { refused: "too_many_connections" };
  };
};
