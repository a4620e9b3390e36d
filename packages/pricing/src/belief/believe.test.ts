import { DAY_MS } from "@assay/contract";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { BeliefRun, sourceOf } from "../testing/belief-run.ts";
import { type Anchor, type Belief, believe, type LastPrice } from "./believe.ts";
import { bandBps, isSamePrice } from "./voices.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const SOURCES = [...["p0", "p1"].map((key) => sourceOf(key)), sourceOf("lender", "council"), sourceOf("token", "informational")];
const sources = new Map([...SOURCES, sourceOf("p2"), sourceOf("p3")].map((each): [string, SourceInfo] => [each.key, each]));

describe("the band", () => {
  it("is five percent within the hour, five more a day, and never more than 35; silver and copper begin at eight", () => {
    expect([0, 3_600_000, DAY_MS, 3 * DAY_MS, 365 * DAY_MS].map((ms) => bandBps("XAU-USD-SPOT", ms))).toEqual([
      500, 500, 1_000, 2_000, 3_500,
    ]);
    expect(bandBps("XAG-USD-SPOT", 0)).toBe(800);
    expect(bandBps("HG-USD-FUTURES", -DAY_MS)).toBe(1_300);
  });

  it("is exact at its ends", () => {
    expect(isSamePrice("4200", "4000", 500)).toBe(true);
    expect(isSamePrice("4200.000000000000000001", "4000", 500)).toBe(false);
    expect(isSamePrice("3800", "4000.00", 500)).toBe(true);
    expect(isSamePrice("3799.999999999999999999", "4000.00", 500)).toBe(false);
  });

  it("of two readings is measured from the lower one, so that each is within the band of the other", () => {
    expect(new BeliefRun(SOURCES).hear({ p0: "4000", p1: "4200" }, NOW).verdict).not.toBe("disputed");
    expect(new BeliefRun(SOURCES).hear({ p0: "4000", p1: "4200.01" }, NOW).verdict).toBe("disputed");
  });
});

describe("the known faults", () => {
  it("43920 first, 4392 two seconds later, then the council: no wrong figure at any moment", () => {
    const run = new BeliefRun(SOURCES);
    expect(run.hear({ p0: "43920" }, NOW).verdict).toBe("waiting");
    expect(run.hear({ p1: "4392" }, NOW + 2_000)).toMatchObject({ verdict: "disputed" });
    expect(run.published).toBeNull();
    expect(run.hear({ lender: "4390.60" }, NOW + 3_000)).toMatchObject({
      verdict: "confirmed",
      price: "4392.00",
      refused: [{ rule: "jump", observation: { source: "p0" } }],
    });
  });

  it("a bad source that returns first after all were stale locks no one out", () => {
    const run = new BeliefRun(SOURCES);
    run.hear({ p0: "4392", p1: "4391" }, NOW);
    const later = NOW + 600_000;
    expect(run.hear({ p0: "43920" }, later)).toMatchObject({ verdict: "disputed", refused: [{ rule: "jump" }] });
    expect(run.hear({ p1: "4393" }, later + 2_000)).toMatchObject({ verdict: "confirmed", price: "4393.0" });
  });

  it.each(["43920", "439.2", "141205.7"])("one source alone that turns to %s is never accepted", (price) => {
    const run = new BeliefRun([sourceOf("p0")]);
    expect(run.hear({ p0: "4392" }, NOW).verdict).toBe("unconfirmed");
    for (let ms = 1; ms <= 40 * DAY_MS; ms += DAY_MS) expect(run.hear({ p0: price }, NOW + ms).verdict).toBe("disputed");
    expect(run.published).toBeNull();
    // Back at its old price it contradicts only itself: it is published again after a wait without objections.
    expect(run.hear({ p0: "4400" }, NOW + 41 * DAY_MS).verdict).toBe("waiting");
    expect(run.hear({ p0: "4400" }, NOW + 41 * DAY_MS + 30_000).verdict).toBe("unconfirmed");
  });

  it.each(["4640", "4150"])("a real gap to %s is accepted beside a source stuck at the previous price", (after) => {
    const run = new BeliefRun([...SOURCES, sourceOf("p2")]);
    run.hear({ p0: "4392", p1: "4392", p2: "4392" }, NOW);
    run.hear({ p0: "4392", p1: after }, NOW + 2_000);
    expect(run.hear({ p2: after }, NOW + 3_000)).toMatchObject({
      verdict: "confirmed",
      refused: [{ observation: { source: "p0" } }],
    });
    expect(run.published?.price).toBe(after);
  });

  it("a real gap of six percent, and silver's −31, are accepted when the second primary reports them", () => {
    for (const [instrument, before, after] of [
      ["XAU-USD-SPOT", "4000", "4240"],
      ["XAG-USD-SPOT", "115.50", "79.70"],
    ] as const) {
      const run = new BeliefRun(SOURCES, { instrument });
      run.hear({ p0: before, p1: before }, NOW);
      expect(run.hear({ p0: after }, NOW + 5_000)).toMatchObject({ verdict: "confirmed", refused: [{ rule: "jump" }] });
      const belief = run.hear({ p1: after }, NOW + 8_000);
      expect(belief).toMatchObject({ verdict: "confirmed", refused: [] });
      expect(run.published?.price).toBe(after.includes(".") ? after : "4240");
      expect(run.state.withdrawn).toEqual([]);
    }
  });

  it("a gap that two primaries report outweighs the past and the council's daily rate; a unit error does not", () => {
    for (const [price, verdict] of [
      ["4300", "confirmed"],
      ["43920", "disputed"],
    ] as const) {
      const run = new BeliefRun(SOURCES, { anchor: { price: "4000", atMs: NOW - 60_000, by: [] } });
      run.hear({ p0: "4000", p1: "4000", lender: "3990" }, NOW);
      run.hear({ p0: price }, NOW + 2_000);
      expect(run.hear({ p1: price }, NOW + 2_000).verdict, price).toBe(verdict);
    }
  });
});

