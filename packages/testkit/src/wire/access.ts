/** Who is allowed, derived from a route's declaration alone: the outcome of every caller through every transport. */
import {
  type Contract,
  type ErrorCode,
  type Route,
  STREAM_TIER,
  type StreamCloseCode,
  TIER_NAMES,
  type TierName,
  tierAtLeast,
} from "@assay/contract";

/** Every kind of caller, by the key they send. */
export const CALLER_KINDS = ["no key", "bad key", ...TIER_NAMES] as const;
/** A kind of caller. */
export type CallerKind = (typeof CALLER_KINDS)[number];

/** The transports of every route of the API. */
export const ROUTE_DOORS = ["REST", "HEAD", "tRPC", "tRPC batch"] as const;
/** The transports of a route outside `/v1`. */
export const PAGE_DOORS = ["REST", "HEAD"] as const;
/** The transports of streams. */
export const STREAM_DOORS = ["SSE", "SSE HEAD"] as const;
/** A transport whose answers follow a route's declaration. */
export type Door = (typeof ROUTE_DOORS)[number] | (typeof STREAM_DOORS)[number];

/** The answer a request should get: the route's success, or a refusal with certain fields. */
export type Expectation = "success" | { readonly code: ErrorCode; readonly fields?: Readonly<Record<string, unknown>> };

const isTier = (caller: CallerKind): caller is TierName => (TIER_NAMES as readonly string[]).includes(caller); // compared as text

/** The tier a caller gets; `free` without a key. */
export const tierOf = (caller: CallerKind): TierName => (isTier(caller) ? caller : "free");

/** How a route's access rules treat a caller. */
export const accessOf = ({ access, unauthenticatedCode }: Route, caller: CallerKind): Expectation => {
  if (access.auth === "none") return "success";
  if (caller === "bad key") return { code: "invalid_api_key" };
  if (caller === "no key" && access.auth === "required") return { code: unauthenticatedCode };
  const tier = tierOf(caller);
  return tierAtLeast(tier, access.tier) ? "success" : { code: "plan_gated", fields: { tier, required_tier: access.tier } };
};

/** The route a request through a transport reaches: HEAD reaches the path's GET; null where there is none. */
export const routeAt = (contract: Contract, route: Route, door: Door): Route | null => {
  if (door !== "HEAD" || route.method === "GET") return route;
  const routes: Route[] = Object.values(contract).flatMap((actions) => Object.values(actions));
  return routes.find(({ path, method }) => path === route.path && method === "GET") ?? null;
};

/** The outcome of a caller through a transport. */
export const outcomeAt = (contract: Contract, route: Route, door: Door, caller: CallerKind): Expectation => {
  const reached = routeAt(contract, route, door);
  return reached ? accessOf(reached, caller) : { code: "method_not_allowed" };
};

/** The outcome of a caller at the WebSocket: welcomed, or closed with a code. */
export const outcomeAtSocket = (caller: CallerKind): "welcome" | StreamCloseCode => {
  if (caller === "no key" || caller === "bad key") return "unauthenticated";
  return tierAtLeast(caller, STREAM_TIER) ? "welcome" : "plan_gated";
};
