/** What suites compare a running service with: its documents, and the requests shown on the error pages. */
export { asyncApiDocument } from "./asyncapi/document.ts";
export { type Call, callProvoking, curlOf } from "./errors/provocation.ts";
export { headersOf } from "./errors/retry.ts";
export { openApiDocument } from "./openapi/document.ts";
