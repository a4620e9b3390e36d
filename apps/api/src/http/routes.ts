/** The routes of a contract, each behind the pipeline and watched by the telemetry, for any door to call. */
import type { Contract, Route } from "@assay/contract";
import type { RouteWatch, Telemetry } from "@assay/process";
import { type AnyVerb, type Invoke, invoker, type PipelineDeps, type TransportGate } from "@assay/services";

/** Verbs by resource and action, types erased. */
type AnyVerbs = Readonly<Record<string, Readonly<Record<string, AnyVerb>>>>;

/** A route callable through any door. */
export interface MountedRoute {
  readonly route: Route;
  readonly invoke: Invoke;
}

export type MountedRoutes = Readonly<Record<string, Readonly<Record<string, MountedRoute>>>>;

/** The status of an unexpected error. */
const FAULT = 500;

/** Counts a route's answers by their duration, each in a span when there are traces. */
const watched = (invoke: Invoke, { observe, trace }: RouteWatch): Invoke => {
  const timed: Invoke = (call) => {
    const startedMs = performance.now();
    const seconds = (): number => (performance.now() - startedMs) / 1_000;
    const fault = (error: unknown): never => {
      observe(FAULT, seconds());
      throw error;
    };
    try {
      const outcome = invoke(call);
      if (outcome instanceof Promise) {
        return outcome.then((it) => {
          observe(it.status, seconds());
          return it;
        }, fault);
      }
      observe(outcome.status, seconds());
      return outcome;
    } catch (error) {
      return fault(error);
    }
  };
  return trace ? (call) => trace(call, () => timed(call)) : timed;
};

/**
 * Wraps every verb of a contract in the pipeline.
 * @param gate what a transport requires of callers beyond each route
 */
export const prepare = (
  contract: Contract,
  verbs: AnyVerbs,
  deps: PipelineDeps,
  watchRoute: Telemetry["watchRoute"] = null,
  gate?: TransportGate,
): MountedRoutes =>
  Object.fromEntries(
    Object.entries(contract).map(([resource, routes]) => [
      resource,
      Object.fromEntries(
        Object.entries(routes).map(([action, route]) => {
          const verb = verbs[resource]?.[action];
          if (!verb) throw new Error(`no verb for ${resource}.${action}`);
          const invoke = invoker(route, verb, deps, gate);
          return [action, { route, invoke: watchRoute ? watched(invoke, watchRoute(route.method, route.path)) : invoke }];
        }),
      ),
    ]),
  );

export const routeOf = (routes: MountedRoutes, resource: string, action: string): MountedRoute => {
  const mounted = routes[resource]?.[action];
  if (!mounted) throw new Error(`no route ${resource}.${action}`);
  return mounted;
};
