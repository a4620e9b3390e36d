/** TradingView's data feed at /udf: the bars of the API in the protocol that chart front ends speak. */
import type { IncomingMessage } from "node:http";
import { EncodedList, refused } from "@assay/contract";
import type { Clock } from "@assay/ports";
import { isReading, keyOfOpenQuery, requestIdOf } from "@assay/process";
import { attempt, type FailInput, type Invoke, KEY_FAULTS, type Outcome, refusalOutcome, unstoredHeaders } from "@assay/services";
import type { Context, Hono } from "hono";
import { type Env, toResponse } from "../http/send.ts";
import type { CountLight } from "../http/windows.ts";
import { barsInput, type HistoryQuery, historyBody } from "./udf-history.ts";
import {
  CONFIGURATION,
  historyQuery,
  readUdfQuery,
  readUdfSymbol,
  searchQuery,
  searchSymbols,
  symbolInfo,
  symbolsQuery,
} from "./udf-protocol.ts";

export interface UdfDoorOptions {
  /** The pipeline of the bars route. */
  readonly listBars: Invoke;
  readonly addressOf: (incoming: IncomingMessage) => string;
  readonly countLight: CountLight;
  readonly clock: Clock;
}

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

const searchOf = ({ url = "" }: IncomingMessage): URLSearchParams => new URL(url, "http://service").searchParams;

/** GET /udf/history: a page of the bars route in the protocol's columns. */
const answerHistory = async ({ listBars, addressOf, clock }: UdfDoorOptions, incoming: IncomingMessage): Promise<Outcome> => {
  let query: HistoryQuery | undefined;
  const outcome = await listBars({
    requestId: requestIdOf(incoming),
    ip: addressOf(incoming),
    key: keyOfOpenQuery(incoming),
    readInput: (fail, caller) => {
      query = readUdfQuery(historyQuery, searchOf(incoming), fail);
      return barsInput(query, caller, clock(), fail);
    },
  });
  if (outcome.error || !query) return outcome;
  if (!(outcome.body instanceof EncodedList)) throw new Error("bars are answered as a list");
  return { ...outcome, body: historyBody(query, outcome.body.rows) };
};

export const mountUdf = (app: Hono<Env>, options: UdfDoorOptions): void => {
  const { addressOf, countLight, clock } = options;

  /** What is the same for everyone: counted as a light request of the address. */
  const fixed = async (
    incoming: IncomingMessage,
    answer: (fail: FailInput, search: URLSearchParams) => unknown,
  ): Promise<Outcome> => {
    const requestId = requestIdOf(incoming);
    const { refusal, windows } = await countLight(addressOf(incoming), 1);
    if (refusal) return refusalOutcome(refusal, requestId, windows);
    return attempt<Outcome>(
      (fail) => {
        // No key is looked up here; one in the wrong place is refused, so that its sender learns of it with the first request.
        if (keyOfOpenQuery(incoming).kind === "misplaced") {
          return refusalOutcome(refused("invalid_api_key", { message: KEY_FAULTS.misplaced }), requestId, windows);
        }
        const body = answer(fail, searchOf(incoming));
        if (body === undefined) {
          return refusalOutcome(refused("not_found", { message: "There is no such symbol." }), requestId, windows);
        }
        const headers = { ...windows, "Content-Type": "application/json", ...unstoredHeaders(requestId) };
        return { status: 200, headers, body: JSON.stringify(body) };
      },
      (invalid) => refusalOutcome(invalid, requestId, windows),
    );
  };

  const answers: Readonly<Record<string, (incoming: IncomingMessage) => Promise<Outcome>>> = {
    "/udf/history": (incoming) => answerHistory(options, incoming),
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
    app.all(path, async ({ env: { incoming } }: Context<Env>) => {
      const outcome = isReading(incoming)
        ? await answer(incoming)
        : refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: "GET, HEAD" });
      return toResponse(inUdfForm(outcome));
    });
  }
};
