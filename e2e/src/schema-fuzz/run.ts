/** Sends many requests concurrently and checks every answer against the contract test's rules. */
import type { Contract, TierCatalog } from "@assay/contract";
import {
  addressOf,
  type Caller,
  codeOf,
  curlOf,
  type Exchange,
  RULES,
  type Sent,
  send,
  type TrpcCall,
  trpcAddressOf,
  trpcCodeOf,
  trpcFaults,
} from "@assay/contract-test/requests";
import fc from "fast-check";
import { type FuzzRequest, fuzzRequests } from "./requests.ts";

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
interface FuzzOptions {
  readonly baseUrl: string;
  readonly contract: Contract;
  readonly catalog: TierCatalog;
  readonly callers: readonly Caller[];
  readonly seed: number;
  readonly count: number;
}

interface FuzzReport {
  readonly requests: number;
  /** How often each outcome occurred, by route name and `status code`. */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Violations by kind, each with a request that showed it. */
  readonly faults: readonly string[];
}

/** A client for each request: limits per address are tested elsewhere. */
const clientOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** The call of a request over tRPC: the contract's own routes, each with its own method. Only its input is sent. */
const callOf = ({ name, route, method, input }: FuzzRequest, index: number): TrpcCall | null =>
  index % TRPC_EVERY === 0 && method === route.method && !name.startsWith("streams.")
    ? { name, route, inputs: [input], isBatch: false }
    : null;

const sentOf = (baseUrl: string, request: FuzzRequest, index: number, call: TrpcCall | null): Sent => {
  const { route, caller, headers = {} } = request;
  const { method, path, body } = call ? trpcAddressOf(call) : addressOf(route, request);
  return {
    method,
    url: `${baseUrl}${path}`,
    headers: {
      "x-request-id": `fuzz-${index}`,
      "x-forwarded-for": clientOf(index),
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
      const call = callOf(request, index);
      const sent = sentOf(baseUrl, request, index, call);
      try {
        const exchange = await send(sent);
        unanswered = 0;
        const code = call ? trpcCodeOf(exchange) : codeOf(exchange);
        const outcome = [call ? "tRPC" : "", exchange.status, code].filter(Boolean).join(" ");
        note(request, sent, call ? trpcFaults(exchange, call) : faultsIn(request, exchange, catalog), outcome);
      } catch (error) {
        unanswered += 1;
        note(request, sent, [`no answer: ${String(error)}`], "no answer");
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { requests: asked, outcomes, faults: [...faults.values()] };
};
