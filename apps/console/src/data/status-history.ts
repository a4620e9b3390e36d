/** What the console saw of the feeds in the last hour, by minute: kept while it is open, from the answers it reads anyway. */
import type { Wire } from "@assay/sdk/trpc";
import { signal } from "@preact/signals";

/** The worst that was seen of a feed in a minute. */
export type Seen = "ok" | "waiting" | "failing";

const WORSE: readonly Seen[] = ["ok", "waiting", "failing"];
const MINUTE_MS = 60_000;
/** Minutes kept. */
export const MINUTES = 60;

type Minutes = ReadonlyMap<number, Readonly<Record<string, Seen>>>;

/** By minute since the epoch. */
export const seenMinutes = signal<Minutes>(new Map());

const worse = (one: Seen | undefined, other: Seen): Seen =>
  one !== undefined && WORSE.indexOf(one) > WORSE.indexOf(other) ? one : other;

/** Adds a status to what was seen; minutes older than an hour are dropped. */
export const withStatus = (minutes: Minutes, { checked_at, scrapers }: Pick<Wire.Status, "checked_at" | "scrapers">): Minutes => {
  const minute = Math.floor(Date.parse(checked_at) / MINUTE_MS);
  const before = minutes.get(minute);
  const now = Object.fromEntries(Object.entries(scrapers).map(([feed, { status }]) => [feed, worse(before?.[feed], status)]));
  const kept = [...minutes].filter(([at]) => at > minute - MINUTES && at !== minute);
  return new Map([...kept, [minute, now]]);
};

export const note = (status: Wire.Status): void => {
  seenMinutes.value = withStatus(seenMinutes.value, status);
};
