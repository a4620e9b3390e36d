/** Local stand-ins for the public feeds, with the payloads their publishers send. */
export * as payloads from "./payloads.ts";
export * from "./servers.ts";
