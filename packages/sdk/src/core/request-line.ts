/** Identifies the request in an error: never its query or its headers. */

/**
 * Method and path of a request.
 * @param method the HTTP method
 * @param url the whole URL
 * @returns for example `GET /v1/spot/XAU`
 */
export const requestLine = (method: string, url: string): string => `${method} ${url.replace(/^[a-z]+:\/\/[^/]*|\?.*$/g, "")}`;

/**
 * The suffix of an error's message.
 * @param line method and path; empty when unknown
 * @param requestId null for none
 * @returns for example ` (GET /v1/spot/XAU, request r-1)`; empty when nothing is known
 */
export const whichRequest = (line: string, requestId: string | null): string => {
  const parts = [line, requestId === null ? "" : `request ${requestId}`].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
};
