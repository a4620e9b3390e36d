/** What every process knows of the writer: the feeds' health and the lease. */
import { type Clock, FEEDS_DOCUMENT_KEY, type FeedHealthEntry, type FeedsDocument, type Live } from "@assay/live";
import type { Labels, MetricReading, ReadFigures } from "./reading.ts";

const FEED_AGE = "Seconds since a feed's last success";
const FEED_INTERVAL = "Seconds between the readings of a feed";
const FEED_FAILURES = "Failures since a feed's last success";
const FEED_REJECTED = "Readings refused, by rule, since the writer's start";

const figuresOf = (feed: string, health: FeedHealthEntry, nowMs: number): MetricReading[] => {
  const gauge = (name: string, help: string, value: number): MetricReading => {
    const labels: Labels = { feed };
    return { name, help, kind: "gauge", labels, value };
  };
  const { lastSuccessAtMs, rejectedByRule = {} } = health;
  return [
    ...(lastSuccessAtMs === null
      ? []
      : [gauge("assay_feed_age_seconds", FEED_AGE, Math.max(0, nowMs - lastSuccessAtMs) / 1_000)]),
    gauge("assay_feed_interval_seconds", FEED_INTERVAL, health.expectedIntervalMs / 1_000),
    gauge("assay_feed_consecutive_failures", FEED_FAILURES, health.consecutiveFailures),
    ...Object.entries(rejectedByRule).map(([rule, value]): MetricReading => {
      const labels = { feed, rule };
      return { name: "assay_feed_rejected_observations_total", help: FEED_REJECTED, kind: "counter", labels, value };
    }),
  ];
};

/** Reads them from the live engines. */
export const liveReadings =
  (live: Live, clock: Clock): ReadFigures =>
  async () => {
    const [lease, text] = await Promise.all([live.lease.current(), live.latest.get(FEEDS_DOCUMENT_KEY)]);
    const nowMs = clock();
    const document = text === null ? null : (JSON.parse(text) as FeedsDocument); // our writer wrote it in this shape
    const isHeld = lease !== null && lease.expiresAtMs > nowMs;
    const held = { name: "assay_writer_lease_held", help: "1 while any writer holds the lease" };
    const token = { name: "assay_writer_fencing_token", help: "The token of the writer that holds the lease; 0 when none does" };
    return [
      { ...held, kind: "gauge", value: isHeld ? 1 : 0 },
      { ...token, kind: "gauge", value: lease?.token ?? 0 },
      ...Object.entries(document?.feeds ?? {}).flatMap(([feed, health]) => figuresOf(feed, health, nowMs)),
    ];
  };