describe("witnesses", () => {
  it("two sources of one origin are one witness", () => {
    const run = new BeliefRun([sourceOf("a1", "primary", "A"), sourceOf("a2", "primary", "A"), sourceOf("b")]);
    expect(run.hear({ a1: "43920", a2: "43921" }, NOW).verdict).toBe("waiting");
    expect(run.hear({ b: "4392" }, NOW + 1_000).verdict).toBe("disputed");
    expect(run.published).toBeNull();
  });

  it("the copies of one liar never outvote two honest origins, nor move their median, whatever their number and role", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("primary" as const, "council" as const), { minLength: 1, maxLength: 12 }),
        fc.constantFrom("4580", "4230", "141.2", "43920", "4392000"),
        fc.shuffledSubarray(["honest", "other", "liar"], { minLength: 3 }),
        (roles, lie, order) => {
          const copies = roles.map((role, at) => sourceOf(`copy${at}`, role, "liar"));
          const run = new BeliefRun([sourceOf("honest"), sourceOf("other"), ...copies]);
          const prices = { honest: { honest: "4392" }, other: { other: "4394" }, liar: {} };
          for (const { key } of copies) Object.assign(prices.liar, { [key]: lie });
          for (const [at, who] of order.entries()) run.hear(prices[who as keyof typeof prices], NOW + at);
          const shown = Number(run.published?.price);
          // Within the band the liar has one vote among three.
          if (lie === "4580" || lie === "4230") expect([4392, 4393, 4394]).toContain(shown);
          else expect(shown).toBe(4393);
        },
      ),
    );
  });

  it("of one origin the newest reading counts, wherever it was read, until it is stale", () => {
    const run = new BeliefRun([sourceOf("a1", "primary", "A"), sourceOf("a2", "primary", "A"), sourceOf("b"), sourceOf("c")]);
    run.hear({ a1: "4300", b: "4392" }, NOW);
    expect(run.hear({ a2: "4400" }, NOW + 1_000)).toMatchObject({ price: "4396", by: ["b", "A"] });
    expect(run.hear({ c: "4380" }, NOW + 2_000)).toMatchObject({ price: "4392" });
  });

  it("one origin that contradicts itself is not accepted", () => {
    const run = new BeliefRun([sourceOf("a1", "primary", "A"), sourceOf("a2", "primary", "A")]);
    expect(run.hear({ a1: "43920", a2: "4392" }, NOW).verdict).toBe("disputed");
  });

  it("informational sources never support a price, and are refused when they are far from it", () => {
    const run = new BeliefRun(SOURCES);
    expect(run.hear({ token: "4392" }, NOW).verdict).toBe("silent");
    expect(run.hear({ p0: "43920" }, NOW).verdict).toBe("waiting");
    expect(run.hear({ p0: "43920", p1: "43930", token: "4392" }, NOW)).toMatchObject({
      verdict: "confirmed",
      refused: [{ rule: "jump", observation: { source: "token" } }],
    });
  });

  it("a council whose own bars are the past is one witness", () => {
    const run = new BeliefRun(SOURCES, { anchor: { price: "1927.80", atMs: NOW - DAY_MS, by: ["lender"] } });
    expect(run.hear({ lender: "1927.80" }, NOW).verdict).toBe("unconfirmed");
    expect(run.hear({ p0: "4392", p1: "4389.38" }, NOW)).toMatchObject({ verdict: "confirmed", price: "4390.69" });
  });

  it("the council agrees with one of two groups that are just over a band apart, and so the right one is the majority after a gap", () => {
    // 4392 is 5.2 % above the council's rate, which is 5.0 % below 4392.
    const anchor: Anchor = { price: "4408.285", atMs: NOW - 22_000, by: [] };
    const run = new BeliefRun([...SOURCES, sourceOf("p2")], { anchor });
    const belief = run.hear({ p0: "4172.73", p1: "4168.13", p2: "4392", lender: "4173.56" }, NOW);
    expect(belief).toMatchObject({ verdict: "confirmed", price: "4170.430", by: ["p1", "p0", "lender"] });
  });

  it("the council sets the price when the only primary is contradicted by it and the past", () => {
    const run = new BeliefRun(SOURCES, { anchor: { price: "4390", atMs: NOW - 60_000, by: [] } });
    expect(run.hear({ p0: "43920", lender: "4388" }, NOW)).toMatchObject({ verdict: "confirmed", price: "4388" });
  });
});

