/** Feeds: one upstream per file, from request to observation; how they are selected, fetched and run. */
export * from "./catalog/catalog.ts";
export * from "./catalog/select-feeds.ts";
export * from "./catalog/setting-error.ts";
export * from "./feed/error.ts";
export * from "./feed/feed.ts";
export * from "./feed/freshness.ts";
export type { Payload, Reply } from "./feed/reply.ts";
export type { Patience } from "./http/policies.ts";
export * from "./http/upstream.ts";
export { userAgent } from "./http/user-agent.ts";
export * from "./replay/load.ts";
export { replaySource } from "./replay/play.ts";
export { ReplayError } from "./replay/replay-error.ts";
export * from "./replay/replay-record.ts";
export type { ReplaySource } from "./replay/replay-sources.ts";
export * from "./runner/feed-context.ts";
export * from "./runner/health.ts";
export * from "./runner/runner.ts";
