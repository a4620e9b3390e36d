import { INTERVAL_MS as CONTRACT_INTERVALS } from "@assay/contract";
import type { Wire } from "@assay/sdk/trpc";
import { describe, expect, it } from "vitest";
import { formingBar, INTERVAL_MS } from "./forming.ts";

const bar: Wire.Bar = {
  bar_start: "2026-11-20T14:03:00Z",
  open: "999.50",
  high: "999.90",
  low: "999.10",
  close: "999.60",
  volume: null,
  is_closed: false,
};
const at = (text: string): number => Date.parse(text);

describe("the forming bar", () => {
  it("grows with a price of its minute, digits as published", () => {
    expect(formingBar(bar, { price: "1000.00", atMs: at("2026-11-20T14:03:59Z") }, "1m")).toEqual({
      ...bar,
      high: "1000.00",
      close: "1000.00",
    });
    expect(formingBar(bar, { price: "999.00", atMs: at("2026-11-20T14:03:00Z") }, "1m")).toMatchObject({
      high: "999.90",
      low: "999.00",
      close: "999.00",
    });
  });

  it("starts again with the first price of the next minute", () => {
    expect(formingBar(bar, { price: "1000.00", atMs: at("2026-11-20T14:04:00Z") }, "1m")).toEqual({
      bar_start: "2026-11-20T14:04:00Z",
      open: "1000.00",
      high: "1000.00",
      low: "1000.00",
      close: "1000.00",
      volume: null,
      is_closed: false,
    });
    expect(formingBar(undefined, { price: "1.0000", atMs: at("2026-11-20T14:04:59Z") }, "1d")?.bar_start).toBe(
      "2026-11-20T00:00:00Z",
    );
  });

  it("ignores a price that belongs to an earlier or a closed bar", () => {
    expect(formingBar(bar, { price: "1000.00", atMs: at("2026-11-20T14:02:59Z") }, "1m")).toBeNull();
    expect(formingBar({ ...bar, is_closed: true }, { price: "1", atMs: at("2026-11-20T14:03:30Z") }, "1m")).toBeNull();
  });

  it("knows the contract's intervals", () => {
    expect(INTERVAL_MS).toEqual(CONTRACT_INTERVALS);
  });
});
