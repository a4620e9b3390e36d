/** Invalid requests of every kind a schema excludes: refused with the declared code, naming the parameter. */
import { ERRORS, errorCodesOf } from "@assay/contract";
import { answered, meets } from "../expectation.ts";
import { type Fault, INVALID_KINDS, invalidFaults } from "../inputs/invalid.ts";
import type { Input } from "../inputs/sample.ts";
import type { Tell } from "../report/recorder.ts";
import type { RouteTrial } from "../route-trial.ts";
import { codeOf, type Exchange, fieldsOf } from "../wire/exchange.ts";
import { type Finding, holds } from "./property.ts";

/** How many times each invalid parameter is tried, regardless of the run's thoroughness. */
const LEAST_RUNS = 2;
/** The number of valid inputs per invalid one of each kind and parameter. */
const RUNS_PER_FAULT = 5;

/** A request with one invalid parameter. */
export const askingOf = (
  sample: Input,
  { kind, parameter }: Fault,
  value: unknown,
): { readonly input: Input; readonly extraQuery?: string } => {
  const { [parameter.name]: right, ...rest } = sample;
  if (kind === "missing") return { input: rest };
  if (kind !== "repeated") return { input: { ...rest, [parameter.name]: value } };
  const pairs = [right ?? parameter.example ?? "1", value].map((each): [string, string] => [parameter.name, String(each)]);
  return { input: rest, extraQuery: new URLSearchParams(pairs).toString() };
};

/** The parameters a refusal names, each once: location and name. */
const issuePaths = (exchange: Exchange): string[] => {
  const { issues } = fieldsOf(exchange.json);
  if (!Array.isArray(issues)) return [];
  const paths = issues.map((issue) => fieldsOf(issue).path);
  return [...new Set(paths.map((path) => (Array.isArray(path) ? path.slice(0, 2).join(" ") : "")))];
};

const refusedBySchema = ({ parameter }: Fault, exchange: Exchange): Omit<Finding, "exchange"> | null => {
  const says = "422 validation_error, whose issues name the parameter";
  if (exchange.status !== 422 || codeOf(exchange) !== "validation_error")
    return { what: `was answered ${answered(exchange)}`, says };
  const named = issuePaths(exchange);
  const wanted = `${parameter.location} ${parameter.name}`;
  return named.join() === wanted ? null : { what: `issues name ${named.join(", ") || "nothing"} instead of ${wanted}`, says };
};

/** A value the schema accepts and the route may refuse: an invalid date always is, control characters may be ignored. */
const judgedByRoute = (trial: RouteTrial, { kind }: Fault, exchange: Exchange): Omit<Finding, "exchange"> | null => {
  if (kind === "control characters" && meets(trial.route, exchange, "success")) return null;
  const code = errorCodesOf(trial.route).find((each) => each === codeOf(exchange));
  const statuses: readonly number[] = kind === "malformed date" ? [400, 422] : [400, 404, 422];
  if (code && statuses.includes(ERRORS[code].status) && exchange.status === ERRORS[code].status) return null;
  return {
    what: `was answered ${answered(exchange)}`,
    says: `a declared code of status ${statuses.join(" or ")}`,
  };
};

const checkFault = (tell: Tell, trial: RouteTrial, fault: Fault): Promise<void> =>
  holds(tell, trial, {
    name: `${fault.kind}/${fault.parameter.name}`,
    inputs: fault.values,
    runs: fault.kind === "missing" ? 1 : Math.max(LEAST_RUNS, Math.floor(trial.run.runs / RUNS_PER_FAULT)),
    examine: async (value) => {
      const { exchange, faults } = await trial.probe(askingOf(trial.sample(), fault, value));
      const [broken] = faults;
      const finding =
        (fault.bySchema ? refusedBySchema(fault, exchange) : judgedByRoute(trial, fault, exchange)) ??
        (broken ? { what: `${broken.rule.title}: ${broken.text}`, says: broken.rule.says } : null);
      return finding && { what: `${fault.parameter.name} ${fault.kind}: ${finding.what}`, says: finding.says, exchange };
    },
  });

/** Checks invalid requests, one check per kind of error. */
export const checkInvalidInputs = async (trial: RouteTrial): Promise<void> => {
  const faults = invalidFaults(trial.route);
  for (const kind of INVALID_KINDS) {
    const ofKind = faults.filter((fault) => fault.kind === kind);
    if (ofKind.length === 0) continue;
    await trial.check("invalid input", kind, async (tell) => {
      for (const fault of ofKind) await checkFault(tell, trial, fault);
    });
  }
};
