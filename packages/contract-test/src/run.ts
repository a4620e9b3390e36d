/** A whole run: every route of the contract against one deployment, as a black box. */
import { setTimeout } from "node:timers/promises";
import { type Contract, contract, isChanging, type Route, VERSION } from "@assay/contract";
import { accessClaims } from "./claims/access.ts";
import { type Claim, settle, unchecked } from "./claims/claim.ts";
import { innerClaims, outerClaims } from "./claims/claims.ts";
import { documentClaim } from "./claims/document.ts";
import { NOWHERE, serviceClaims } from "./claims/http.ts";
import { accessOf } from "./claims/outcomes.ts";
import { idOf } from "./inputs/parameters.ts";
import { CannotRun, type GivenKey, introduce } from "./introduce.ts";
import type { Group, Report, Result } from "./report/outcome.ts";
import { EVERY_ROUTE, namedRoutes, SERVICE } from "./routes.ts";
import { Trial } from "./trial.ts";
import { NotChecked, Unreachable } from "./wire/exchange.ts";
import { Service } from "./wire/service.ts";
import { fieldWorld, type World } from "./world.ts";

export interface RunOptions {
  readonly baseUrl: string;
  readonly keys: readonly GivenKey[];
  readonly seed: number;
  /** Property runs per route. */
  readonly runs: number;
  /** Names of routes, or `service`; all when empty. */
  readonly only: readonly string[];
  readonly maxWaitMs: number;
  /** How long to wait for what the service says it is still making. */
  readonly waitMs?: number;
  readonly allowKeyRotation: boolean;
  /** The service was made for the run: everything is tried at once, and anything, each request from an address of its own. */
  readonly isDisposable?: boolean;
  /** Called with the number of requests answered and the checks done. */
  readonly onProgress?: (requests: number, checks: number) => void;
  /** Called with a line when the service has not answered for seconds. */
  readonly onWait?: (text: string) => void;
}

const clientOf = (request: number): string => `10.${(request >> 16) & 255}.${(request >> 8) & 255}.${request & 255}`;

/** Sleeps, but not past the end of the run. */
const sleeper =
  (end: AbortSignal) =>
  (ms: number): Promise<void> =>
    setTimeout(ms, undefined, { signal: end }).catch(() => {});

/** Whether requests of a route rotate the key they are made with. */
const rotates = ({ method, path }: Route): boolean =>
  method === contract.account.mintKey.method && path === contract.account.mintKey.path;

/**
 * Whether requests of a route add something to the account of the key: then only its refusals are tested. Those of the others name
 * something that does not exist, compute, or rotate the key.
 */
const adds = (route: Route): boolean => isChanging(route) && idOf(route) === undefined && !rotates(route);

/** Why a request that rotates was not made. */
const WOULD_ROTATE = "it would rotate the key; pass --allow-key-rotation to test it";

/** Why a route's own requests cannot be made; undefined when they can. */
const reasonAgainst = async (trial: Trial, isKept: boolean): Promise<string | undefined> => {
  if (isKept) return WOULD_ROTATE;
  try {
    await trial.main();
    return undefined;
  } catch (error) {
    if (error instanceof NotChecked) return error.message;
    throw error;
  }
};

