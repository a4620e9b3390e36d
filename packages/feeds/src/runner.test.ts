/** The runner on a clock in the test's hand: intervals, failures, refusals, standing still, stopping. */
import type { Observation, SpotObservation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import type { Feed, FeedContext } from "./feed.ts";
import { FeedError } from "./feed-error.ts";
import type { Upstream } from "./http/upstream.ts";
import { createFeedRunner, type FeedEvent, type Judgement, type RunnerDeps } from "./runner.ts";
import { fakeTime, settle } from "./testing/fake-time.ts";

const START_MS = Date.parse("2026-11-20T12:00:00Z");
const MINUTE_MS = 60_000;

const info = {
  key: "test-feed",
  displayName: "Test",
  license: "simulated",
  role: "primary",
  intervalMs: 30_000,
  freshForMs: 90_000,
  required: true,
  publisher: "Test",
  url: "https://example.com",
  terms: "None.",
  moves: true,
} as const;

const reading = (price: string, observedAtMs = START_MS, source = "test-feed"): SpotObservation => ({
  kind: "spot",
  source,
  instrument: "XAU-USD-SPOT",
  price,
  observedAtMs,
});

const unreachable: Upstream = {
  get: async () => {
    throw new FeedError("unreachable", "no answer");
  },
};

const setup = (
  fetch: (context: FeedContext) => Promise<readonly Observation[]>,
  more: Partial<RunnerDeps> = {},
  feed: Partial<Feed> = {},
) => {
  const time = fakeTime(START_MS);
  const delivered: Observation[][] = [];
  const events: FeedEvent[] = [];
  const runner = createFeedRunner(
    {
      feed: { info, kind: "spot", sources: [info], baseUrl: "https://example.com", fetch, ...feed },
      baseUrl: "https://example.com",
    },
    {
      nowMs: time.nowMs,
      timers: time.timers,
      random: () => 0,
      upstream: unreachable,
      isMarketOpen: () => true,
      judge: () => ({ ok: true }),
      deliver: (observations) => {
        delivered.push([...observations]);
      },
      report: (event) => events.push(event),
      ...more,
    },
  );
  return { time, delivered, events, runner };
};

/** A price that never stands still. */
const moving = () => {
  let count = 0;
  return async () => [reading(`${4000 + ++count}`)];
};

describe("a running feed", () => {
  it("asks at once and then on its interval, measured from the start of a reading", async () => {
    const { time, delivered, runner } = setup(moving());
    runner.start();
    await settle();
    expect(delivered).toHaveLength(1);
    expect(time.pending()).toEqual([30_000]);
    await time.advance(29_999);
    expect(delivered).toHaveLength(1);
    await time.advance(60_001);
    expect(delivered).toHaveLength(4);
    expect(runner.health()).toMatchObject({
      successes: 4,
      lastSuccessAtMs: START_MS + 90_000,
      expectedIntervalMs: 30_000,
      required: true,
    });
  });

  it("adds up to a tenth of its interval at random", async () => {
    const { time, runner } = setup(moving(), { random: () => 0.5 });
    runner.start();
    await settle();
    expect(time.pending()).toEqual([31_500]);
  });

  it("follows a schedule of its own", async () => {
    const { time, runner } = setup(moving(), {}, { nextDelayMs: (nowMs) => (nowMs === START_MS ? 5_000 : 7_000) });
    runner.start();
    await settle();
    expect(time.pending()).toEqual([5_000]);
    await time.advance(5_000);
    expect(time.pending()).toEqual([7_000]);
  });

  it("starts once however often it is told to", async () => {
    const { delivered, runner } = setup(moving());
    runner.start();
    runner.start();
    await settle();
    expect(delivered).toHaveLength(1);
  });

  it("goes on when the receiver throws, which is no fault of the feed", async () => {
    const { time, events, runner } = setup(moving(), {
      deliver: () => {
        throw new Error("the database is away");
      },
    });
    runner.start();
    await time.advance(30_000);
    expect(events.map((event) => event.kind)).toEqual(["undelivered", "undelivered"]);
    expect(runner.health()).toMatchObject({ successes: 2, consecutiveFailures: 0, lastError: null });
  });
});

describe("a feed that fails", () => {
  it("is counted, named in few words, asked again, and forgiven at its next success", async () => {
    let fails = true;
    const { time, events, runner } = setup(async () => {
      if (fails) throw new FeedError("status", "answered 503", { status: 503 });
      return [reading("4000")];
    });
    runner.start();
    await time.advance(60_000);
    expect(runner.health()).toMatchObject({
      consecutiveFailures: 3,
      failures: 3,
      lastSuccessAtMs: null,
      lastError: "answered 503",
      lastErrorAtMs: START_MS + 60_000,
    });
    expect(events).toMatchObject([{ kind: "failed", partial: false }, {}, {}]);
    fails = false;
    await time.advance(30_000);
    expect(runner.health()).toMatchObject({
      consecutiveFailures: 0,
      failures: 3,
      lastSuccessAtMs: START_MS + 90_000,
      lastError: "answered 503",
    });
  });

  it("does not show what a stranger's error says", async () => {
    const { runner } = setup(async () => {
      throw new TypeError("cannot fetch https://example.com/?key=secret");
    });
    await runner.round();
    expect(runner.health().lastError).toBe("the feed failed unexpectedly");
  });

  it("is left alone until the upstream wants to be asked again", async () => {
    const { time, runner } = setup(async () => {
      throw new FeedError("status", "answered 429", { status: 429, retryAtMs: START_MS + 120_000 });
    });
    runner.start();
    await settle();
    expect(time.pending()).toEqual([120_000]);
  });

  it("is asked again soon, and ever later, where its interval is long", async () => {
    const { time, runner } = setup(
      async () => {
        throw new FeedError("unreachable", "no answer");
      },
      {},
      { nextDelayMs: () => 200_000 },
    );
    runner.start();
    const delays: (number | undefined)[] = [];
    for (let count = 0; count < 5; count++) {
      await settle();
      delays.push(time.pending()[0]);
      await time.advance(time.pending()[0] ?? 0);
    }
    expect(delays).toEqual([30_000, 60_000, 120_000, 200_000, 200_000]);
  });

  it("is cut off when it never answers, and asked again", async () => {
    let asked = 0;
    const { time, runner } = setup((context) => {
      asked += 1;
      return new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(new Error("cut"))));
    });
    runner.start();
    await time.advance(MINUTE_MS);
    expect(runner.health()).toMatchObject({ consecutiveFailures: 1, lastError: "the reading took too long" });
    await time.advance(1);
    expect(asked).toBe(2);
  });

  it("shows a failed part and still succeeds", async () => {
    const { events, runner } = setup(async (context) => {
      context.partial(new FeedError("status", "answered 404", { status: 404 }));
      return [reading("4000")];
    });
    await runner.round();
    expect(runner.health()).toMatchObject({ successes: 1, consecutiveFailures: 0, lastError: "answered 404" });
    expect(events).toMatchObject([{ kind: "failed", partial: true }]);
  });
});

