/** Invalid requests of every kind a schema excludes: refused with the declared code, naming the parameter. */
import { ERRORS, errorCodesOf } from "@assay/contract";
import { askingOf, type Fault, INVALID_KINDS, invalidFaults } from "../inputs/invalid.ts";
import { codeOf, type Exchange, issuePaths } from "../wire/exchange.ts";
import type { Attempt, Family } from "./claim.ts";
import { answered, meets } from "./expectation.ts";
import { examine, type Finding, holds } from "./property.ts";

/** How many times each invalid parameter is tried, regardless of the run's thoroughness. */
const LEAST_RUNS = 2;
/** The number of valid inputs per invalid one of each kind and parameter. */
const RUNS_PER_FAULT = 5;

const WHY = "422 validation_error, whose issues name the parameter";

const refusedBySchema = ({ parameter }: Fault, exchange: Exchange): Finding | null => {
  if (exchange.status !== 422 || codeOf(exchange) !== "validation_error")
    return { what: `was answered ${answered(exchange)}`, says: WHY };
  const named = issuePaths(exchange);
  const wanted = `${parameter.location} ${parameter.name}`;
  return named.join() === wanted
    ? null
    : { what: `issues name ${named.join(", ") || "nothing"} instead of ${wanted}`, says: WHY };
};

/** A value the schema accepts and the route may refuse: an invalid date always is, control characters may be ignored. */
const judgedByRoute = ({ route }: Attempt, { kind }: Fault, exchange: Exchange): Finding | null => {
  if (kind === "control characters" && meets(route, exchange, "success")) return null;
  const code = errorCodesOf(route).find((each) => each === codeOf(exchange));
  const statuses: readonly number[] = kind === "malformed date" ? [400, 422] : [400, 404, 422];
  if (code && statuses.includes(ERRORS[code].status) && exchange.status === ERRORS[code].status) return null;
  return {
    what: `was answered ${answered(exchange)}`,
    says: `a declared code of status ${statuses.join(" or ")}`,
  };
};

const refuses = (it: Attempt, fault: Fault): Promise<void> => {
  const { world, trial } = it;
  const { kind, parameter, values, edges, bySchema } = fault;
  return holds(it, {
    name: `${kind}/${parameter.name}`,
    inputs: values,
    runs: kind === "missing" ? 1 : Math.max(LEAST_RUNS, Math.floor(world.runs / RUNS_PER_FAULT)),
    examples: world.isLab ? edges : [],
    examine: async (value) => {
      const caller = await trial.main();
      return examine(it, { caller, ...askingOf(await trial.sample(caller), fault, value) }, (exchange) => {
        const finding = bySchema ? refusedBySchema(fault, exchange) : judgedByRoute(it, fault, exchange);
        return finding && { ...finding, what: `${parameter.name} ${kind}: ${finding.what}` };
      });
    },
  });
};

/** One claim for each kind of error. */
export const invalidClaims: Family = (route) => {
  const faults = invalidFaults(route);
  return INVALID_KINDS.filter((kind) => faults.some((fault) => fault.kind === kind)).map((kind) => ({
    group: "invalid input",
    title: kind,
    why: WHY,
    check: async (it) => {
      for (const fault of faults) if (fault.kind === kind) await refuses(it, fault);
    },
  }));
};
