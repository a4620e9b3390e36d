/** The simulated market as a source: deterministic, never repeats a reading, and silent outside its hours. */
import { PHYSICAL_COUNTRIES } from "@assay/contract";
import { type ClockedSource, INSTRUMENTS, type Observation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { simulatedPrice } from "./prices/price.ts";
import { simulatedSource } from "./source.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:00Z");
const SATURDAY_MS = Date.parse("2026-11-21T12:00:00Z");
const always = (seed = 1): ClockedSource => simulatedSource({ seed, hours: "always" });
const at = (source: ClockedSource, atMs: number): readonly Observation[] =>
  [...source.due(atMs - 1_000, atMs)].flatMap((reading) => reading.observations);
const keys = (observations: readonly Observation[]) => observations.map((each) => each.source);

describe("the simulated market", () => {
  it("quotes every instrument from three primaries, under declared sources", () => {
    const found = at(always(), FRIDAY_MS);
    for (const instrument of INSTRUMENTS) {
      const primaries = found.filter(
        (each) => each.kind === "spot" && each.instrument === instrument && !/token|council/.test(each.source),
      );
      expect(keys(primaries)).toEqual(["simulated", "simulated-b", "simulated-c"]);
    }
    expect(keys(found).filter((key) => !always().sources.has(key))).toEqual([]);
    expect(found).toContainEqual(
      expect.objectContaining({
        source: "simulated",
        instrument: "XAU-USD-SPOT",
        price: simulatedPrice("XAU-USD-SPOT", FRIDAY_MS, 1),
      }),
    );
  });

  it("is the same for the same seed and instant, and another for another seed", () => {
    expect(at(always(1), FRIDAY_MS)).toEqual(at(always(1), FRIDAY_MS));
    expect(at(always(1), FRIDAY_MS)).not.toEqual(at(always(2), FRIDAY_MS));
  });

  it("reads each whole second once, however the time is cut up", () => {
    const source = always();
    const whole = [...source.due(FRIDAY_MS, FRIDAY_MS + 30_000)];
    const cut = [FRIDAY_MS, FRIDAY_MS + 1, FRIDAY_MS + 999, FRIDAY_MS + 12_345, FRIDAY_MS + 30_000];
    const parts = cut.slice(1).flatMap((toMs, index) => [...source.due(cut[index] ?? 0, toMs)]);
    expect(parts).toEqual(whole);
    expect(whole.map((reading) => reading.atMs)).toEqual(
      Array.from({ length: 30 }, (_, second) => FRIDAY_MS + (second + 1) * 1_000),
    );
  });

  it("leaves out venues before the last two minutes of what a start catches up with, and nothing else", () => {
    const QUARTER_MS = 15 * 60_000;
    const all = [...always().due(FRIDAY_MS, FRIDAY_MS + QUARTER_MS)];
    const secondsOf = (kind: string) =>
      all
        .filter(({ observations }) => observations.some((each) => each.kind === kind))
        .map(({ atMs }) => (atMs - FRIDAY_MS) / 1_000);
    expect(secondsOf("spot")).toHaveLength(900);
    expect(secondsOf("fx")).toHaveLength(90);
    expect(secondsOf("markets")).toEqual([800, 820, 840, 860, 880, 900]);
    expect(secondsOf("options")).toEqual([840, 900]);
  });

  it("has tables every ten seconds and the days of platinum and palladium every minute", () => {
    const reported = (source: string) =>
      [...always().due(FRIDAY_MS - 1_000, FRIDAY_MS + 60_000)].filter(({ observations }) => keys(observations).includes(source))
        .length;
    expect(reported("simulated-fx")).toBe(7);
    const days = [...always().due(FRIDAY_MS, FRIDAY_MS + 60_000)].flatMap(({ observations }) =>
      observations.filter((each) => each.kind === "bar"),
    );
    expect(days.map((each) => each.kind === "bar" && each.symbol)).toEqual(["XPT-USD-SPOT", "XPD-USD-SPOT"]);
  });

  it("reports every dealer each minute, and at once when it sets new prices", () => {
    const readings = [...always().due(FRIDAY_MS - 1_000, FRIDAY_MS + 59_000)].map(({ atMs, observations }) => ({
      atMs,
      dealers: observations.filter((each) => each.kind === "dealer"),
    }));
    const [whole, ...others] = readings;
    expect(new Set(keys(whole?.dealers ?? []))).toEqual(
      new Set(PHYSICAL_COUNTRIES.map((code) => `simulated-${code.toLowerCase()}`)),
    );
    const reported = others.flatMap(({ atMs, dealers }) => dealers.map((each) => [each.source, each.observedAtMs === atMs]));
    expect(reported).toContainEqual(["simulated-cn", true]);
    expect(reported.filter(([, isNew]) => !isNew)).toEqual([]);
    for (const country of PHYSICAL_COUNTRIES)
      expect(always().sources.get(`simulated-${country.toLowerCase()}`)).toMatchObject({ country, required: false });
  });

  it("reports the finished day with the first reading of the next", () => {
    const midnightMs = Date.parse("2026-11-21T00:00:00Z");
    const days = at(always(), midnightMs).filter((each) => each.kind === "bar");
    expect(days.map((each) => each.kind === "bar" && each.barStartMs)).toEqual([
      midnightMs - 86_400_000,
      midnightMs,
      midnightMs - 86_400_000,
      midnightMs,
    ]);
  });

  it("has no primary while the real market is closed, when it keeps its hours, and moves on otherwise", () => {
    const primaries = (found: readonly Observation[]) => keys(found).filter((key) => key === "simulated-b");
    const market = simulatedSource({ seed: 1, hours: "market" });
    expect(primaries(at(market, SATURDAY_MS))).toEqual([]);
    expect(primaries(at(market, FRIDAY_MS))).not.toEqual([]);
    expect(primaries(at(always(), SATURDAY_MS))).not.toEqual([]);
  });
});

const isOfVenue = ({ kind }: Observation): boolean => kind === "options" || kind === "markets";

describe("the simulated venues", () => {
  const reported = (fromMs: number, toMs: number, hours: "always" | "market" = "always") =>
    [...simulatedSource({ seed: 1, hours }).due(fromMs, toMs)].flatMap(({ atMs, observations }) =>
      observations.filter(isOfVenue).map(({ kind, source }) => ({ kind, source, second: (atMs - fromMs) / 1_000 })),
    );

  it("have chains of both metals every minute and books every twenty seconds, under declared sources", () => {
    const found = reported(FRIDAY_MS, FRIDAY_MS + 120_000);
    const seconds = (kind: string) => found.filter((each) => each.kind === kind).map(({ second }) => second);
    expect(seconds("options")).toEqual([60, 60, 120, 120]);
    expect(seconds("markets")).toEqual([20, 40, 60, 80, 100, 120].flatMap((second) => [second, second]));
    const { sources } = simulatedSource({ seed: 1, hours: "always" });
    expect(found.filter(({ source }) => !sources.has(source))).toEqual([]);
  });

  it("quote nothing while the real market is closed, when they keep its hours", () => {
    expect(reported(SATURDAY_MS, SATURDAY_MS + 60_000, "market")).toEqual([]);
    expect(reported(SATURDAY_MS, SATURDAY_MS + 60_000)).not.toEqual([]);
  });
});
