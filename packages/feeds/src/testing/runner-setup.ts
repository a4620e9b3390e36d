/** A runner with a test's own feed and rules, in time that the test advances. */
import { machineTime } from "@assay/ports";
import { virtualTime } from "@assay/ports/virtual";
import type { Observation, SpotObservation } from "@assay/pricing";
import { FeedError } from "../feed/error.ts";
import type { Feed, FeedContext } from "../feed/feed.ts";
import type { Upstream } from "../http/upstream.ts";
import { createFeedRunner, type FeedEvent, type RunnerDeps } from "../runner/runner.ts";

export const settle = machineTime.turn;

export const START_MS = Date.parse("2026-11-20T12:00:00Z");

/** A feed with a 30-second interval whose figures should change. */
export const info = {
  key: "test-feed",
  displayName: "Test",
  license: "simulated",
  role: "primary",
  intervalMs: 30_000,
  freshForMs: 90_000,
  required: true,
  publisher: "Test",
  origin: "test",
  url: "https://example.com",
  terms: "None.",
  moves: true,
} as const;

export const reading = (price: string, observedAtMs = START_MS, source = "test-feed"): SpotObservation => ({
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

/** A runner of a feed with these readings that records everything it does. */
export const setup = (
  fetch: (context: FeedContext) => Promise<readonly Observation[]>,
  more: Partial<RunnerDeps> = {},
  feed: Partial<Feed> = {},
) => {
  const time = virtualTime(START_MS);
  const delivered: Observation[][] = [];
  /** What went wrong; readings that arrived are in `reads`. */
  const events: FeedEvent[] = [];
  const reads: FeedEvent[] = [];
  const runner = createFeedRunner(
    {
      feed: { info, kind: "spot", sources: [info], baseUrl: "https://example.com", fetch, ...feed },
      baseUrl: "https://example.com",
    },
    {
      clock: time,
      random: () => 0,
      upstream: unreachable,
      isMarketOpen: () => true,
      judge: () => ({ ok: true }),
      deliver: (observations) => {
        delivered.push([...observations]);
      },
      report: (event) => (event.kind === "read" ? reads : events).push(event),
      ...more,
    },
  );
  return { time, delivered, events, reads, runner };
};

/** A price that changes with every reading. */
export const moving = () => {
  let count = 0;
  return async () => [reading(`${4000 + ++count}`)];
};
