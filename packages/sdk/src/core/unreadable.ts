/** The error of a success that cannot be read. */
import { UnreadableAnswerError } from "./errors.ts";
import { excerpt } from "./excerpt.ts";
import { requestIdOf } from "./request-id.ts";
import { whichRequest } from "./request-line.ts";

/**
 * Creates the error of a success that cannot be read.
 * @param response the head
 * @param text the body, with secrets removed
 * @param fault what is wrong with it, as in "is not complete JSON"
 * @param line method and path of the request
 */
export const unreadable = (response: Response, text: string, fault: string, line: string): UnreadableAnswerError => {
  const requestId = requestIdOf(response.headers);
  const quoted = excerpt(text);
  const type = response.headers.get("content-type")?.split(";")[0];
  return new UnreadableAnswerError({
    status: response.status,
    code: null,
    message: `The answer ${fault}: status ${response.status}, ${type ?? "no content type"}${quoted === "" ? ", empty" : `, “${quoted}”`}${whichRequest(line, requestId)}`,
    requestId,
    retryAfterSeconds: null,
    body: null,
    headers: response.headers,
  });
};
