/** A whole run: every route of the contract against one deployment, as a black box. */
import { setTimeout } from "node:timers/promises";
import { type Contract, VERSION } from "@assay/contract";
import { readDocument } from "./checks/document.ts";
import { checkRoute } from "./checks/route-checks.ts";
import { checkUnknownPaths } from "./checks/unknown-paths.ts";
import { CannotRun, type GivenKey, introduce } from "./introduce.ts";
import type { Report } from "./report/outcome.ts";
import { Recorder } from "./report/recorder.ts";
import { RouteTrial } from "./route-trial.ts";
import { EVERY_ROUTE, namedRoutes, SERVICE } from "./routes.ts";
import type { RunContext } from "./run-context.ts";
import { Unreachable } from "./wire/exchange.ts";
import { Service } from "./wire/service.ts";

/** What to run. */
export interface RunOptions {
  readonly baseUrl: string;
  readonly keys: readonly GivenKey[];
  readonly seed: number;
  /** Property runs per route. */
  readonly runs: number;
  /** Names of routes, or `service`; all when empty. */
  readonly only: readonly string[];
  readonly maxWaitMs: number;
  readonly allowKeyRotation: boolean;
  /** Called with the number of requests answered and the checks done. */
  readonly onProgress?: (requests: number, checks: number) => void;
  /** Called with a line when the service has not answered for seconds. */
  readonly onWait?: (text: string) => void;
}

/** Sleeps, but not past the end of the run. */
const sleeper =
  (end: AbortSignal) =>
  (ms: number): Promise<void> =>
    setTimeout(ms, undefined, { signal: end }).catch(() => {});

/**
 * Runs the contract test.
 * @returns the results, even when the service goes away during the run
 * @throws CannotRun when it cannot start
 */
export const runContractTest = async (options: RunOptions, contract: Contract = EVERY_ROUTE): Promise<Report> => {
  const startMs = performance.now();
  const end = new AbortController();
  const recorder = new Recorder();
  const service: Service = new Service({
    baseUrl: options.baseUrl,
    maxWaitMs: options.maxWaitMs,
    time: { now: () => performance.now(), sleep: sleeper(end.signal) },
    onAnswer: () => options.onProgress?.(service.requests, recorder.results.length),
    // Stops waiting for allowances once the run has ended.
    onGone: () => end.abort(),
  });
  try {
    const known = await introduce(service, options.keys, options.onWait ?? (() => {}));
    const { seed, runs, allowKeyRotation } = options;
    const run: RunContext = { contract, service, recorder, ...known, seed, runs, allowKeyRotation };
    const isChosen = (name: string): boolean => options.only.length === 0 || options.only.includes(name);
    const document = await readDocument(run);
    const chosen = namedRoutes(contract).filter(({ name }) => isChosen(name));
    await Promise.all([
      ...chosen.map(({ name, route }, turn) => checkRoute(new RouteTrial(name, route, run, turn), document, turn)),
      ...(isChosen(SERVICE) ? [checkUnknownPaths(run)] : []),
    ]);
  } catch (error) {
    // The checks report unanswered requests themselves: nothing was checked yet.
    if (error instanceof Unreachable) throw new CannotRun(`${options.baseUrl} stopped responding: ${error.message}`);
    throw error;
  } finally {
    end.abort();
  }
  const order = [...namedRoutes(contract).map(({ name }) => name), SERVICE];
  return {
    baseUrl: options.baseUrl,
    contractVersion: VERSION,
    seed: options.seed,
    callers: ["without a key", "invalid key", ...options.keys.map(({ tier }) => `tier ${tier}`)],
    ...(service.gone === null ? {} : { wentAway: service.gone.reason }),
    requests: service.requests,
    durationMs: performance.now() - startMs,
    results: recorder.results.toSorted((left, right) => order.indexOf(left.route) - order.indexOf(right.route)),
  };
};
