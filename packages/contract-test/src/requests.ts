/** Requests from a route's declaration: what it takes, how they are sent, and how their answers are judged. */
export { askingOf, invalidFaults } from "./inputs/invalid.ts";
export { exampleInput, type Parameter, parametersOf, requestBody, requestPath } from "./inputs/parameters.ts";
export { type Input, sampleInput } from "./inputs/sample.ts";
export { sensibleInputs, validInputs, validValues } from "./inputs/valid.ts";
export { curlOf } from "./report/outcome.ts";
export { EVERY_ROUTE, type NamedRoute, namedRoutes } from "./routes.ts";
export { RULES } from "./rules/rule-book.ts";
export { BAD_KEYS, badKey, type Caller, KEYLESS, keyed } from "./wire/caller.ts";
export { codeOf, type Exchange, type Sent, windowsOf } from "./wire/exchange.ts";
export { send, type Transport } from "./wire/send.ts";
export { addressOf } from "./wire/service.ts";
export { type TrpcCall, trpcAddressOf, trpcCodeOf, trpcFaults } from "./wire/trpc.ts";