/** Tries every claim about a route. */
const tryRoute = async (trial: Trial, world: World, results: Result[]): Promise<void> => {
  const { name, route } = trial;
  const isKept = rotates(route) && !world.allowKeyRotation;
  const isLeftOut = adds(route) && !world.isDisposable;
  const tryAll = async (claims: readonly Claim[]): Promise<void> => {
    for (const claim of claims) results.push(await settle(trial, claim));
  };
  const access = accessClaims(route, world);
  const gates = async (kind: World["kinds"][number]): Promise<void> => {
    const claims = access.filter((claim) => claim.as === kind);
    if (accessOf(route, kind) !== "success") return tryAll(claims);
    if (isLeftOut) return;
    if (!isKept) return tryAll(claims);
    for (const { group, title } of claims.slice(0, 1)) results.push(unchecked(name, group, title, WOULD_ROTATE));
  };
  const rest = async (): Promise<void> => {
    if (isLeftOut) return tryAll(outerClaims(route, world));
    const reason = await reasonAgainst(trial, isKept);
    if (reason === undefined) await tryAll(innerClaims(route, world));
    else {
      const groups = new Set<Group>(["examples", "valid input", "invalid input"]);
      if ("order" in route.input.shape || rotates(route)) groups.add("invariants");
      for (const group of groups) results.push(unchecked(name, group, "requests that reach the route", reason));
    }
    await tryAll(outerClaims(route, world));
  };
  const allGates = () => Promise.all(world.kinds.map(gates));
  // Requests with different keys are made concurrently, except where one replaces its key.
  if (rotates(route)) await allGates().then(rest);
  else await Promise.all([allGates(), rest()]);
  results.push(...trial.results());
};

/** Tries every claim about the chosen routes, and those that belong to none. */
const tryAll = async (world: World, only: readonly string[], results: Result[]): Promise<void> => {
  const isChosen = (name: string): boolean => only.length === 0 || only.includes(name);
  const service = new Trial(SERVICE, NOWHERE, world);
  results.push(await settle(service, documentClaim));
  const chosen = namedRoutes(world.contract).filter(({ name }) => isChosen(name));
  const trials = chosen.map(({ name, route }, turn) => new Trial(name, route, world, turn));
  const inTurn = async (): Promise<void> => {
    for (const trial of trials) if (isChanging(trial.route)) await tryRoute(trial, world, results);
  };
  const tryService = async (): Promise<void> => {
    for (const claim of serviceClaims) results.push(await settle(service, claim));
    results.push(...service.results());
  };
  await Promise.all([
    ...trials.filter(({ route }) => !isChanging(route)).map((trial) => tryRoute(trial, world, results)),
    // One after another: a rotation puts a key in grace, with which nothing can be changed.
    inTurn(),
    ...(isChosen(SERVICE) ? [tryService()] : []),
  ]);
};

/**
 * Runs the contract test.
 * @returns the results, even when the service goes away during the run
 * @throws CannotRun when it cannot start
 */
export const runContractTest = async (options: RunOptions, tested: Contract = EVERY_ROUTE): Promise<Report> => {
  const startMs = performance.now();
  const { isDisposable = false } = options;
  const end = new AbortController();
  const results: Result[] = [];
  let spent: readonly string[] = [];
  const service: Service = new Service({
    baseUrl: options.baseUrl,
    ...(isDisposable
      ? { headers: () => ({ "x-forwarded-for": clientOf(service.requests) }) }
      : { pace: { maxWaitMs: options.maxWaitMs, time: { now: () => performance.now(), sleep: sleeper(end.signal) } } }),
    onAnswer: () => options.onProgress?.(service.requests, results.length),
    // Stops waiting for allowances once the run has ended.
    onGone: () => end.abort(),
  });
  try {
    const { onWait = () => {}, waitMs = 0 } = options;
    const { unknown, ...known } = await introduce(service, options.keys, { waitMs, onWait, sleep: sleeper(end.signal) });
    spent = [...new Set(unknown)];
    for (const reason of spent) results.push(unchecked(SERVICE, "responses", "tiers, clock and freshness", reason));
    const { seed, runs, allowKeyRotation } = options;
    await tryAll(
      fieldWorld({ contract: tested, service, ...known, seed, runs, allowKeyRotation, isDisposable }),
      options.only,
      results,
    );
  } catch (error) {
    // The claims report unanswered requests themselves: nothing was checked yet.
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
    ...(spent.length === 0 ? {} : { spent }),
    requests: service.requests,
    durationMs: performance.now() - startMs,
    results: results.toSorted((left, right) => order.indexOf(left.route) - order.indexOf(right.route)),
  };
};