describe("a reading in another unit", () => {
  it.each([
    ["141.21", "31.1034768"],
    ["4.392", "1000"],
    ["1992164", "453.59237"],
    ["64049", "14.583"],
    ["439200", "100"],
  ])("%s is refused as a unit, a factor of %s apart", (price, factor) => {
    const run = new BeliefRun(SOURCES, { anchor: { price: "4390", atMs: NOW - 60_000, by: [] } });
    const belief = run.hear({ p0: "4392", p1: price }, NOW);
    expect(belief).toMatchObject({ verdict: "confirmed", refused: [{ rule: "unit", observation: { source: "p1" } }] });
    expect(belief.refused[0]?.detail).toContain(`a factor of ${factor} apart`);
    expect(run.hear({ p1: "43920" }, NOW + 1_000)).toMatchObject({ refused: [{ rule: "jump" }] });
  });
});

describe("a cold start", () => {
  it("waits 30 seconds where several primaries are configured, then publishes without confirmation", () => {
    const run = new BeliefRun(SOURCES);
    expect(run.hear({ p0: "4392" }, NOW).verdict).toBe("waiting");
    expect(run.hear({ p0: "4392" }, NOW + 29_999).verdict).toBe("waiting");
    expect(run.hear({ p0: "4392" }, NOW + 30_000).verdict).toBe("unconfirmed");
  });

  it("publishes at once with one primary, and with the past to compare with", () => {
    expect(new BeliefRun([sourceOf("p0")]).hear({ p0: "4392" }, NOW).verdict).toBe("unconfirmed");
    const anchor = { price: "4000", atMs: NOW - 2 * DAY_MS, by: [] };
    expect(new BeliefRun(SOURCES, { anchor }).hear({ p0: "4392" }, NOW).verdict).toBe("confirmed");
    expect(new BeliefRun(SOURCES, { anchor }).hear({ p0: "43920" }, NOW).verdict).toBe("disputed");
  });
});