describe("what comes", () => {
  const judge = (observation: Observation): Judgement =>
    observation.kind === "spot" && observation.price.startsWith("-")
      ? { ok: false, rule: "not_positive", detail: observation.price }
      : { ok: true };

  it("is refused by rule, counted, and the rest handed on", async () => {
    const { delivered, events, runner } = setup(async () => [reading("-1"), reading("4000"), reading("-2")], { judge });
    await runner.round();
    expect(delivered).toEqual([[reading("4000")]]);
    expect(runner.health()).toMatchObject({
      successes: 1,
      rejectedObservations: 2,
      rejectedByRule: { not_positive: 2 },
      lastError: "not_positive: -2",
    });
    expect(events.map((event) => event.kind)).toEqual(["refused", "refused"]);
  });

  it("counts as a failure when nothing of it is believed", async () => {
    const { delivered, runner } = setup(async () => [reading("-1")], { judge });
    await runner.round();
    expect(delivered).toEqual([]);
    expect(runner.health()).toMatchObject({ consecutiveFailures: 1, lastSuccessAtMs: null, lastError: "not_positive: -1" });
  });

  it("may be trimmed by the rules, and what was trimmed is counted", async () => {
    const { delivered, runner } = setup(async () => [reading("4000.5")], {
      judge: () => ({ ok: true, observation: reading("4000"), refused: [{ rule: "moved", detail: "TRY" }] }),
    });
    await runner.round();
    expect(delivered).toEqual([[reading("4000")]]);
    expect(runner.health()).toMatchObject({ successes: 1, rejectedByRule: { moved: 1 } });
  });

  it("is refused under a name the feed does not have", async () => {
    const { delivered, runner } = setup(async () => [reading("4000", START_MS, "other-feed")]);
    await runner.round();
    expect(delivered).toEqual([]);
    expect(runner.health().rejectedByRule).toEqual({ unknown_source: 1 });
  });

  it("may be nothing, which is a success", async () => {
    const { delivered, runner } = setup(async () => []);
    await runner.round();
    expect(delivered).toEqual([]);
    expect(runner.health()).toMatchObject({ successes: 1, lastSuccessAtMs: START_MS });
  });

  it("keeps its last error short", async () => {
    const { runner } = setup(async () => [reading("4000")], {
      judge: () => ({ ok: false, rule: "jump", detail: "x".repeat(1000) }),
    });
    await runner.round();
    expect(runner.health().lastError).toHaveLength(160);
  });
});

