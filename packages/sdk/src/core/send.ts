/** Sends a request, with retries. */
import { Answer } from "./answer.ts";
import { type AttemptManner, attempt, type WireRequest } from "./attempt.ts";
import { errorFrom } from "./error-from.ts";
import { type ErrorRegistry, RequestAbortedError } from "./errors.ts";
import type { Logger } from "./logger.ts";
import type { Redact } from "./redact.ts";
import { requestLine } from "./request-line.ts";
import { isWorthRetrying, waitBefore } from "./retry.ts";
import type { Surroundings } from "./surroundings.ts";

/** What all requests of a client share. */
export interface Sender {
  readonly fetch: () => typeof globalThis.fetch;
  readonly errors: ErrorRegistry;
  readonly logger: Logger;
  readonly redact: Redact;
  readonly surroundings: Surroundings;
}

/** Options of one request. */
export interface Manner extends AttemptManner {
  readonly maxRetries: number;
  /** Whether a redirect is the expected answer. */
  readonly takesLink: boolean;
}

/** From this wait on a program seems to hang, so it is logged at the default level. */
const NOTICEABLE_WAIT_MS = 10_000;

/** One attempt; throws on a failed answer. */
const tryOnce = async (sender: Sender, request: WireRequest, manner: Manner): Promise<Answer> => {
  const { surroundings, redact, logger } = sender;
  const startMs = surroundings.nowMs();
  const { response, text } = await attempt(sender.fetch(), request, manner, redact);
  logger.debug(`${request.method} ${request.url}: ${response.status} in ${surroundings.nowMs() - startMs} ms`);
  const line = redact(requestLine(request.method, request.url));
  if (response.ok) return new Answer(response, text, redact, line);
  // The target belongs to another host, so it is never requested with the key.
  const location = response.headers.get("location");
  if (manner.takesLink && response.status === 307 && location !== null)
    return new Answer(response, "", redact, line).withBody({ location });
  throw errorFrom(response, redact(text ?? ""), sender.errors, surroundings.nowMs(), line);
};

const wait = async (sender: Sender, waitMs: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await sender.surroundings.sleep(waitMs, signal);
  } catch (reason) {
    throw new RequestAbortedError("Aborted while waiting for the next try", { cause: reason });
  }
};

/**
 * Sends a request until it succeeds or cannot be retried.
 * @param sender what all requests share
 * @param request the request; a retry sends the number of earlier attempts in `X-Assay-Retry-Count`
 * @param manner time limit, number of retries, and the caller's signal
 * @throws the error of the last attempt
 */
export const send = async (sender: Sender, request: WireRequest, manner: Manner): Promise<Answer> => {
  for (let failures = 0; ; ) {
    try {
      const headers = failures === 0 ? request.headers : { ...request.headers, "x-assay-retry-count": String(failures) };
      return await tryOnce(sender, { ...request, headers }, manner);
    } catch (error) {
      failures += 1;
      if (failures > manner.maxRetries || !isWorthRetrying(error)) throw error;
      const waitMs = waitBefore(error, failures, sender.surroundings.random());
      if (waitMs === null) throw error;
      const reason = error instanceof Error ? error.message : "failed";
      const note = `Trying again in ${Math.round(waitMs)} ms (${failures} of ${manner.maxRetries}) after: ${reason}`;
      if (waitMs < NOTICEABLE_WAIT_MS) sender.logger.info(note);
      else sender.logger.warn(note);
      await wait(sender, waitMs, manner.signal);
    }
  }
};
