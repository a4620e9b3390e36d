/** Access by the tier table: every caller, every route, every gated input. */
import type { Route } from "@assay/contract";
import { accessOf, type CallerKind, type Expectation, gatedInputs } from "@assay/testkit/wire";
import { expectAnswer, plainExpectation } from "../expectation.ts";
import { groupFaults, listedFaults } from "../gates/shown.ts";
import type { Tell } from "../report/recorder.ts";
import type { RouteTrial } from "../route-trial.ts";
import { serviceNowMs } from "../run-context.ts";
import { BAD_KEYS, badKey, type Caller, KEYLESS } from "../wire/caller.ts";
import type { Exchange } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";

/** Why a request with side effects was not made. */
export const WOULD_ROTATE = "it would rotate the key; pass --allow-key-rotation to test it";

const kindOf = ({ kind, tier }: Caller): CallerKind => (kind === "key" ? tier : kind === "keyless" ? "no key" : kind);

/** What a caller should get for a route's minimal request. */
export const gateOf = (route: Route, caller: Caller): Expectation => {
  const outcome = accessOf(route, kindOf(caller));
  return outcome === "success" ? plainExpectation(route) : outcome;
};

const why = (route: Route, { name }: Caller): string =>
  `the route takes keys: ${route.access.auth}, from tier ${route.access.tier}; called ${name}`;

const tellAll = (tell: Tell, faults: readonly string[], exchange: Exchange): void => {
  for (const fault of faults) tell(fault, "callers see what their tier includes", exchange);
};

const checkGate = (trial: RouteTrial, caller: Caller): Promise<void> =>
  trial.check("access", caller.name, async (tell) => {
    const { route, run } = trial;
    const expected = gateOf(route, caller);
    const exchange = await trial.ask({ caller, priority: PRIORITY.gate });
    const isMet = expectAnswer(tell, route, exchange, expected, why(route, caller));
    if (isMet && route.path === "/v1/prices" && caller.kind !== "bad key") {
      tellAll(tell, listedFaults(run.catalog, caller, exchange), exchange);
    }
  });

const checkGatedInputs = async (trial: RouteTrial, caller: Caller): Promise<void> => {
  const { route, run } = trial;
  for (const { title, input, expected } of gatedInputs(route.path, run.catalog, serviceNowMs(run))) {
    await trial.check("access", `${title}, ${caller.name}`, async (tell) => {
      const exchange = await trial.ask({ caller, input, priority: PRIORITY.gatedInput });
      expectAnswer(tell, route, exchange, expected(caller.tier), `the tier table defines access to ${title} for ${caller.tier}`);
    });
  }
};

const checkGroups = (trial: RouteTrial, caller: Caller): Promise<void> =>
  trial.check("access", `include=all, ${caller.name}`, async (tell) => {
    const exchange = await trial.ask({ caller, input: { ...trial.sample(), include: "all" }, priority: PRIORITY.gatedInput });
    if (expectAnswer(tell, trial.route, exchange, "success", "unknown and closed groups are left out, not refused")) {
      tellAll(tell, groupFaults(caller, exchange), exchange);
    }
  });

/** The callers a route treats differently. */
const callersOf = ({ route, run }: RouteTrial, turn: number): Caller[] => {
  const bad = badKey(BAD_KEYS[turn % BAD_KEYS.length] ?? {});
  return route.access.auth === "none" ? [KEYLESS, bad] : [KEYLESS, bad, ...run.bearers];
};

/** Checks a route's gates for every caller, each at its own pace. */
export const checkGates = async (trial: RouteTrial, turn: number): Promise<void> => {
  const { route, run } = trial;
  const ofCaller = async (caller: Caller): Promise<void> => {
    if (route.method === "POST" && gateOf(route, caller) === "success" && !run.allowKeyRotation) {
      run.recorder.skip(trial.name, "access", caller.name, WOULD_ROTATE);
      return;
    }
    await checkGate(trial, caller);
    if (caller.kind === "bad key" || gateOf(route, caller) !== "success") return;
    await checkGatedInputs(trial, caller);
    if (route.path === "/v1/spot/{symbol}") await checkGroups(trial, caller);
  };
  await Promise.all(callersOf(trial, turn).map(ofCaller));
};
