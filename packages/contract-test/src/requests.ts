/** Requests from a route's declaration: what it takes, and how they are sent and read. */
export { exampleInput, requestBody, requestPath } from "./inputs/parameters.ts";
export { sampleInput } from "./inputs/sample.ts";
export { EVERY_ROUTE, namedRoutes } from "./routes.ts";
export { type Caller, KEYLESS } from "./wire/caller.ts";
export { codeOf, type Exchange, type Sent, windowsOf } from "./wire/exchange.ts";
export { send, type Transport } from "./wire/send.ts";
