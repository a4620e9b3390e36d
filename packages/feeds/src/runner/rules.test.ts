/** How a runner handles readings: refusals by rule, and frozen figures. */
import { MINUTE_MS } from "@assay/contract";
import type { Observation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { info, reading, START_MS, setup } from "../testing/runner-setup.ts";
import type { Judgement } from "./screening.ts";

describe("a reading", () => {
  const judge = (observation: Observation): Judgement =>
    observation.kind === "spot" && observation.price.startsWith("-")
      ? { ok: false, rule: "not_positive", detail: observation.price }
      : { ok: true };

  it("is refused by rule, counted, and the rest passed on", async () => {
    const { delivered, events, runner } = setup(async () => [reading("-1"), reading("4000"), reading("-2")], { judge });
    await runner.round();
    expect(delivered).toEqual([[reading("4000")]]);
    expect(runner.health()).toMatchObject({
      lastSuccessAtMs: START_MS,
      rejectedObservations: 2,
      rejectedByRule: { not_positive: 2 },
      lastError: "not_positive",
    });
    expect(events.map((event) => event.kind)).toEqual(["refused", "refused"]);
  });

  it("is reported with the rule that refused it or null, a doubted one with its rule although it is passed on", async () => {
    const judged: [string, string | null][] = [];
    const { runner, delivered } = setup(
      async () => [reading("-1"), reading("4000"), reading("8000"), reading("1", START_MS, "x")],
      {
        judge: (observation) =>
          observation.kind === "spot" && observation.price === "8000"
            ? { ok: true, doubted: { rule: "jump", detail: "far" } }
            : judge(observation),
        judged: (observation, rule) => judged.push([observation.kind === "spot" ? observation.price : "", rule]),
      },
    );
    await runner.round();
    expect(judged).toEqual([
      ["-1", "not_positive"],
      ["4000", null],
      ["8000", "jump"],
    ]);
    expect(delivered).toEqual([[reading("4000"), reading("8000")]]);
  });

  it("is counted when it is refused after it was passed on", async () => {
    const { runner, events } = setup(async () => [reading("4000")]);
    await runner.round();
    runner.refuse("unit_slip", "10 times spot");
    expect(runner.health()).toMatchObject({ rejectedByRule: { unit_slip: 1 }, lastError: "unit_slip" });
    expect(events.map((event) => event.kind)).toEqual(["refused"]);
  });

  it("counts as a failure when all of it is refused", async () => {
    const { delivered, runner } = setup(async () => [reading("-1")], { judge });
    await runner.round();
    expect(delivered).toEqual([]);
    expect(runner.health()).toMatchObject({ consecutiveFailures: 1, lastSuccessAtMs: null, lastError: "not_positive" });
  });

  it("may be trimmed by the rules, and what was trimmed is counted", async () => {
    const { delivered, runner } = setup(async () => [reading("4000.5")], {
      judge: () => ({ ok: true, observation: reading("4000"), refused: [{ rule: "moved", detail: "TRY" }] }),
    });
    await runner.round();
    expect(delivered).toEqual([[reading("4000")]]);
    expect(runner.health()).toMatchObject({ lastSuccessAtMs: START_MS, rejectedByRule: { moved: 1 } });
  });

  it("is refused under a name the feed does not have", async () => {
    const { delivered, runner } = setup(async () => [reading("4000", START_MS, "other-feed")]);
    await runner.round();
    expect(delivered).toEqual([]);
    expect(runner.health().rejectedByRule).toEqual({ unknown_source: 1 });
  });

  it("may be empty, which is a success", async () => {
    const { delivered, runner } = setup(async () => []);
    await runner.round();
    expect(delivered).toEqual([]);
    expect(runner.health()).toMatchObject({ lastSuccessAtMs: START_MS, consecutiveFailures: 0 });
  });

  it("keeps figures out of the health: the rule is there, the detail goes to the log", async () => {
    const detail = "4392 is 53.11 % from 2868.5";
    const { runner, events } = setup(async () => [reading("4000")], { judge: () => ({ ok: false, rule: "jump", detail }) });
    await runner.round();
    expect(JSON.stringify(runner.health())).not.toMatch(/4392|2868|53\.11/);
    expect(events).toMatchObject([{ kind: "refused", rule: "jump", detail }]);
  });
});

describe("a frozen figure", () => {
  /** Its timestamp advances, its price does not. */
  const stuck = (time: () => number) => async () => [reading("4000.10", time())];

  it("shows in the health and is refused after half an hour of an open market", async () => {
    let now = () => START_MS;
    const { time, runner, delivered } = setup((context) => stuck(() => context.nowMs)());
    now = time;
    runner.start();
    await time.advance(30 * MINUTE_MS - 1);
    expect(runner.health()).toMatchObject({ rejectedObservations: 0, consecutiveFailures: 0 });
    await time.advance(1);
    expect(now()).toBe(START_MS + 30 * MINUTE_MS);
    expect(runner.health()).toMatchObject({
      rejectedByRule: { frozen: 1 },
      consecutiveFailures: 1,
      lastError: "frozen",
    });
    expect(delivered).toHaveLength(60);
  });

  it("is trusted again once it moves", async () => {
    let price = "4000.10";
    const { time, runner } = setup(async () => [reading(price)]);
    runner.start();
    await time.advance(31 * MINUTE_MS);
    expect(runner.health().consecutiveFailures).toBeGreaterThan(0);
    price = "4000.20";
    await time.advance(MINUTE_MS);
    expect(runner.health().consecutiveFailures).toBe(0);
  });

  it("is allowed while the market is closed, and for half an hour after it opens", async () => {
    let open = false;
    const { time, runner } = setup(async () => [reading("4000.10")], { isMarketOpen: () => open });
    runner.start();
    await time.advance(120 * MINUTE_MS);
    open = true;
    await time.advance(29 * MINUTE_MS);
    expect(runner.health().rejectedObservations).toBe(0);
    await time.advance(2 * MINUTE_MS);
    expect(runner.health().rejectedObservations).toBeGreaterThan(0);
  });

  it("is allowed where no movement is expected", async () => {
    const { time, runner } = setup(async () => [reading("4000.10")], {}, { info: { ...info, moves: false } });
    runner.start();
    await time.advance(120 * MINUTE_MS);
    expect(runner.health()).toMatchObject({ rejectedObservations: 0, consecutiveFailures: 0 });
  });

  it("is detected in currency tables too, whatever time they carry", async () => {
    const table = (observedAtMs: number): Observation => ({
      kind: "fx",
      source: "test-feed",
      role: "live",
      base: "USD",
      rates: { EUR: "0.86" },
      observedAtMs,
      freshForMs: 180_000,
    });
    const { time, runner } = setup(async (context) => [table(context.nowMs)]);
    runner.start();
    await time.advance(31 * MINUTE_MS);
    expect(runner.health().rejectedByRule.frozen).toBeGreaterThan(0);
  });
});
