/** Who is allowed, derived from a route's declaration alone: the outcome of every caller through every transport. */
import {
  type Contract,
  type ErrorCode,
  needsKey,
  type Route,
  STREAM_TIER,
  type StreamCloseCode,
  TIER_NAMES,
  type TierName,
  tierAtLeast,
} from "@assay/contract";

/** Every kind of caller, by the key they send. */
export const CALLER_KINDS = ["no key", "bad key", ...TIER_NAMES] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** The transports of every route of the API. */
export const ROUTE_DOORS = ["REST", "HEAD", "tRPC", "tRPC batch"] as const;
/** The transports of a route outside `/v1`. */
export const PAGE_DOORS = ["REST", "HEAD"] as const;
export const STREAM_DOORS = ["SSE", "SSE HEAD"] as const;
/** A transport whose answers follow a route's declaration. */
export type Door = (typeof ROUTE_DOORS)[number] | (typeof STREAM_DOORS)[number];

/** The answer a request should get: the route's success, or a refusal with certain fields. */
export type Expectation = "success" | { readonly code: ErrorCode; readonly fields?: Readonly<Record<string, unknown>> };

const isTier = (caller: CallerKind): caller is TierName => (TIER_NAMES as readonly string[]).includes(caller); // compared as text

/**
 * The tier a caller gets.
 * @param keyless the tier of callers without a key
 */
export const tierOf = (caller: CallerKind, keyless: TierName = "free"): TierName => (isTier(caller) ? caller : keyless);

/**
 * How a route's access rules treat a caller.
 * @param keyless the tier of callers without a key
 */
export const accessOf = (route: Route, caller: CallerKind, keyless: TierName = "free"): Expectation => {
  const { access, unauthenticatedCode } = route;
  if (access.auth === "none") return "success";
  if (caller === "bad key") return { code: "invalid_api_key" };
  if (caller === "no key" && needsKey(route, keyless)) return { code: unauthenticatedCode };
  const tier = tierOf(caller, keyless);
  return tierAtLeast(tier, access.tier) ? "success" : { code: "plan_gated", fields: { tier, required_tier: access.tier } };
};

/** The route a request through a transport reaches: HEAD reaches the path's GET; null where there is none. */
export const routeAt = (contract: Contract, route: Route, door: Door): Route | null => {
  if (door !== "HEAD" || route.method === "GET") return route;
  const routes: Route[] = Object.values(contract).flatMap((actions) => Object.values(actions));
  return routes.find(({ path, method }) => path === route.path && method === "GET") ?? null;
};

/**
 * The outcome of a caller through a transport.
 * @param keyless the tier of callers without a key
 */
export const outcomeAt = (
  contract: Contract,
  route: Route,
  door: Door,
  caller: CallerKind,
  keyless: TierName = "free",
): Expectation => {
  const reached = routeAt(contract, route, door);
  return reached ? accessOf(reached, caller, keyless) : { code: "method_not_allowed" };
};

/**
 * The outcome of a caller at the WebSocket: welcomed, or closed with a code.
 * @param keyless the tier of callers without a key
 */
export const outcomeAtSocket = (caller: CallerKind, keyless: TierName = "free"): "welcome" | StreamCloseCode => {
  if (caller === "bad key") return "unauthenticated";
  if (tierAtLeast(tierOf(caller, keyless), STREAM_TIER)) return "welcome";
  return caller === "no key" ? "unauthenticated" : "plan_gated";
};
