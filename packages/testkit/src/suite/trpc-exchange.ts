/** One call over tRPC, alone or in a batch, with the checks that apply to every answer. */
import { ERRORS, errorBody, type Route } from "@assay/contract";
import { expect } from "vitest";
import type { Expectation } from "../wire/access.ts";
import { faultsOf } from "../wire/strict-schema.ts";
import type { SuiteHarness } from "./harness.ts";

type Input = Readonly<Record<string, unknown>>;

/** A call. */
export interface TrpcCall {
  /** `resource.action` */
  readonly name: string;
  readonly route: Route;
  readonly key: string | undefined;
  /** A single input, or those of a batch of the same procedure. */
  readonly inputs: readonly Input[];
}

/** What a client receives of one call. */
interface CallAnswer {
  readonly result?: { readonly data?: unknown };
  readonly error?: {
    readonly data?: { readonly httpStatus?: number; readonly wire?: { readonly error?: string; readonly request_id?: string } };
  };
}

/** The parsed response. */
export interface TrpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly isBatch: boolean;
  /** One per call, without the extra batch member. */
  readonly calls: readonly CallAnswer[];
}

/** A query everyone may make, added to batches so that their outcomes differ. */
const BESIDE = "system.health";

const addressOf = ({ name, route, inputs }: TrpcCall, isBatch: boolean): { path: string; body: string | null } => {
  const isQuery = route.method === "GET";
  const names = inputs.map(() => name);
  const all = isBatch && isQuery ? [BESIDE, ...names] : names;
  const byPlace = isBatch
    ? Object.fromEntries(inputs.map((input, place) => [String(place + all.length - inputs.length), input]))
    : inputs[0];
  const query = new URLSearchParams({
    ...(isBatch ? { batch: "1" } : {}),
    ...(isQuery ? { input: JSON.stringify(byPlace) } : {}),
  });
  return { path: `/trpc/${all.join(",")}?${query}`, body: isQuery ? null : JSON.stringify(byPlace) };
};

/** Calls from an address of its own. */
export const trpcExchange = async (harness: SuiteHarness, call: TrpcCall, isBatch: boolean): Promise<TrpcAnswer> => {
  const { path, body } = addressOf(call, isBatch);
  const response = await fetch(`${harness.baseUrl}${path}`, {
    method: body === null ? "GET" : "POST",
    headers: {
      ...harness.freshAddress(),
      "Content-Type": "application/json",
      ...(call.key === undefined ? {} : { Authorization: `Bearer ${call.key}` }),
    },
    body,
  });
  const text = await response.text();
  const parsed: unknown = JSON.parse(text);
  const calls = (Array.isArray(parsed) ? parsed : [parsed]) as CallAnswer[]; // each field is checked where it is used
  if (isBatch && body === null) expect(calls.shift()?.result?.data, "the call beside it").toMatchObject({ status: "ok" });
  expect(calls).toHaveLength(call.inputs.length);
  return { status: response.status, headers: response.headers, text, isBatch, calls };
};

/** Checks that every call of an answer had the expected outcome, field by field on the wire. */
export const expectCalls = (route: Route, { calls, headers, text, status, isBatch }: TrpcAnswer, expected: Expectation): void => {
  for (const { result, error } of calls) {
    if (expected === "success") {
      expect(error, text).toBeUndefined();
      if (route.success.status === 200 || route.success.status === 201) expect(faultsOf(route.output, result?.data)).toEqual([]);
    } else {
      expect(result, text).toBeUndefined();
      expect(error?.data?.wire, text).toMatchObject({ error: expected.code, ...expected.fields });
      expect(faultsOf(errorBody(expected.code), error?.data?.wire)).toEqual([]);
      expect(error?.data?.httpStatus).toBe(ERRORS[expected.code].status);
      expect(error?.data?.wire?.request_id).toBe(headers.get("x-request-id"));
    }
  }
  const alone = expected === "success" ? 200 : ERRORS[expected.code].status;
  // Mixed outcomes within a batch are 207.
  expect(isBatch ? [alone, 207] : [alone]).toContain(status);
};
