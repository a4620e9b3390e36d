/** One attempt at one request: sent, and read to its end, within its time limit. */
import { AssayError, ConnectionError, RequestAbortedError, RequestTimeoutError } from "./errors.ts";
import { leaveBody } from "./left-body.ts";
import { onAbort } from "./on-abort.ts";
import { DEFAULT_BASE_URL, type Redact } from "./settings.ts";

/** Above this a timer fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The limits of a piece of work. */
export interface Bounds {
  /** The time limit, in milliseconds; Infinity for none. */
  readonly timeoutMs: number;
  /** What timed out, as in "No whole answer". */
  readonly missing: string;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** The work in progress, for errors, such as method and path. */
  readonly what: string;
}

/**
 * Runs work within its limits.
 * @param work receives a controller whose signal aborts when its result is no longer needed
 * @throws RequestTimeoutError, RequestAbortedError, or what the work throws
 */
export const inTime = async <T>(
  { timeoutMs, missing, signal, what }: Bounds,
  work: (controller: AbortController) => Promise<T>,
): Promise<T> => {
  if (signal?.aborted) throw new RequestAbortedError(`Aborted: ${what}`, { cause: signal.reason });
  const controller = new AbortController();
  let end: "time" | "signal" | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave: (() => void) | undefined;
  // Raced as well as signalled: a custom fetch, or its body, may ignore signals.
  const ended = new Promise<never>((_, reject) => {
    const endBy = (which: "time" | "signal") => (): void => {
      end ??= which;
      reject(which);
      controller.abort();
    };
    if (timeoutMs <= LONGEST_TIMER_MS) timer = setTimeout(endBy("time"), timeoutMs);
    leave = onAbort(signal, endBy("signal"));
  });
  try {
    return await Promise.race([work(controller), ended]);
  } catch (fault) {
    // Created here and not where it is noticed: only here does the stack lead to the caller.
    if (end === "time") throw new RequestTimeoutError(`${missing} within ${timeoutMs} ms: ${what}`);
    if (end === "signal") throw new RequestAbortedError(`Aborted: ${what}`, { cause: signal?.reason });
    throw fault;
  } finally {
    clearTimeout(timer);
    leave?.();
  }
};

/** One request as `fetch` accepts it. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The result of an attempt: the head, and the body as text; null when it was left unread. */
export interface Received {
  readonly response: Response;
  readonly text: string | null;
}

/** Options of an attempt. */
export interface AttemptOptions {
  /** The time limit, body included, in milliseconds; Infinity for none. */
  readonly timeoutMs: number;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** Whether the caller reads the body of a success; called once its head has arrived. */
  readonly leavesBody: () => boolean;
}

/** The most that is read of an error response: it may be of any size. */
const MOST_ERROR_BYTES = 65_536;

/** Reads the start of a body of unknown size. */
export const readStart = async (body: ReadableStream<Uint8Array>): Promise<string> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (bytes < MOST_ERROR_BYTES) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  // Cancelled rather than drained: the socket is not worth keeping.
  await reader.cancel().catch(() => undefined);
  return text;
};

const receive = async (
  fetch: typeof globalThis.fetch,
  request: WireRequest,
  { signal, leavesBody }: AttemptOptions,
  controller: AbortController,
): Promise<Received> => {
  const { method, headers, body } = request;
  // Redirects are never followed: the key would be sent to wherever they lead.
  const init: RequestInit = { method, headers: { ...headers }, signal: controller.signal, redirect: "manual" };
  if (body !== undefined) init.body = body;
  const response = await fetch(request.url, init);
  if (response.ok && leavesBody()) return { response: leaveBody(response, controller, signal), text: null };
  const text = response.ok || response.body === null ? await response.text() : await readStart(response.body);
  return { response, text };
};

/** The runtime's message, from the innermost cause, which names the address. */
export const reasonOf = (fault: unknown): string => {
  let reason = fault;
  for (let depth = 0; depth < 5 && reason instanceof Error && reason.cause instanceof Error; depth += 1) reason = reason.cause;
  if (!(reason instanceof Error)) return "unknown";
  const code = "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
  return reason.message || code;
};

/** The runtime's error, unless a custom fetch repeats a secret in its message. */
const causeOf = (fault: unknown, redact: Redact): unknown => {
  for (let each = fault; each instanceof Error; each = each.cause) {
    const words = `${each.message}${each.stack}`;
    if (redact(words) !== words) return new Error(redact(reasonOf(fault)));
  }
  return fault;
};

/** When the default address does not answer, a forgotten `baseUrl` is the most likely reason. */
const adviceOn = (url: string): string =>
  url.startsWith(`${DEFAULT_BASE_URL}/`) ? ". This is the default address; set baseUrl or ASSAY_BASE_URL to use another" : "";

/**
 * Makes one attempt.
 * @param fetch sends it
 * @param request what is sent
 * @param options time limit, the caller's signal, and whether the body is read
 * @param redact removes secrets from an error's text
 * @throws RequestTimeoutError, RequestAbortedError, or ConnectionError when there is no complete answer
 */
export const attempt = async (
  fetch: typeof globalThis.fetch,
  request: WireRequest,
  options: AttemptOptions,
  redact: Redact,
): Promise<Received> => {
  const { timeoutMs, signal } = options;
  const what = redact(`${request.method} ${request.url.split("?")[0]}`);
  try {
    const bounds = { timeoutMs, signal, what, missing: "No whole answer" };
    return await inTime(bounds, (controller) => receive(fetch, request, options, controller));
  } catch (fault) {
    if (fault instanceof AssayError) throw fault;
    throw new ConnectionError(redact(`No answer: ${what}: ${reasonOf(fault)}${adviceOn(request.url)}`), {
      cause: causeOf(fault, redact),
    });
  }
};
