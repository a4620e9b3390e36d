/** The live engines: ports, and their adapters in memory and on Redis. */

export * from "./documents.ts";
export * from "./handover.ts";
export * from "./log.ts";
export { type LiveOptions, type MemoryLiveOptions, openLive, openMemoryLive } from "./open-live.ts";
export * from "./ports.ts";
export { RedisAwayError } from "./redis/redis-outage.ts";
export * from "./writer-lease.ts";
