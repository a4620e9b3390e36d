/** Feeds: one upstream a file, from request to observation; how they are chosen, asked and watched. */
export * from "./catalog.ts";
export * from "./feed.ts";
export * from "./feed-context.ts";
export * from "./feed-error.ts";
export * from "./freshness.ts";
export * from "./health.ts";
export type { Patience } from "./http/policies.ts";
export type { Payload, Reply } from "./http/reply.ts";
export * from "./http/upstream.ts";
export { userAgent } from "./http/user-agent.ts";
export { ReplayError } from "./replay/replay-error.ts";
export * from "./replay/replay-record.ts";
export type { ReplaySource } from "./replay/replay-sources.ts";
export * from "./runner.ts";
export * from "./select-feeds.ts";
export * from "./sources/replay.ts";
export { type SimulatedOptions, simulatedFeed } from "./sources/simulated.ts";