describe("every constellation of witnesses", () => {
  const TRUE = "4392.00";
  const FIGURES = { absent: null, true: TRUE, "×10": "43920.00", "÷10": "439.20", "+12 %": "4919.04" } as const;
  type Figure = keyof typeof FIGURES;
  const KINDS = Object.keys(FIGURES) as Figure[]; // its own keys
  const ANCHORS: readonly (Anchor | null)[] = [
    null,
    ...[0, 3 * DAY_MS].flatMap((ageMs) =>
      [TRUE, "43920.00", "3900.00"].map((price): Anchor => ({ price, atMs: NOW - ageMs, by: [] })),
    ),
    { price: TRUE, atMs: NOW - 1_000, by: ["p0", "p1"] },
  ];
  const LASTS: readonly (LastPrice | null)[] = [
    null,
    { price: TRUE, atMs: NOW - 1_000, by: ["p0"] },
    { price: "43920.00", atMs: NOW - 1_000, by: ["p0"] },
  ];
  const reading = (source: string, price: string): SpotObservation => ({
    kind: "spot",
    source,
    instrument: "XAU-USD-SPOT",
    price,
    observedAtMs: NOW,
  });
  const isRight = (price: string, ageMs: number): boolean => isSamePrice(TRUE, price, bandBps("XAU-USD-SPOT", ageMs));

  interface Tried {
    readonly figures: readonly Figure[];
    readonly anchor: Anchor | null;
    readonly belief: Belief;
    /** The same readings in reverse order. */
    readonly again: Belief;
  }
  const all: Tried[] = [];
  beforeAll(() => {
    // The four are alike, so that every set of their figures is tried in one order.
    const from = (kind: Figure): readonly Figure[] => KINDS.slice(KINDS.indexOf(kind));
    const primaries = KINDS.flatMap((a) => from(a).flatMap((b) => from(b).flatMap((c) => from(c).map((d) => [a, b, c, d]))));
    for (const four of primaries)
      for (const council of KINDS)
        for (const anchor of ANCHORS)
          for (const last of LASTS) {
            const figures = [...four, council];
            const readings = figures.flatMap((kind, index) => {
              const price = FIGURES[kind];
              return price === null ? [] : [reading(["p0", "p1", "p2", "p3", "lender"][index] ?? "", price)];
            });
            const ask = (list: readonly SpotObservation[]): Belief =>
              believe({
                instrument: "XAU-USD-SPOT",
                readings: list,
                sources,
                anchor,
                last,
                isDisputed: false,
                configured: 4,
                waitingSinceMs: NOW - 30_000,
                nowMs: NOW,
              });
            all.push({ figures, anchor, belief: ask(readings), again: ask(readings.toReversed()) });
          }
  });

  it("publishes no figure without a right witness while the wrong ones are the minority, in any order of arrival", () => {
    let withPrice = 0;
    let wrong = 0;
    const failures: unknown[] = [];
    for (const { figures, anchor, belief, again } of all) {
      const said = "price" in belief ? belief.price : null;
      const saidAgain = "price" in again ? again.price : null;
      if (belief.verdict !== again.verdict || said !== saidAgain) failures.push({ figures, anchor, belief, again });
      const present = figures.filter((kind) => kind !== "absent");
      const rights = present.filter((kind) => kind === "true").length;
      const anchorAge = anchor ? NOW - anchor.atMs : 0;
      const isAnchorRight = anchor !== null && isRight(anchor.price, anchorAge);
      const right = rights + (isAnchorRight ? 1 : 0);
      const total = present.length + (anchor ? 1 : 0);
      if (2 * right <= total || (belief.verdict !== "confirmed" && belief.verdict !== "unconfirmed")) continue;
      withPrice += 1;
      const isBacked =
        (rights > 0 && isSamePrice(belief.price, TRUE, 500)) ||
        (isAnchorRight && isSamePrice(belief.price, anchor?.price ?? TRUE, bandBps("XAU-USD-SPOT", anchorAge)));
      if (!isBacked) {
        wrong += 1;
        failures.push({ figures, anchor, belief });
      }
    }
    console.info(`constellations tried: ${all.length}, with a price by a right majority: ${withPrice}, wrong figures: ${wrong}`);
    expect(failures.slice(0, 3)).toEqual([]);
    expect(withPrice).toBeGreaterThan(500);
  });

  it("publishes the true price whenever two right primaries are more than half of all, and wrong ones differ by more than any band", () => {
    let due = 0;
    const missing: unknown[] = [];
    for (const { figures, anchor, belief } of all) {
      if (figures.includes("+12 %") || (anchor && !isRight(anchor.price, 0))) continue;
      const rights = figures.filter((kind) => kind === "true").length;
      const present = figures.filter((kind) => kind !== "absent").length;
      if (figures.slice(0, 4).filter((kind) => kind === "true").length < 2 || 2 * rights <= present) continue;
      due += 1;
      if (belief.verdict !== "confirmed" || belief.price !== TRUE) missing.push({ figures, anchor, belief });
    }
    expect(missing.slice(0, 3)).toEqual([]);
    expect(due).toBeGreaterThan(300);
  });

  it("confirms nothing that only one witness says", () => {
    const alone: unknown[] = [];
    for (const { figures, anchor, belief } of all) {
      const present = figures.filter((kind) => kind !== "absent").length;
      if (present === 1 && anchor === null && belief.verdict === "confirmed") alone.push({ figures, belief });
    }
    expect(alone).toEqual([]);
  });
});
