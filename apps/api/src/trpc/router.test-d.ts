/** The client's types, for every route: checked by `tsc -p tsconfig.tests.json`. */
import type { AssayContract, DecimalText, ErrorCode, OutputOf, RequestOf } from "@assay/contract";
import type { AppRouter as PublishedRouter, WireError } from "@assay/sdk/trpc";
import { createTRPCClient, TRPCClientError } from "@trpc/client";
import { expectTypeOf } from "vitest";
import type { AppRouter } from "./router.ts";

const client = createTRPCClient<AppRouter>({ links: [] });
type Client = typeof client;

/** The input and output of a client's procedure. */
type Input<P> = P extends { query: (input: infer I, ...rest: never[]) => unknown }
  ? I
  : P extends { mutate: (input: infer I, ...rest: never[]) => unknown }
    ? I
    : never;
type Output<P> = P extends { query: (...all: never[]) => Promise<infer O> }
  ? O
  : P extends { mutate: (...all: never[]) => Promise<infer O> }
    ? O
    : never;

/** Mutually assignable. Distinguishes `unknown` and `any` from everything else. */
type Same<A, B> = 0 extends 1 & A
  ? false
  : unknown extends A
    ? false
    : [A] extends [B]
      ? [B] extends [A]
        ? true
        : false
      : false;

/** A type after a round trip through JSON: absent keys, never undefined ones. */
type AsJson<T> = T extends readonly (infer E)[]
  ? AsJson<E>[]
  : T extends object
    ? { [K in keyof T]: AsJson<Exclude<T[K], undefined>> }
    : T;

type Agreement = {
  [G in keyof AssayContract]: {
    [K in keyof AssayContract[G]]: K extends keyof Client[G]
      ? {
          input: Same<Input<Client[G][K]>, RequestOf<AssayContract[G][K]>>;
          output: Same<Output<Client[G][K]>, AsJson<OutputOf<AssayContract[G][K]>>>;
          verb: AssayContract[G][K] extends { method: "GET" }
            ? Client[G][K] extends { query: unknown }
              ? true
              : false
            : Client[G][K] extends { mutate: unknown }
              ? true
              : false;
        }
      : never;
  };
};
type AllAgree = { [G in keyof AssayContract]: { [K in keyof AssayContract[G]]: { input: true; output: true; verb: true } } };

// Every route: its input, its output, and whether it is a query or a mutation.
expectTypeOf<Agreement>().toEqualTypeOf<AllAgree>();

// What a reader of the code sees.
expectTypeOf(client.spot.get.query).parameter(0).toEqualTypeOf<{
  symbol: string;
  include?: string | undefined;
  at?: string | undefined;
}>();
expectTypeOf<Output<Client["spot"]["get"]>["price"]>().toEqualTypeOf<DecimalText | undefined>();
expectTypeOf<Output<Client["bars"]["list"]>["bars"][number]["close"]>().toEqualTypeOf<DecimalText | null>();
expectTypeOf<Output<Client["bars"]["list"]>["next_cursor"]>().toEqualTypeOf<string | null>();
expectTypeOf<Output<Client["account"]["revokeKey"]>>().toEqualTypeOf<undefined>();

/** Never called: its lines must not compile. */
export const mistakes = async (): Promise<void> => {
  // @ts-expect-error no such resource
  await client.nothing.get.query({});
  // @ts-expect-error no such action
  await client.spot.list.query({});
  // @ts-expect-error the symbol is required
  await client.spot.get.query({});
  // @ts-expect-error the limit is a number
  await client.bars.list.query({ symbol: "XAU", from: "2026-11-01", to: "2026-11-20", limit: "5" });
  // @ts-expect-error no such interval
  await client.bars.list.query({ symbol: "XAU", from: "2026-11-01", to: "2026-11-20", interval: "5s" });
  // @ts-expect-error minting is a mutation, not a query
  await client.account.mintKey.query({});
  // @ts-expect-error reading is a query, not a mutation
  await client.spot.get.mutate({ symbol: "gold" });
  const row = await client.spot.get.query({ symbol: "gold" });
  // @ts-expect-error a price is text
  row.price?.toFixed(2);
};

/** The body of a refusal is typed where it is read. */
export const codeOf = (error: TRPCClientError<AppRouter>): ErrorCode | undefined => {
  expectTypeOf(error.data?.wire?.error).toEqualTypeOf<ErrorCode | undefined>();
  return error.data?.wire?.error;
};
expectTypeOf(TRPCClientError).toBeConstructibleWith("message");

/** The SDK's published router, independent of these packages: its inputs are accepted, and its outputs match. */
const published = createTRPCClient<PublishedRouter>({ links: [] });
type Published = typeof published;
type Fits<A, B> = [A] extends [B] ? true : false;
/** A type whose lists are only read, as the published ones are. */
type Mutable<T> = T extends readonly (infer E)[]
  ? readonly Mutable<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Mutable<T[K]> }
    : T;
type Publication = {
  [G in keyof AssayContract]: {
    [K in keyof AssayContract[G]]: G extends keyof Published
      ? K extends keyof Published[G]
        ? {
            // The service decodes query parameters by their JSON type; text with suggested values is text.
            input: Fits<Exclude<Input<Published[G][K]>, void>, Mutable<RequestOf<AssayContract[G][K]>>>;
            output: Fits<AsJson<OutputOf<AssayContract[G][K]>>, Output<Published[G][K]>>;
            verb: Same<keyof Client[G & keyof Client][K & keyof Client[G & keyof Client]], keyof Published[G][K]>;
          }
        : never
      : never;
  };
};
expectTypeOf<Publication>().toEqualTypeOf<AllAgree>();
expectTypeOf<WireError["error"]>().toEqualTypeOf<ErrorCode>();
