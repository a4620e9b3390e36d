import { contract, type ValidationIssue } from "@assay/contract";
import { attempt } from "@assay/services";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decoderOf } from "./decode.ts";

const decode = decoderOf(contract.bars.list);

const readingOf = (query: string): unknown =>
  attempt<unknown>(
    (fail) => decode({ path: {}, query }, fail),
    ({ detail }) => detail,
  );

test("null leaves out what may be left out, at any depth, and nothing else", () => {
  const route = contract.quotes.create;
  const read = (body: unknown): unknown =>
    attempt<unknown>(
      (fail) => decoderOf(route)({ path: {}, query: "", body }, fail),
      ({ detail }) => (detail["issues"] as ValidationIssue[]).map(({ path, message }) => `${path.join(".")} ${message}`), // as above
    );
  const piece = { metal: "XAU", weight: "1", unit: "gram" };
  const absent = { karat: null, fineness: null, margin_percent: null, making: { per_gram: "1", fixed: null }, round_to: null };
  expect(read({ currency: "EUR", items: [{ ...piece, ...absent }] })).toEqual(
    read({ currency: "EUR", items: [{ ...piece, making: { per_gram: "1" } }] }),
  );
  expect(read({ currency: null, items: [{ ...piece, weight: null }] })).toEqual(["body.currency is required"]);
  for (const items of [[{ ...piece, weight: null }], [null]])
    expect(read({ currency: "EUR", items })).toMatchObject({ items: [{ given: items[0] }] });
});

/** An ignored parameter that needs decoding. */
const ENCODED = "&_%20=%20";

describe("parameters a route does not have", () => {
  const issuesOf = (query: string, body?: unknown): readonly ValidationIssue[] => {
    const { route, input } =
      body === undefined ? { route: contract.system.status, input: {} } : { route: contract.account.mintKey, input: { body } };
    const read = attempt<unknown>(
      (fail) => {
        decoderOf(route)({ path: {}, query, ...input }, fail);
        return [];
      },
      ({ detail }) => detail["issues"],
    );
    return read as readonly ValidationIssue[]; // as validation_error has them
  };

  test("are named where they were given", () => {
    expect(issuesOf("name=ci&x=1", { Name: "ci", y: 1 }).map(({ path }) => path)).toEqual([
      ["query", "name"],
      ["query", "x"],
      ["body", "Name"],
      ["body", "y"],
    ]);
    expect(issuesOf("name=ci", {})[0]?.message).toContain("name belongs in the body");
  });

  test("are listed up to ten, with the beginning of their names", () => {
    const many = Array.from({ length: 4_000 }, (_, at) => `p${at}`);
    expect(issuesOf(many.join("&"))).toHaveLength(10);
    const [long] = issuesOf("x".repeat(5_000));
    expect(JSON.stringify(long).length).toBeLessThan(300);
  });

  test.each(["constructor", "toString", "hasOwnProperty", "valueOf"])("may be called %s", (name) => {
    expect(issuesOf(`${name}=1`)).toMatchObject([
      { path: ["query", name], message: expect.stringContaining("the parameters are format") },
    ]);
  });

  test("may have no name", () => {
    expect(issuesOf("=1")).toMatchObject([{ path: ["query", ""], message: expect.stringMatching(/^an empty name is not/) }]);
    expect(issuesOf("&&")).toEqual([]);
  });
});

describe("a query without anything to decode", () => {
  const name = fc.constantFrom("symbol", "interval", "from", "to", "limit", "cursor", "other", "");
  const value = fc.oneof(
    fc.constantFrom("XAU/USD", "1d", "2026-11-01", "2026-11-20T00:00:00Z", "10", "10.5", "", "a=b", "="),
    fc.string({ unit: fc.constantFrom(..."aZ09_.~:/,@!$'()*;?=-") }),
  );
  const pair = fc.oneof(
    fc.tuple(name, value).map(([left, right]) => `${left}=${right}`),
    name,
  );

  test("is read as one that has something", () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 8 }), (pairs) => {
        const query = pairs.join("&");
        expect(readingOf(query)).toEqual(readingOf(`${query}${ENCODED}`));
      }),
      { numRuns: 2_000 },
    );
  });

  test("reads its parameters", () => {
    expect(readingOf("symbol=XAU/USD&from=2026-11-01&to=2026-11-20&limit=5")).toEqual({
      symbol: "XAU/USD",
      interval: "1d",
      order: "desc",
      from: "2026-11-01",
      to: "2026-11-20",
      limit: 5,
    });
  });
});
