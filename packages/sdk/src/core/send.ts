/** Sends a request, trying again where another try may succeed. */
import { Answer } from "./answer.ts";
import { type AttemptManner, attempt, type WireRequest } from "./attempt.ts";
import { errorFrom } from "./error-from.ts";
import { type ErrorRegistry, RequestAbortedError } from "./errors.ts";
import type { Logger } from "./logger.ts";
import type { Redact } from "./redact.ts";
import { requestLine } from "./request-line.ts";
import { isWorthRetrying, waitBefore } from "./retry.ts";
import type { Surroundings } from "./surroundings.ts";

/** What all requests of a client have in common. */
export interface Sender {
  readonly fetch: () => typeof globalThis.fetch;
  readonly errors: ErrorRegistry;
  readonly logger: Logger;
  readonly redact: Redact;
  readonly surroundings: Surroundings;
}

/** How one request is sent. */
export interface Manner extends AttemptManner {
  readonly maxRetries: number;
  /** Whether a redirect is the answer; elsewhere it is none. */
  readonly takesLink: boolean;
}

/** From here on a program seems to hang, so the wait is told at the level that is on by default. */
const NOTICEABLE_WAIT_MS = 10_000;

/** One try; an answer that is no success is thrown. */
const tryOnce = async (sender: Sender, request: WireRequest, manner: Manner): Promise<Answer> => {
  const { surroundings, redact, logger } = sender;
  const startMs = surroundings.nowMs();
  const { response, text } = await attempt(sender.fetch(), request, manner, redact);
  logger.debug(`${request.method} ${request.url}: ${response.status} in ${surroundings.nowMs() - startMs} ms`);
  const line = redact(requestLine(request.method, request.url));
  if (response.ok) return new Answer(response, text, redact, line);
  // Where it leads is not this service's, so nobody follows it with the key.
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
 * Sends a request until it succeeds or another try is not worth it.
 * @param sender what all requests have in common
 * @param request what is sent; a repeated try tells in `X-Assay-Retry-Count` how many came before
 * @param manner time, number of tries, and the caller's signal
 * @throws the error of the last try
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
