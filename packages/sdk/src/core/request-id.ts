/** The id under which the service logged a request. */

/**
 * Reads the request id of an answer.
 * @param headers the response headers
 * @returns null when there is none
 */
export const requestIdOf = (headers: Headers): string | null => headers.get("x-request-id");
