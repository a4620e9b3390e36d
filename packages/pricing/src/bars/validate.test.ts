import { describe, expect, it } from "vitest";
import { type BarFigures, type BarRule, validateBar } from "./validate.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const bar = (figures: Partial<BarFigures> = {}): BarFigures => ({
  interval: "1d",
  barStartMs: Date.UTC(2026, 10, 20),
  open: "370.10",
  high: "372.00",
  low: "369.50",
  close: "371.20",
  volume: "8123400",
  ...figures,
});

describe("validateBar", () => {
  it.each([
    bar(),
    bar({ volume: null }),
    bar({ volume: "0" }),
    bar({ open: "372", low: "369.5", close: "369.500" }),
    bar({ high: "000999999999.99", volume: "99999999999999999999.9" }),
  ])("passes %o", (sound) => {
    expect(validateBar(sound, NOW)).toEqual({ ok: true });
  });

  it.each<[Partial<BarFigures>, BarRule]>([
    [{ open: "" }, "malformed"],
    [{ close: "NaN" }, "malformed"],
    [{ volume: "1e6" }, "malformed"],
    [{ low: "0" }, "not_positive"],
    [{ low: "-1" }, "not_positive"],
    [{ volume: "-1" }, "not_positive"],
    [{ high: "1000000000" }, "too_large"],
    [{ volume: "100000000000000000000.5" }, "too_large"],
    [{ high: "371.19" }, "inconsistent"],
    [{ high: "370.09", close: "370" }, "inconsistent"],
    [{ low: "370.11" }, "inconsistent"],
    [{ low: "400", high: "399" }, "inconsistent"],
    [{ barStartMs: Date.UTC(2026, 10, 19, 23) }, "misaligned"],
    [{ barStartMs: Number.NaN }, "misaligned"],
    [{ barStartMs: Date.UTC(2026, 10, 21) }, "from_the_future"],
  ])("refuses %o as %s", (figures, rule) => {
    expect(validateBar(bar(figures), NOW)).toMatchObject({ ok: false, rule });
  });
});
