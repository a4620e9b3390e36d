/** Code that must compile and code that must not; checked by `tsc -p tsconfig.tests.json`. */
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  type AssayContract,
  type Contract,
  Encoded,
  type ErrorDetail,
  type ErrorsOf,
  type InputOf,
  type OutputOf,
  type RequestOf,
  route,
  type Verb,
  type Verbs,
  type VersionedContract,
} from "./index.ts";

interface Context {
  readonly nowMs: number;
}

const answer = route({
  method: "GET",
  path: "/v1/answer/{name}",
  tag: "Test",
  summary: "An answer",
  description: "An answer.",
  access: { auth: "optional" },
  input: z.object({ name: z.string(), limit: z.int().default(5) }),
  output: z.object({ name: z.string(), count: z.int() }),
  errors: ["not_found", "plan_gated", "invalid_symbol"],
  examples: { one: { summary: "One", value: { name: "one", count: 1 } } },
});
type Answer = typeof answer;

// A declaration keeps its literal types.
expectTypeOf<InputOf<Answer>>().toEqualTypeOf<{ name: string; limit: number }>();
expectTypeOf<RequestOf<Answer>>().toEqualTypeOf<{ name: string; limit?: number | undefined }>();
expectTypeOf<OutputOf<Answer>>().toEqualTypeOf<{ name: string; count: number }>();
expectTypeOf<ErrorsOf<Answer>>().toEqualTypeOf<"not_found" | "plan_gated" | "invalid_symbol">();
expectTypeOf(answer.method).toEqualTypeOf<"GET">();

// A verb takes the parsed input and the context and returns the output, encoded or not, sync or async.
const verb: Verb<Answer, Context> = ({ name, limit }, { nowMs }) => {
  expectTypeOf(limit).toEqualTypeOf<number>();
  expectTypeOf(nowMs).toEqualTypeOf<number>();
  return { name, count: limit };
};
const later: Verb<Answer, Context> = async ({ name }) => ({ name, count: 1 });
const encoded: Verb<Answer, Context> = () => new Encoded<OutputOf<Answer>>("{}");
const refusing: Verb<Answer, Context> = (_, { fail }) => fail("not_found");
const saying: Verb<Answer, Context> = (_, { fail }) => fail("not_found", { message: "No such answer." });
const gating: Verb<Answer, Context> = (_, { fail }) => fail("plan_gated", { tier: "free", required_tier: "pro" });

// @ts-expect-error a code the route does not declare
const undeclared: Verb<Answer, Context> = (_, { fail }) => fail("bad_request");
// @ts-expect-error a code that does not exist
const unknown: Verb<Answer, Context> = (_, { fail }) => fail("teapot");
// @ts-expect-error the fields the code's body adds are missing
const fieldless: Verb<Answer, Context> = (_, { fail }) => fail("plan_gated");
// @ts-expect-error one of its fields is missing
const half: Verb<Answer, Context> = (_, { fail }) => fail("plan_gated", { tier: "free" });
// @ts-expect-error a tier that does not exist
const wrongTier: Verb<Answer, Context> = (_, { fail }) => fail("plan_gated", { tier: "gold", required_tier: "pro" });

// @ts-expect-error a field is missing
const short: Verb<Answer, Context> = ({ name }) => ({ name });
// @ts-expect-error a field is of another type
const mistyped: Verb<Answer, Context> = ({ name }) => ({ name, count: "1" });
// @ts-expect-error an async answer of another shape
const laterMistyped: Verb<Answer, Context> = async () => ({ title: "x" });
// @ts-expect-error bytes of another shape
const otherBytes: Verb<Answer, Context> = () => new Encoded<{ other: string }>("{}");
// @ts-expect-error no return value
const nothing: Verb<Answer, Context> = () => undefined;
// @ts-expect-error an undeclared parameter
const undeclaredInput: Verb<Answer, Context> = ({ page }) => ({ name: String(page), count: 1 });

const tree = { answers: { get: answer, again: answer } };
type Tree = typeof tree;

// Every route has a verb, and every verb a route.
const whole: Verbs<Tree, Context> = { answers: { get: verb, again: later } };
// @ts-expect-error a route without a verb
const partial: Verbs<Tree, Context> = { answers: { get: verb } };
// @ts-expect-error a resource without verbs
const empty: Verbs<Tree, Context> = {};
// @ts-expect-error a verb without a route
const surplus: Verbs<Tree, Context> = { answers: { get: verb, again: later, more: verb } };

/** Type errors point at the faulty field of the declaration. */
const examples = { one: { summary: "One", value: { name: "one", count: 1 } } };
route({
  ...answer,
  examples,
  // @ts-expect-error a code that is not in the table
  errors: ["no_such_code"],
});
route({
  ...answer,
  examples,
  // @ts-expect-error a path without its slash
  path: "v1/answer",
});
const page = route({ ...answer, examples, path: "/answer" });
export const outside: Contract = { answers: { page } };
export const versioned: VersionedContract = { answers: { answer } };
// @ts-expect-error a path outside /v1
export const unversioned: VersionedContract = { answers: { page } };
route({
  ...answer,
  examples,
  // @ts-expect-error a tier that does not exist
  access: { auth: "required", tier: "gold" },
});

// @ts-expect-error an answer without an example
route({ ...answer, examples: undefined });
// @ts-expect-error an example that does not match the answer
route({ ...answer, examples: { one: { summary: "One", value: { name: "one", count: "1" } } } });
// @ts-expect-error an example for a route without an answer
route({ ...answer, output: z.undefined(), examples });

// The real contract: wire types as callers see them.
type Bars = AssayContract["bars"]["list"];
expectTypeOf<RequestOf<Bars>>().toEqualTypeOf<{
  symbol: string;
  from: string;
  to: string;
  interval?: "1m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d" | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  order?: "desc" | "asc" | undefined;
  known_at?: string | undefined;
}>();
expectTypeOf<OutputOf<AssayContract["account"]["revokeKey"]>>().toEqualTypeOf<undefined>();
expectTypeOf<ErrorsOf<AssayContract["spot"]["get"]>>().toExtend<
  | "invalid_symbol"
  | "not_found"
  | "plan_gated"
  | "range_too_deep"
  | "service_unavailable"
  | "spot_unavailable"
  | "validation_error"
>();
expectTypeOf<ErrorDetail<"not_found">>().toEqualTypeOf<{ message?: string }>();
expectTypeOf<ErrorDetail<"invalid_symbol">>().toExtend<{ symbol: string; hint: string }>();

// Prices are strings, never numbers.
type Price = OutputOf<AssayContract["spot"]["get"]>["price"];
expectTypeOf<Price>().toEqualTypeOf<string | undefined>();

/** Exported so that the compiler counts each as used. */
export const checked = [
  [verb, later, encoded, refusing, saying, gating, undeclared, unknown, fieldless, half, wrongTier],
  [short, mistyped, laterMistyped, otherBytes, nothing, undeclaredInput, whole, partial, empty, surplus],
];
