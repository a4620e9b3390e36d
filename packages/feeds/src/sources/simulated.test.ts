/** The simulated market as a feed: repeatable, told once, and silent when its hours say so. */
import { INSTRUMENTS, type Observation, simulatedPrice } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { prepared } from "../testing/context.ts";
import { simulatedFeed } from "./simulated.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:00Z");
const SATURDAY_MS = Date.parse("2026-11-21T12:00:00Z");
const read = (feed: ReturnType<typeof simulatedFeed>, nowMs: number) => feed.fetch(prepared({}, nowMs));
const keys = (observations: readonly Observation[]) => observations.map((each) => each.source);

describe("the simulated market", () => {
  it("quotes every instrument from three primaries, under declared sources", async () => {
    const feed = simulatedFeed({ seed: 1, hours: "always" });
    const found = await read(feed, FRIDAY_MS);
    for (const instrument of INSTRUMENTS) {
      const primaries = found.filter(
        (each) => each.kind === "spot" && each.instrument === instrument && !/token|council/.test(each.source),
      );
      expect(keys(primaries)).toEqual(["simulated", "simulated-b", "simulated-c"]);
    }
    const declared = new Set(feed.sources.map((source) => source.key));
    expect(keys(found).filter((key) => !declared.has(key))).toEqual([]);
    expect(found).toContainEqual(
      expect.objectContaining({
        source: "simulated",
        instrument: "XAU-USD-SPOT",
        price: simulatedPrice("XAU-USD-SPOT", FRIDAY_MS, 1),
      }),
    );
  });

  it("is the same for the same seed and instant, and another for another seed", async () => {
    const [one, same, other] = await Promise.all(
      [1, 1, 2].map((seed) => read(simulatedFeed({ seed, hours: "always" }), FRIDAY_MS)),
    );
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });

  it("tells nothing twice: tables when they are new, prices each second", async () => {
    const feed = simulatedFeed({ seed: 1, hours: "always" });
    expect(keys(await read(feed, FRIDAY_MS))).toEqual(
      expect.arrayContaining(["simulated-fx", "simulated-ecb", "simulated-council"]),
    );
    expect(await read(feed, FRIDAY_MS + 999)).toEqual([]);
    const next = keys(await read(feed, FRIDAY_MS + 1_000));
    expect(next).toContain("simulated");
    expect(next.filter((key) => ["simulated-fx", "simulated-ecb", "simulated-council"].includes(key))).toEqual([]);
    expect(keys(await read(feed, FRIDAY_MS + 10_000))).toContain("simulated-fx");
    expect(keys(await read(feed, FRIDAY_MS + 3 * 3_600_000))).toEqual(
      expect.arrayContaining(["simulated-ecb", "simulated-council"]),
    );
  });

  it("tells the volume since the reading before, however long ago that was", async () => {
    const volume = async (...instants: number[]) => {
      const feed = simulatedFeed({ seed: 1, hours: "always" });
      await read(feed, FRIDAY_MS);
      let sum = 0;
      for (const nowMs of instants) {
        const gold = (await read(feed, nowMs)).find(
          (each) => each.kind === "spot" && each.source === "simulated" && each.instrument === "GLD",
        );
        sum += Number(gold?.kind === "spot" ? gold.volume : Number.NaN);
      }
      return sum;
    };
    const seconds = Array.from({ length: 60 }, (_, second) => FRIDAY_MS + (second + 1) * 1_000);
    expect(await volume(FRIDAY_MS + 60_000)).toBe(await volume(...seconds));
  });

  it("has no primary while the real market is closed, when it keeps its hours, and moves on otherwise", async () => {
    const primaries = (found: readonly Observation[]) =>
      keys(found).filter((key) => key === "simulated" || key === "simulated-b");
    expect(primaries(await read(simulatedFeed({ seed: 1, hours: "market" }), SATURDAY_MS))).toEqual([]);
    expect(primaries(await read(simulatedFeed({ seed: 1, hours: "market" }), FRIDAY_MS))).not.toEqual([]);
    expect(primaries(await read(simulatedFeed({ seed: 1, hours: "always" }), SATURDAY_MS))).not.toEqual([]);
  });

  it("reads on the second", () => {
    const feed = simulatedFeed({ seed: 1, hours: "always" });
    expect([0, 1, 999].map((ms) => feed.nextDelayMs?.(FRIDAY_MS + ms))).toEqual([1_000, 999, 1]);
  });
});
