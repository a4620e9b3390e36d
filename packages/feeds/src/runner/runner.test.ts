/** The runner on a fake clock: intervals, failures, stopping. */
import { MINUTE_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { FeedError } from "../feed/error.ts";
import { moving, reading, START_MS, settle, setup } from "../testing/runner-setup.ts";

describe("a running feed", () => {
  it("reads at once and then on its interval, measured from the start of a reading", async () => {
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

  it("can have its own schedule", async () => {
    const { time, runner } = setup(moving(), {}, { nextDelayMs: (nowMs) => (nowMs === START_MS ? 5_000 : 7_000) });
    runner.start();
    await settle();
    expect(time.pending()).toEqual([5_000]);
    await time.advance(5_000);
    expect(time.pending()).toEqual([7_000]);
  });

  it("starts once however often it is started", async () => {
    const { delivered, runner } = setup(moving());
    runner.start();
    runner.start();
    await settle();
    expect(delivered).toHaveLength(1);
  });

  it("continues when the receiver throws, which is not a fault of the feed", async () => {
    const { time, events, runner } = setup(moving(), {
      deliver: () => {
        throw new Error("the database is away");
      },
    });
    runner.start();
    await time.advance(30_000);
    expect(events.map((event) => event.kind)).toEqual(["undelivered", "undelivered"]);
    expect(runner.health()).toMatchObject({ lastSuccessAtMs: START_MS + 30_000, consecutiveFailures: 0, lastError: null });
  });
});

describe("a feed that fails", () => {
  it("is counted, named by its class, retried, and forgiven at its next success", async () => {
    let fails = true;
    const { time, events, runner } = setup(async () => {
      if (fails) throw new FeedError("status", "answered 503", { status: 503 });
      return [reading("4000")];
    });
    runner.start();
    await time.advance(60_000);
    expect(runner.health()).toMatchObject({
      consecutiveFailures: 3,
      lastSuccessAtMs: null,
      lastError: "http_503",
    });
    expect(events).toMatchObject([{ kind: "failed", partial: false }, {}, {}]);
    fails = false;
    await time.advance(30_000);
    expect(runner.health()).toMatchObject({
      consecutiveFailures: 0,
      lastSuccessAtMs: START_MS + 90_000,
      lastError: "http_503",
    });
  });

  it("does not show an unknown error's message", async () => {
    const { runner } = setup(async () => {
      throw new TypeError("cannot fetch https://example.com/?key=secret");
    });
    await runner.round();
    expect(runner.health().lastError).toBe("malformed");
  });

  it("is left alone until the upstream allows another request", async () => {
    const { time, runner } = setup(async () => {
      throw new FeedError("status", "answered 429", { status: 429, retryAtMs: START_MS + 120_000 });
    });
    runner.start();
    await settle();
    expect(time.pending()).toEqual([120_000]);
  });

  it("is retried soon, and then less and less often, where its interval is long", async () => {
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

  it("is aborted when it never answers, and retried", async () => {
    let asked = 0;
    const { time, runner } = setup((context) => {
      asked += 1;
      return new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(new Error("cut"))));
    });
    runner.start();
    await time.advance(MINUTE_MS);
    expect(runner.health()).toMatchObject({ consecutiveFailures: 1, lastError: "timeout" });
    await time.advance(1);
    expect(asked).toBe(2);
  });

  it("shows a failed part and still succeeds", async () => {
    const { events, reads, runner } = setup(async (context) => {
      context.partial(new FeedError("status", "answered 404", { status: 404 }));
      return [reading("4000")];
    });
    await runner.round();
    expect(runner.health()).toMatchObject({ lastSuccessAtMs: START_MS, consecutiveFailures: 0, lastError: "http_404" });
    expect(events).toMatchObject([{ kind: "failed", partial: true }]);
    expect(reads).toMatchObject([{ whole: false }]);
  });
});

describe("stopping", () => {
  it("aborts the reading under way without counting it, and starts no further one", async () => {
    const { time, runner, delivered } = setup(
      (context) => new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(context.signal.reason))),
    );
    runner.start();
    await settle();
    await runner.stop();
    expect(runner.health()).toMatchObject({ consecutiveFailures: 0, lastSuccessAtMs: null });
    expect(time.pending()).toEqual([]);
    expect(delivered).toEqual([]);
  });

  it("does not wait for a feed that ignores the abort", async () => {
    const { time, runner } = setup(() => new Promise(() => undefined));
    runner.start();
    await settle();
    await runner.stop();
    expect(time.pending()).toEqual([]);
  });

  it("waits until what was read is passed on", async () => {
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
