/** What every process knows of the writer: the lease, the feeds' health and the archives. */
import {
  type ArchivesHealth,
  FEEDS_DOCUMENT_KEY,
  type FeedHealthEntry,
  type FeedsDocument,
  holderId,
  type Live,
} from "@assay/live";
import type { Clock } from "@assay/ports";
import type { Labels, MetricReading, ReadFigures } from "./meter.ts";

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

/** The years of bars that are to be built for downloads, and when the last one was. */
const archiveFigures = ({ pending, lastBuiltAtMs, lastError }: ArchivesHealth): MetricReading[] => {
  const builtAt = { name: "assay_archives_last_built_timestamp_seconds", help: "When an archive was last built, Unix time" };
  return [
    {
      name: "assay_archives_failing",
      help: "1 while archives cannot be built",
      kind: "gauge",
      value: lastError === null ? 0 : 1,
    },
    ...(pending === null
      ? []
      : [{ name: "assay_archives_pending", help: "Archives still to be built", kind: "gauge", value: pending } as const]),
    ...(lastBuiltAtMs === null ? [] : [{ ...builtAt, kind: "gauge", value: lastBuiltAtMs / 1_000 } as const]),
  ];
};

export const liveReadings =
  (live: Live, clock: Clock): ReadFigures =>
  async () => {
    const [lease, text] = await Promise.all([live.lease.current(), live.latest.get(FEEDS_DOCUMENT_KEY)]);
    const nowMs = clock();
    const document = text === null ? null : (JSON.parse(text) as FeedsDocument); // our writer wrote it in this shape
    const isHeld = lease !== null && lease.expiresAtMs > nowMs;
    const held = { name: "assay_writer_lease_held", help: "1 while any writer holds the lease" };
    const token = { name: "assay_writer_fencing_token", help: "The token of the writer that holds the lease; 0 when none does" };
    const holder = {
      name: "assay_writer_lease_holder",
      help: "1 for the writer that holds the lease, by the id in status and log",
    };
    return [
      { ...held, kind: "gauge", value: isHeld ? 1 : 0 },
      { ...token, kind: "gauge", value: lease?.token ?? 0 },
      ...(lease && isHeld ? [{ ...holder, kind: "gauge", labels: { holder: holderId(lease.holder) }, value: 1 } as const] : []),
      ...(document?.archives ? archiveFigures(document.archives) : []),
      ...Object.entries(document?.feeds ?? {}).flatMap(([feed, health]) => figuresOf(feed, health, nowMs)),
    ];
  };
