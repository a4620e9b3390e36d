/** Building requests from a route's schemas, sending them and checking their answers: the basis for fuzzing. */
export { askingOf } from "./checks/invalid-inputs.ts";
export { invalidFaults } from "./inputs/invalid.ts";
export { type Input, sampleInput } from "./inputs/sample.ts";
export { sensibleInputs } from "./inputs/sensible.ts";
export { validInputs, validValues } from "./inputs/valid.ts";
export { EVERY_ROUTE, type NamedRoute, namedRoutes } from "./routes.ts";
export { RULES } from "./rules/rule-book.ts";
export { BAD_KEYS, badKey, type Caller, KEYLESS, keyed } from "./wire/caller.ts";
export { curlOf } from "./wire/curl.ts";
export { codeOf, type Exchange, fieldsOf, type Sent } from "./wire/exchange.ts";
export { send } from "./wire/send.ts";
