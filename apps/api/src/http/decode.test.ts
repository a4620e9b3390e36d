import { contract } from "@assay/contract";
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

/** An unknown parameter that needs decoding. */
const ENCODED = "&%20=%20";

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
      from: "2026-11-01",
      to: "2026-11-20",
      limit: 5,
    });
  });
});
