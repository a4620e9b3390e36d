import { catalogue } from "@assay/catalogue";
import { describe, expect, it } from "vitest";
import { INSTRUMENTS } from "../conventions/symbols.ts";
import { dec } from "../number/exact.ts";
import type { SourceInfo, SourceRole, SpotObservation } from "../readings/observation.ts";
import { MAX_AGE_MS, MAX_CLOCK_SKEW_MS } from "../readings/validation.ts";
import { type SpotRule, validateSpot } from "./validate.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const info = (key: string, role: SourceRole = "primary"): [string, SourceInfo] => [
  key,
  { key, displayName: key, license: "attribution", role, intervalMs: 20_000, freshForMs: 60_000 },
];
const sources = new Map([info("alpha"), info("beta"), info("gamma"), info("lender", "council"), info("token", "informational")]);

const read = (figures: Partial<SpotObservation> = {}): SpotObservation => ({
  kind: "spot",
  source: "alpha",
  instrument: "XAU-USD-SPOT",
  price: "4003.20",
  observedAtMs: NOW - 1_000,
  ...figures,
});
const ruleOf = (observation: SpotObservation): SpotRule | "ok" => {
  const verdict = validateSpot(observation, { nowMs: NOW, sources });
  if (!verdict.ok) expect(verdict.detail).not.toBe("");
  return verdict.ok ? "ok" : verdict.rule;
};

describe("a valid reading", () => {
  it.each([
    read(),
    read({ bid: "4003.00", ask: "4003.40" }),
    read({ bid: "4003.20", ask: "4003.20" }),
    read({ bid: "4003.00" }),
    read({ volume: "0" }),
    read({ source: "stranger" }),
  ])("passes: %o", (observation) => {
    expect(ruleOf(observation)).toBe("ok");
  });
});

describe("the rules of time", () => {
  it("allow a publisher's clock to be five seconds fast", () => {
    expect(ruleOf(read({ observedAtMs: NOW + MAX_CLOCK_SKEW_MS }))).toBe("ok");
    expect(ruleOf(read({ observedAtMs: NOW + MAX_CLOCK_SKEW_MS + 1 }))).toBe("from_the_future");
  });

  it("accept Friday's reading on a Sunday, and refuse one older than a week", () => {
    expect(ruleOf(read({ observedAtMs: NOW - 2 * 86_400_000 }))).toBe("ok");
    expect(ruleOf(read({ observedAtMs: NOW - MAX_AGE_MS - 1 }))).toBe("too_old");
  });

  it("refuse seconds given as milliseconds, and a missing time", () => {
    expect(ruleOf(read({ observedAtMs: NOW / 1_000 }))).toBe("too_old");
    expect(ruleOf(read({ observedAtMs: Number.NaN }))).toBe("unreadable_time");
  });
});

describe("the rules of figures", () => {
  it.each<[Partial<SpotObservation>, SpotRule]>([
    [{ price: "4,003.20" }, "malformed"],
    [{ price: "4.0032e3" }, "malformed"],
    [{ price: "" }, "malformed"],
    [{ price: "NaN" }, "malformed"],
    [{ bid: "n/a" }, "malformed"],
    [{ price: "0" }, "not_positive"],
    [{ price: "-4003.20" }, "not_positive"],
    [{ ask: "0.00" }, "not_positive"],
    [{ volume: "-1" }, "not_positive"],
    [{ bid: "4003.41", ask: "4003.40" }, "crossed"],
    [{ bid: "4003.21", ask: "4003.40" }, "outside_spread"],
    [{ bid: "4003.00", ask: "4003.19" }, "outside_spread"],
    [{ ask: "4003.19" }, "outside_spread"],
  ])("refuse %o as %s", (figures, rule) => {
    expect(ruleOf(read(figures))).toBe(rule);
  });

  it("name the figures of the refusal", () => {
    expect(validateSpot(read({ bid: "4004", ask: "4003.40" }), { nowMs: NOW, sources })).toEqual({
      ok: false,
      rule: "crossed",
      detail: "bid 4004 above ask 4003.40",
    });
  });
});

describe("the range", () => {
  it.each([
    ["XAU-USD-SPOT", "128.70", "gold per gram"],
    ["XAU-USD-SPOT", "128705.87", "gold per kilogram"],
    ["XAG-USD-SPOT", "1.65", "silver per gram"],
    ["XAG-USD-SPOT", "1647.7", "silver per kilogram"],
    ["HG-USD-SPOT", "11023.1", "copper per tonne"],
    ["HG-USD-SPOT", "0.31", "copper per ounce"],
  ] as const)("of %s leaves out %s, which is %s", (instrument, price, _) => {
    expect(ruleOf(read({ instrument, price }))).toBe("out_of_range");
  });

  it("holds for bid and ask too, and includes its ends", () => {
    expect(ruleOf(read({ bid: "100" }))).toBe("out_of_range");
    for (const instrument of INSTRUMENTS) {
      const { low, high } = catalogue.instrument(instrument).plausible.bounds;
      expect(ruleOf(read({ instrument, price: low }))).toBe("ok");
      expect(ruleOf(read({ instrument, price: high }))).toBe("ok");
      expect(ruleOf(read({ instrument, price: dec(high).plus("0.01").toFixed() }))).toBe("out_of_range");
    }
  });
});

describe("the spread", () => {
  it("is at most two percent of its middle for gold, both ends included", () => {
    expect(ruleOf(read({ price: "4000", bid: "3960", ask: "4040" }))).toBe("ok");
    expect(ruleOf(read({ price: "4000", bid: "3960", ask: "4040.01" }))).toBe("wide_spread");
    expect(ruleOf(read({ price: "4000", bid: "2400", ask: "4880" }))).toBe("wide_spread");
  });

  it.each(["XAG-USD-SPOT", "HG-USD-SPOT", "XAG-USD-FUTURES", "HG-USD-FUTURES"] as const)(
    "is at most four percent for %s",
    (instrument) => {
      expect(ruleOf(read({ instrument, price: "50", bid: "49", ask: "51" }))).toBe("ok");
      expect(ruleOf(read({ instrument, price: "50", bid: "48.99", ask: "51" }))).toBe("wide_spread");
    },
  );
});
