/** The error of a success that cannot be read. */
import { UnreadableAnswerError } from "./errors.ts";
import { excerpt } from "./excerpt.ts";
import { requestIdOf } from "./request-id.ts";

/**
 * Makes the error of a success that cannot be read.
 * @param response the head
 * @param text the body, without secrets
 * @param fault what is wrong with it, as in "is no whole JSON"
 */
export const unreadable = (response: Response, text: string, fault: string): UnreadableAnswerError => {
  const requestId = requestIdOf(response.headers);
  const quoted = excerpt(text);
  const type = response.headers.get("content-type")?.split(";")[0];
  const of = requestId === null ? "" : ` (request ${requestId})`;
  return new UnreadableAnswerError({
    status: response.status,
    code: null,
    message: `The answer ${fault}: status ${response.status}, ${type ?? "no content type"}${quoted === "" ? ", empty" : `, “${quoted}”`}${of}`,
    requestId,
    retryAfterSeconds: null,
    body: null,
    headers: response.headers,
  });
};
