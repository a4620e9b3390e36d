/** The routes of a contract with their names. */
import { type Contract, contract, type Route, streams } from "@assay/contract";

export interface NamedRoute {
  /** `resource.action`, for example `bars.list`. */
  readonly name: string;
  readonly route: Route;
}

/** What a deployment is tested against: the contract, and the streams, which are declared separately. */
export const EVERY_ROUTE: Contract = { ...contract, streams };

/** Every route of a contract, in its order. */
export const namedRoutes = (routes: Contract): NamedRoute[] =>
  Object.entries(routes).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, route]) => ({ name: `${resource}.${action}`, route })),
  );

export const isStreamed = (route: Route): boolean => Object.values<Route>(streams).includes(route);

/** The name for checks that belong to no route: unknown paths, and documents. */
export const SERVICE = "service";