describe("a figure that stands still", () => {
  /** Its clock runs, its price does not. */
  const stuck = (time: () => number) => async () => [reading("4000.10", time())];

  it("shows in the health and is refused after half an hour of an open market", async () => {
    let now = () => START_MS;
    const { time, runner, delivered } = setup((context) => stuck(() => context.nowMs)());
    now = time.nowMs;
    runner.start();
    await time.advance(30 * MINUTE_MS - 1);
    expect(runner.health()).toMatchObject({ frozenSinceMs: null, rejectedObservations: 0 });
    await time.advance(1);
    expect(now()).toBe(START_MS + 30 * MINUTE_MS);
    expect(runner.health()).toMatchObject({
      frozenSinceMs: START_MS,
      rejectedByRule: { frozen: 1 },
      consecutiveFailures: 1,
      lastError: "frozen: unchanged since 2026-11-20T12:00:00.000Z",
    });
    expect(delivered).toHaveLength(60);
  });

  it("is believed again once it moves", async () => {
    let price = "4000.10";
    const { time, runner } = setup(async () => [reading(price)]);
    runner.start();
    await time.advance(31 * MINUTE_MS);
    price = "4000.20";
    await time.advance(MINUTE_MS);
    expect(runner.health()).toMatchObject({ frozenSinceMs: null, consecutiveFailures: 0 });
  });

  it("may stand still while the market is closed, and for half an hour after it opens", async () => {
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

  it("may stand still where it is not expected to move", async () => {
    const { time, runner } = setup(async () => [reading("4000.10")], {}, { info: { ...info, moves: false } });
    runner.start();
    await time.advance(120 * MINUTE_MS);
    expect(runner.health()).toMatchObject({ frozenSinceMs: null, rejectedObservations: 0 });
  });

  it("is looked at for currency tables too, whatever time they carry", async () => {
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

describe("stopping", () => {
  it("calls off the reading under way without counting it, and makes no further one", async () => {
    const { time, runner, delivered } = setup(
      (context) => new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(context.signal.reason))),
    );
    runner.start();
    await settle();
    await runner.stop();
    expect(runner.health()).toMatchObject({ failures: 0, successes: 0 });
    expect(time.pending()).toEqual([]);
    expect(delivered).toEqual([]);
  });

  it("does not wait for a feed that does not listen", async () => {
    const { time, runner } = setup(() => new Promise(() => undefined));
    runner.start();
    await settle();
    await runner.stop();
    expect(time.pending()).toEqual([]);
  });

  it("waits until what was read is handed on", async () => {
    let done = () => undefined as undefined;
    let handedOn = false;
    const { runner } = setup(moving(), {
      deliver: () =>
        new Promise((resolve) => {
          done = () => {
            handedOn = true;
            resolve();
          };
        }),
    });
    runner.start();
    await settle();
    const stopped = runner.stop();
    done();
    await stopped;
    expect(handedOn).toBe(true);
  });

  it("can be followed by another start", async () => {
    const { delivered, runner } = setup(moving());
    runner.start();
    await settle();
    await runner.stop();
    runner.start();
    await settle();
    expect(delivered).toHaveLength(2);
  });
});
