/** The documents, and the requests shown on the error pages. */
export { asyncApiDocument } from "./asyncapi/document.ts";
export { errorPages, headersOf } from "./errors/error-page.ts";
export { type Call, callProvoking, curlOf } from "./errors/provocation.ts";
export { openApiDocument } from "./openapi/document.ts";
