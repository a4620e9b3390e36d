/** Local stand-ins for the public feeds, with the payloads their publishers send. */
export * from "./live-upstreams.ts";
export * from "./moving.ts";
export * as payloads from "./payloads.ts";
export * from "./upstream.ts";
