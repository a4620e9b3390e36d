/** Simulated options and prediction markets, at their polling intervals. */
import type { Observation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { simulatedSource } from "../source.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:00Z");
const SATURDAY_MS = Date.parse("2026-11-21T12:00:00Z");
const isOfVenue = ({ kind }: Observation): boolean => kind === "options" || kind === "markets";

describe("the simulated venues", () => {
  const told = (fromMs: number, toMs: number, hours: "always" | "market" = "always") =>
    [...simulatedSource({ seed: 1, hours }).due(fromMs, toMs)].flatMap(({ atMs, observations }) =>
      observations.filter(isOfVenue).map(({ kind, source }) => ({ kind, source, second: (atMs - fromMs) / 1_000 })),
    );

  it("have chains of both metals every minute and books every twenty seconds, under declared sources", () => {
    const found = told(FRIDAY_MS, FRIDAY_MS + 120_000);
    const seconds = (kind: string) => found.filter((each) => each.kind === kind).map(({ second }) => second);
    expect(seconds("options")).toEqual([60, 60, 120, 120]);
    expect(seconds("markets")).toEqual([20, 40, 60, 80, 100, 120].flatMap((second) => [second, second]));
    const { sources } = simulatedSource({ seed: 1, hours: "always" });
    expect(found.filter(({ source }) => !sources.has(source))).toEqual([]);
  });

  it("quote nothing while the real market is closed, when they keep its hours", () => {
    expect(told(SATURDAY_MS, SATURDAY_MS + 60_000, "market")).toEqual([]);
    expect(told(SATURDAY_MS, SATURDAY_MS + 60_000)).not.toEqual([]);
  });
});
