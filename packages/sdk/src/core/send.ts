/** Sends a request, and decides whether and when a failed attempt is retried. */
import { Answer } from "./answer.ts";
import { type AttemptOptions, attempt, type WireRequest } from "./attempt.ts";
import type { ConcurrencyLimit } from "./concurrency.ts";
import { errorFrom, requestLine } from "./error-from.ts";
import { ApiError, ConnectionError, type ErrorRegistry, RequestAbortedError } from "./errors.ts";
import type { AttemptInfo, Hooks, Logger } from "./options.ts";
import { LONGEST_WAIT_MS } from "./rate-limit.ts";
import type { Clock } from "./runtime.ts";
import type { Redact } from "./settings.ts";

/** The maximum added to the requested wait: clients refused at the same time must not all return at once. */
const ASKED_JITTER = 0.1;
const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 8_000;

/**
 * Whether another attempt may succeed. Every request may be sent twice: GET, PATCH and DELETE are idempotent, POST has an
 * Idempotency-Key.
 * @param error the attempt's error
 * @returns true for no answer, 408, 429 except an exhausted quota, and 5xx; `X-Should-Retry` overrides it
 */
export const isWorthRetrying = (error: unknown): boolean => {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError) || error.code === "quota_exceeded") return false;
  const advice = error.headers.get("x-should-retry");
  if (advice === "true" || advice === "false") return advice === "true";
  return error.status === 408 || error.status === 429 || error.status >= 500;
};

/**
 * How long to wait before the next attempt: what the service asks for plus up to a tenth, else exponential backoff with full
 * jitter.
 * @param error the attempt's error
 * @param failures how many attempts have failed
 * @param random a number from 0 up to 1
 * @returns milliseconds; null when the wait would be too long
 */
export const waitBefore = (error: unknown, failures: number, random: number): number | null => {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
  if (asked !== null)
    return asked * 1000 <= LONGEST_WAIT_MS ? asked * 1000 + Math.floor(asked * 1000 * ASKED_JITTER * random) : null;
  return random * Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** (failures - 1));
};

/** What all requests of a client share. */
export interface SendDeps {
  readonly fetch: () => typeof globalThis.fetch;
  readonly errors: ErrorRegistry;
  readonly logger: Logger;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly hooks: Hooks;
  /** Null for no limit. */
  readonly concurrency: ConcurrencyLimit | null;
}

/** Options of one request. */
export interface SendOptions extends AttemptOptions {
  readonly maxRetries: number;
  /** Whether a redirect is the expected answer. */
  readonly takesLink: boolean;
}

/** From this wait on a program seems to hang, so it is logged at the default level. */
const NOTICEABLE_WAIT_MS = 10_000;

/** Calls a hook. */
const tell = <T>({ logger }: SendDeps, hook: ((event: T) => void) | undefined, event: T): void => {
  try {
    hook?.(event);
  } catch (fault) {
    logger.warn(`A hook failed: ${fault instanceof Error ? fault.message : "unknown"}`);
  }
};

/** One attempt; throws on a failed answer. */
const tryOnce = async (deps: SendDeps, request: WireRequest, options: SendOptions, info: AttemptInfo): Promise<Answer> => {
  const { clock, redact, logger, hooks, concurrency } = deps;
  const line = redact(requestLine(request.method, request.url));
  if (concurrency) await concurrency.enter(options.signal, line);
  let headers: Headers | null = null;
  try {
    const startMs = clock.nowMs();
    tell(deps, hooks.onRequest, info);
    const { response, text } = await attempt(deps.fetch(), request, options, redact);
    headers = response.headers;
    const { status } = response;
    const elapsedMs = clock.nowMs() - startMs;
    tell(deps, hooks.onResponse, { ...info, status, headers, elapsedMs });
    logger.debug(`${info.method} ${info.url}: ${status} in ${elapsedMs} ms`);
    if (response.ok) return new Answer(response, text, redact, line);
    // The target belongs to another host, so it is never requested with the key.
    const location = headers.get("location");
    if (options.takesLink && status === 307 && location !== null)
      return new Answer(response, "", redact, line).withBody({ location });
    throw errorFrom(response, redact(text ?? ""), deps.errors, clock.nowMs(), line);
  } finally {
    concurrency?.leave(headers);
  }
};

const wait = async (deps: SendDeps, waitMs: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await deps.clock.sleep(waitMs, signal);
  } catch (reason) {
    throw new RequestAbortedError("Aborted while waiting for the next try", { cause: reason });
  }
};

/**
 * Sends a request until it succeeds or cannot be retried.
 * @param deps what all requests share
 * @param request the request; a retry sends the number of earlier attempts in `X-Assay-Retry-Count`
 * @param options time limit, number of retries, and the caller's signal
 * @throws the error of the last attempt
 */
export const send = async (deps: SendDeps, request: WireRequest, options: SendOptions): Promise<Answer> => {
  for (let failures = 0; ; ) {
    const info = { method: request.method, url: deps.redact(request.url), attempt: failures + 1 };
    try {
      const headers = failures === 0 ? request.headers : { ...request.headers, "x-assay-retry-count": String(failures) };
      return await tryOnce(deps, { ...request, headers }, options, info);
    } catch (error) {
      failures += 1;
      if (failures > options.maxRetries || !isWorthRetrying(error)) throw error;
      const waitMs = waitBefore(error, failures, deps.clock.random());
      if (waitMs === null) throw error;
      tell(deps, deps.hooks.onRetry, { ...info, error, delayMs: waitMs });
      const reason = error instanceof Error ? error.message : "failed";
      const note = `Trying again in ${Math.round(waitMs)} ms (${failures} of ${options.maxRetries}) after: ${reason}`;
      if (waitMs < NOTICEABLE_WAIT_MS) deps.logger.info(note);
      else deps.logger.warn(note);
      await wait(deps, waitMs, options.signal);
    }
  }
};
