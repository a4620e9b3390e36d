/** TradingView's data feed at /udf: the bars of the API in the protocol that chart front ends speak. */
import type { IncomingMessage } from "node:http";
import { type AssayContract, type OutputOf, refused } from "@assay/contract";
import type { Clock } from "@assay/live";
import { keyOf, requestIdOf } from "@assay/process";
import {
  type Allowance,
  attempt,
  type FailInput,
  type Invoke,
  type Limits,
  limitHeaders,
  type Outcome,
  refusalOutcome,
} from "@assay/services";
import type { Context, Hono } from "hono";
import type { Env } from "../http/mount.ts";
import { toResponse } from "../http/send.ts";
import { barsInput, historyText } from "./udf-history.ts";
import { historyQuery, readUdfQuery, searchQuery, symbolsQuery } from "./udf-query.ts";
import { CONFIGURATION, readUdfSymbol, searchSymbols, symbolInfo } from "./udf-symbols.ts";

/** What the handlers of /udf depend on. */
export interface UdfDoorOptions {
  /** The pipeline of the bars route. */
  readonly listBars: Invoke;
  readonly addressOf: (incoming: IncomingMessage) => string;
  readonly limits: Limits;
  readonly clock: Clock;
}

type BarsPage = OutputOf<AssayContract["bars"]["list"]>;

/** What a chart shows of an invalid parameter. */
const faultOf = (body: Record<string, unknown>): string => {
  const { message, issues } = body;
  const [issue] = Array.isArray(issues) ? (issues as { path: string[]; message: string }[]) : []; // as validation_error lists them
  return issue ? `${issue.path.at(-1)} ${issue.message}` : String(message);
};

/** A refusal in the protocol's form, with the body of the API beside it. */
const inUdfForm = (outcome: Outcome): Outcome =>
  outcome.error
    ? { ...outcome, body: JSON.stringify({ s: "error", errmsg: faultOf(outcome.error.body), ...outcome.error.body }) }
    : outcome;

const textOf = ({ body }: Outcome): string => (typeof body === "string" ? body : Buffer.from(body ?? []).toString("utf8"));

/** Mounts the handlers of /udf. */
export const mountUdf = (app: Hono<Env>, { listBars, addressOf, limits, clock }: UdfDoorOptions): void => {
  const headersOf = (incoming: IncomingMessage): Record<string, string> => ({
    "Content-Type": "application/json",
    "X-Request-Id": requestIdOf(incoming),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  const searchOf = ({ url = "" }: IncomingMessage): URLSearchParams => new URL(url, "http://service").searchParams;

  const history = async (incoming: IncomingMessage): Promise<Outcome> => {
    let query: ReturnType<typeof readHistory> | undefined;
    const readHistory = (fail: FailInput) => readUdfQuery(historyQuery, searchOf(incoming), fail);
    const outcome = await listBars({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      readInput: (fail, caller) => {
        query = readHistory(fail);
        return barsInput(query, caller, clock(), fail);
      },
    });
    if (outcome.error || !query) return outcome;
    return { ...outcome, body: historyText(query, JSON.parse(textOf(outcome)) as BarsPage) }; // the route's answer
  };

  /** What is the same for everyone: counted as a light request of the address. */
  const fixed = async (
    incoming: IncomingMessage,
    answer: (fail: FailInput, search: URLSearchParams) => unknown,
  ): Promise<Outcome> => {
    let allowance: Allowance | undefined;
    return attempt<Outcome>(
      async (fail, failCounted) => {
        allowance = await limits.light(addressOf(incoming), clock(), failCounted);
        const body = answer(fail, searchOf(incoming));
        const windows = limitHeaders(allowance, clock());
        return body === undefined
          ? refusalOutcome(refused("not_found", { message: "There is no such symbol." }), requestIdOf(incoming), windows)
          : { status: 200, headers: { ...windows, ...headersOf(incoming) }, body: JSON.stringify(body) };
      },
      (refusal) => {
        const counted = refusal.allowance ?? allowance;
        return refusalOutcome(refusal, requestIdOf(incoming), counted ? limitHeaders(counted, clock()) : {});
      },
    );
  };

  const answers: Readonly<Record<string, (incoming: IncomingMessage) => Promise<Outcome>>> = {
    "/udf/history": history,
    "/udf/config": (incoming) => fixed(incoming, () => CONFIGURATION),
    "/udf/time": (incoming) => fixed(incoming, () => Math.floor(clock() / 1_000)),
    "/udf/symbols": (incoming) =>
      fixed(incoming, (fail, search) => {
        const symbol = readUdfSymbol(readUdfQuery(symbolsQuery, search, fail).symbol);
        return symbol === null ? undefined : symbolInfo(symbol);
      }),
    "/udf/search": (incoming) =>
      fixed(incoming, (fail, search) => {
        const { query, type, limit } = readUdfQuery(searchQuery, search, fail);
        return searchSymbols(query, type, limit);
      }),
  };
  for (const [path, answer] of Object.entries(answers)) {
    app.all(path, async ({ env: { incoming }, req }: Context<Env>) => {
      const outcome =
        req.method === "GET" || req.method === "HEAD"
          ? await answer(incoming)
          : refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: "GET, HEAD" });
      return toResponse(inUdfForm(outcome));
    });
  }
};
