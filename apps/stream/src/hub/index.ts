/** The hub, for what combines it with parts of other apps in one process. */
export { BusReader } from "./bus-reader.ts";
export { SSE } from "./codec.ts";
export type { Group, Member } from "./group.ts";
export { Hub } from "./hub.ts";
