/** The routes of a contract with their names, found by walking it. */
import { type Contract, contract, type Route, streams } from "@assay/contract";

/** A route and its name. */
export interface NamedRoute {
  /** `resource.action`, for example `bars.list`. */
  readonly name: string;
  readonly route: Route;
}

/** What a deployment is held to: the contract, and the streams that stand beside it. */
export const EVERY_ROUTE: Contract = { ...contract, streams };

/** Every route of a contract, in its order. */
export const namedRoutes = (routes: Contract): NamedRoute[] =>
  Object.entries(routes).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, route]) => ({ name: `${resource}.${action}`, route })),
  );

/** Where checks stand that belong to no route: unknown paths, and documents. */
export const SERVICE = "service";
