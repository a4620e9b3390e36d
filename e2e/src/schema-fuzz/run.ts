/** Sends many requests concurrently and checks every answer against the contract test's rules. */

import type { Contract, TierCatalog } from "@assay/contract";
import { type Caller, codeOf, curlOf, type Exchange, RULES, type Sent, send } from "@assay/contract-test/requests";
import { requestBody, requestPath } from "@assay/testkit/wire";
import fc from "fast-check";
import { type FuzzRequest, fuzzRequests } from "./requests.ts";
import { trpcAddress, trpcCodeOf, trpcFaults } from "./trpc.ts";

/** Requests generated per batch, each batch with its own seed. */
const LOT = 500;
/** The number of concurrent connections. */
const AT_ONCE = 24;
/** One request in this many goes over tRPC, where possible. */
const TRPC_EVERY = 5;
/** After this many unanswered requests in a row the service counts as gone. */
const GONE_AFTER = 100;
/** The most violations shown in full. */
const SHOWN = 20;

/** The requests, and the service. */
export interface FuzzOptions {
  readonly baseUrl: string;
  readonly contract: Contract;
  readonly catalog: TierCatalog;
  readonly callers: readonly Caller[];
  readonly seed: number;
  readonly count: number;
}

/** The result. */
export interface FuzzReport {
  readonly requests: number;
  /** How often each outcome occurred, by route name and `status code`. */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Violations by kind, each with a request that showed it. */
  readonly faults: readonly string[];
}

/** An address for each request: limits per address are tested elsewhere. */
const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

const restAddress = ({ route, input, method, extraQuery, rawBody }: FuzzRequest) => {
  const hasBody = method === "POST" && route.method === "POST";
  return {
    path: requestPath(route, input, extraQuery),
    body: hasBody ? (rawBody ?? requestBody(route, input) ?? undefined) : undefined,
  };
};

/** tRPC has the contract's own routes, each with its own method. */
const goesOverTrpc = ({ name, route, method }: FuzzRequest, index: number): boolean =>
  index % TRPC_EVERY === 0 && method === route.method && !name.startsWith("streams.");

const sentOf = (baseUrl: string, request: FuzzRequest, index: number, isTrpc: boolean): Sent => {
  const { path, body } = isTrpc ? trpcAddress(request) : restAddress(request);
  const { method, caller, headers = {} } = request;
  return {
    method: isTrpc && body !== undefined ? "POST" : method,
    url: `${baseUrl}${path}`,
    headers: {
      "x-request-id": `fuzz-${index}`,
      "x-forwarded-for": addressOf(index),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...caller.headers,
      ...headers,
    },
    body,
    caller,
  };
};

const faultsIn = (request: FuzzRequest, exchange: Exchange, catalog: TierCatalog): string[] => {
  const subject = {
    route: request.route,
    exchange,
    catalog,
    askedAtMs: exchange.sentAtMs,
    readAtMs: exchange.readAtMs,
  };
  const broken = RULES.flatMap((rule) => (rule.judge(subject) ?? []).map((fault) => `${rule.title}: ${fault}`));
  return exchange.status === 500 ? ["answered 500", ...broken] : broken;
};

/** Sends all requests. */
export const runFuzz = async ({ baseUrl, contract, catalog, callers, seed, count }: FuzzOptions): Promise<FuzzReport> => {
  const made = fuzzRequests(contract, callers, Date.now());
  const outcomes = new Map<string, Map<string, number>>();
  const faults = new Map<string, string>();
  let asked = 0;
  let unanswered = 0;
  let lot: FuzzRequest[] = [];

  const next = (): readonly [FuzzRequest, number] | null => {
    if (asked >= count || unanswered >= GONE_AFTER) return null;
    if (asked % LOT === 0) lot = fc.sample(made, { seed: seed + asked / LOT, numRuns: LOT });
    const request = lot[asked % LOT];
    if (!request) throw new Error("a lot is shorter than was asked for");
    asked += 1;
    return [request, asked];
  };

  const note = (request: FuzzRequest, sent: Sent, found: readonly string[], outcome: string): void => {
    const ofRoute = outcomes.get(request.name) ?? new Map<string, number>();
    outcomes.set(request.name, ofRoute.set(outcome, (ofRoute.get(outcome) ?? 0) + 1));
    for (const fault of found) {
      const kind = `${request.name} ${fault.replaceAll(/\d+/g, "#")}`;
      if (!faults.has(kind) && faults.size < SHOWN) faults.set(kind, `${request.name}: ${fault}\n  ${curlOf(sent)}`);
    }
  };

  const work = async (): Promise<void> => {
    for (let job = next(); job; job = next()) {
      const [request, index] = job;
      const isTrpc = goesOverTrpc(request, index);
      const sent = sentOf(baseUrl, request, index, isTrpc);
      try {
        const exchange = await send(sent);
        unanswered = 0;
        const code = isTrpc ? trpcCodeOf(exchange) : codeOf(exchange);
        const outcome = [isTrpc ? "tRPC" : "", exchange.status, code].filter(Boolean).join(" ");
        note(request, sent, isTrpc ? trpcFaults(request.route, exchange) : faultsIn(request, exchange, catalog), outcome);
      } catch (error) {
        unanswered += 1;
        note(request, sent, [`no answer: ${String(error)}`], "no answer");
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { requests: asked, outcomes, faults: [...faults.values()] };
};
