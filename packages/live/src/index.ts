/** The live engines: ports, and their adapters in memory and on Redis. */

export * from "./dealers-document.ts";
export * from "./feeds-document.ts";
export * from "./handover.ts";
export * from "./log.ts";
export { type MemoryLiveOptions, openMemoryLive } from "./memory/open.ts";
export { type LiveOptions, openLive } from "./open-live.ts";
export { Outage, type OutageLines, type OutageOptions, REMIND_EVERY_MS } from "./outage.ts";
export * from "./ports.ts";
export { RedisAwayError } from "./redis/away-error.ts";
export * from "./signals-document.ts";
export * from "./standby-document.ts";
export * from "./writer-lease.ts";
