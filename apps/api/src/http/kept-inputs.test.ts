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
  test("are what decoding gives, and the same object for the same parameters", () => {
    const decode = decoderOf(contract.bars.list);
    const keeping = keepingInputs(decode);
    const asked = bars(QUERY);
    const first = keeping(asked, fail);
    expect(first).toEqual(decode(asked, fail));
    expect(keeping(asked, fail)).toBe(first);
    expect(keeping(bars(QUERY), fail)).not.toBe(first);
  });

  test("cannot be changed by a verb", () => {
    expect(Object.isFrozen(keepingInputs(decoderOf(contract.bars.list))(bars(QUERY), fail))).toBe(true);
  });

  test("are refused each time when they are invalid", () => {
    const keeping = keepingInputs(decoderOf(contract.bars.list));
    const asked = bars("symbol=XAU/USD&limit=1e3");
    for (const _ of [1, 2]) expect(() => keeping(asked, fail)).toThrow("refused");
  });
});
