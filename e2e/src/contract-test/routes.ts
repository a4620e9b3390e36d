/** The routes of a contract with their names, found by walking it. */
import type { Contract, Route } from "@assay/contract";

/** A route and its name. */
export interface NamedRoute {
  /** `resource.action`, for example `bars.list`. */
  readonly name: string;
  readonly route: Route;
}

/** Every route of a contract, in its order. */
export const namedRoutes = (contract: Contract): NamedRoute[] =>
  Object.entries(contract).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, route]) => ({ name: `${resource}.${action}`, route })),
  );

/** Where checks stand that belong to no route: unknown paths, and documents. */
export const SERVICE = "service";
