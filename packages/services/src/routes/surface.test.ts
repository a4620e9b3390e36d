import { contract } from "@assay/contract";
import { arbitrageSignals as findEdges, probabilitySurface } from "@assay/pricing";
import { simulatedBooks, simulatedOptions } from "@assay/simulator";
import { describe, expect, test } from "vitest";
import type { SurfaceView } from "../market/surface-book.ts";
import { verbContext } from "../testing/verb-context.ts";
import { arbitrageSignals } from "./signals.ts";
import { expiries as expiriesVerb, getSurface } from "./surface.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const LATER_MS = AT_MS + 3 * 3_600_000;
const chain = simulatedOptions("xau", AT_MS, 1);
const surfaces = probabilitySurface({
  metal: "xau",
  spotUsdPerOzt: chain.spotUsdPerOzt,
  chains: [chain],
  markets: simulatedBooks("xau", AT_MS, 1),
  nowMs: AT_MS,
});
/** The first instant of the simulated market with an edge. */
const edgeAtMs = Array.from({ length: 300 }, (_, stretch) => AT_MS + stretch * 600_000).find(
  (atMs) => findEdges(simulatedBooks("xau", atMs, 1), atMs).length > 0,
);
const edges = findEdges(simulatedBooks("xau", edgeAtMs ?? AT_MS, 1), edgeAtMs ?? AT_MS);

const view: SurfaceView = {
  horizons: (metal) => (metal === "xau" ? surfaces : []),
  signals: (metal) => (metal === "xau" ? edges : []),
};
const surface = getSurface(view);
const expiries = expiriesVerb(view);

describe("a surface", () => {
  test("is that of the default horizon when none is named, and matches its schema", async () => {
    const answer = await surface({ metal: "XAU" }, verbContext(AT_MS));
    expect(contract.surface.get.output.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ metal: "xau", horizon: "2026-12-18", is_default_horizon: true, snapshot_age_seconds: 0 });
  });

  test("of every listed horizon can be requested", async () => {
    const index = contract.surface.expiries.output.parse(await expiries({ metal: "xau" }, verbContext(AT_MS)));
    expect(index.meta.count).toBe(surfaces.length);
    for (const { horizon } of index.horizons) {
      const answer = contract.surface.get.output.parse(await surface({ metal: "xau", horizon }, verbContext(AT_MS)));
      expect(answer.is_default_horizon).toBe(horizon === index.default_horizon);
    }
  });

  test("that is old is served with its true age", async () => {
    const answer = await surface({ metal: "xau" }, verbContext(LATER_MS));
    expect(answer).toMatchObject({ snapshot_age_seconds: 3 * 3_600, computed_at: "2026-11-20T15:00:00Z" });
  });

  test.each([
    [{ metal: "copper" }, "unknown_metal"],
    [{ metal: "xau", horizon: "2026-12-19" }, "unknown_horizon"],
    [{ metal: "xau", horizon: "2026-02-30" }, "invalid_horizon"],
    [{ metal: "xau", horizon: "soon" }, "invalid_horizon"],
    [{ metal: "copper", horizon: "soon" }, "invalid_horizon"],
    [{ metal: "xag" }, "not_found"],
    [{ metal: "xag", horizon: "2026-12-18" }, "not_found"],
  ])("of %o is refused as %s", (input, code) => {
    expect(() => surface(input, verbContext(AT_MS))).toThrow(expect.objectContaining({ code }));
  });
});

test("an unknown horizon is refused with the live ones", () => {
  const { horizons } = contract.surface.expiries.output.parse(expiries({ metal: "xau" }, verbContext(AT_MS)));
  const message = `The horizon is not a live one; use one of ${horizons.map(({ horizon }) => horizon).join(", ")}.`;
  expect(() => surface({ metal: "xau", horizon: "2026-12-19" }, verbContext(AT_MS))).toThrow(
    expect.objectContaining({ code: "unknown_horizon", detail: { message } }),
  );
});

test("expiries of a metal without a surface, or of an unknown one, are refused", () => {
  expect(() => expiries({ metal: "xag" }, verbContext(AT_MS))).toThrow(expect.objectContaining({ code: "not_found" }));
  expect(() => expiries({ metal: "gold" }, verbContext(AT_MS))).toThrow(expect.objectContaining({ code: "unknown_metal" }));
});

describe("signals", () => {
  test("match their schema", async () => {
    const answer = await arbitrageSignals(view)({ metal: "xau" }, verbContext(AT_MS));
    expect(edges.length).toBeGreaterThan(0);
    expect(contract.signals.arbitrage.output.parse(answer)).toEqual(answer);
  });

  test("are an empty list when there are none", async () => {
    expect(await arbitrageSignals(view)({ metal: "xag" }, verbContext(AT_MS))).toEqual({ metal: "xag", signals: [] });
  });

  test.each([{}, { metal: "gold" }, { metal: "" }])("are refused with %o", (input) => {
    expect(contract.signals.arbitrage.input.safeParse(input).success).toBe(false);
    expect(contract.signals.arbitrage.input.parse({ metal: "XAG" })).toEqual({ metal: "xag" });
  });
});
