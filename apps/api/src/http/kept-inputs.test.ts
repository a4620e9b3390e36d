import { contract } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { decoderOf, type RawParameters } from "./decode.ts";
import { keepingInputs } from "./kept-inputs.ts";

const bars = (query: string): RawParameters => ({ path: {}, query });
const fail = (): never => {
  throw new RangeError("refused");
};
const QUERY = "symbol=XAU/USD&from=2026-11-01&to=2026-11-20&limit=5";

describe("kept inputs", () => {
  test("are what decoding gives, and the same object for the same text", () => {
    const decode = decoderOf(contract.bars.list);
    const keeping = keepingInputs(decode);
    const first = keeping(bars(QUERY), fail);
    expect(first).toEqual(decode(bars(QUERY), fail));
    expect(keeping(bars(QUERY), fail)).toBe(first);
  });

  test("cannot be changed by a verb", () => {
    expect(Object.isFrozen(keepingInputs(decoderOf(contract.bars.list))(bars(QUERY), fail))).toBe(true);
  });

  test("differ by path as well as by query", () => {
    const keeping = keepingInputs(decoderOf(contract.spot.get));
    const of = (symbol: string) => keeping({ path: { symbol }, query: "include=karat" }, fail);
    expect(of("gold")).toEqual({ symbol: "gold", include: "karat" });
    expect(of("silver")).toEqual({ symbol: "silver", include: "karat" });
  });

  test("are refused each time when they are invalid", () => {
    const keeping = keepingInputs(decoderOf(contract.bars.list));
    for (const _ of [1, 2]) expect(() => keeping(bars("symbol=XAU/USD&limit=1e3"), fail)).toThrow("refused");
  });

  test("are bounded in number, and very long text is not kept", () => {
    let decodings = 0;
    const keeping = keepingInputs((raw) => {
      decodings += 1;
      return { query: raw.query };
    });
    const long = "x".repeat(600);
    keeping(bars(long), fail);
    keeping(bars(long), fail);
    expect(decodings).toBe(2);
    const inPath = { path: { symbol: long }, query: "include=karat" };
    keeping(inPath, fail);
    keeping(inPath, fail);
    expect(decodings).toBe(4);
    for (let index = 0; index < 501; index += 1) keeping(bars(`q=${index}`), fail);
    keeping(bars("q=0"), fail);
    expect(decodings).toBe(506);
  });
});
