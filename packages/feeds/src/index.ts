/** Feeds: one upstream per file, from request to observation; how they are selected, fetched and run. */
export { CATALOG, DEALER_FEEDS, FEED_KEYS, FeedSettingError, LIVE_FEEDS } from "./catalog/catalog.ts";
export * from "./catalog/select-feeds.ts";
export * from "./feed/error.ts";
export * from "./feed/feed.ts";
export type { Patience } from "./http/policies.ts";
export * from "./http/upstream.ts";
export { ReplayError } from "./replay/lines.ts";
export * from "./replay/load.ts";
export { replaySource } from "./replay/play.ts";
export { type MarketRecord, type OptionRecord, type ReplayRecord, recordOf } from "./replay/records.ts";
export * from "./runner/reading.ts";
export * from "./runner/runner.ts";
export type { Judgement, Refused } from "./runner/screening.ts";
