/** One try of one request: sent, and read to its end, within its time. */
import { ConnectionError, RequestAbortedError, RequestTimeoutError } from "./errors.ts";
import type { Redact } from "./redact.ts";

/** One request as `fetch` takes it. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a try brought: the head, and the body as text. */
export interface Received {
  readonly response: Response;
  readonly text: string;
}

/** Of an answer that is no success no more than this is read: it may be of any size. */
const MOST_ERROR_BYTES = 65_536;
/** Beyond this a timer fires at once instead of never. */
const LONGEST_TIMER_MS = 2_147_483_647;

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
  // Given up rather than read on: the socket is not kept for it.
  await reader.cancel().catch(() => undefined);
  return text;
};

const receive = async (fetch: typeof globalThis.fetch, request: WireRequest, signal: AbortSignal): Promise<Received> => {
  const { method, headers, body } = request;
  // Redirects are never followed: the key would go along to wherever they lead.
  const init: RequestInit = { method, headers: { ...headers }, signal, redirect: "manual" };
  if (body !== undefined) init.body = body;
  const response = await fetch(request.url, init);
  const text = response.ok || response.body === null ? await response.text() : await readStart(response.body);
  return { response, text };
};

/** What the runtime said, from the innermost cause, which names the address. */
const reasonOf = (fault: unknown): string => {
  let reason = fault;
  for (let depth = 0; depth < 5 && reason instanceof Error && reason.cause instanceof Error; depth += 1) reason = reason.cause;
  if (!(reason instanceof Error)) return "unknown";
  const code = "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
  return reason.message || code;
};

/** What the runtime said, unless a stand-in for fetch repeats a secret in its words. */
const causeOf = (fault: unknown, redact: Redact): unknown => {
  for (let each = fault; each instanceof Error; each = each.cause) {
    const words = `${each.message}${each.stack}`;
    if (redact(words) !== words) return new Error(redact(reasonOf(fault)));
  }
  return fault;
};

/**
 * Makes one try.
 * @param fetch sends it
 * @param request what is sent
 * @param timeoutMs how long it may take, body included; Infinity for as long as it takes
 * @param signal the caller's
 * @param redact takes secrets out of what an error says
 * @throws RequestTimeoutError, RequestAbortedError, or ConnectionError when there is no whole answer
 */
export const attempt = async (
  fetch: typeof globalThis.fetch,
  request: WireRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  redact: Redact,
): Promise<Received> => {
  const what = `${request.method} ${request.url.split("?")[0]}`;
  if (signal?.aborted) throw new RequestAbortedError(`Aborted: ${what}`, { cause: signal.reason });
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  // Raced as well as signalled: a stand-in for fetch, or a body it made, may not listen to signals.
  const ended = new Promise<never>((_, reject) => {
    const end = (error: Error): void => {
      reject(error);
      controller.abort(error);
    };
    if (timeoutMs <= LONGEST_TIMER_MS) {
      const expire = (): void => end(new RequestTimeoutError(`No whole answer within ${timeoutMs} ms: ${what}`));
      timer = setTimeout(expire, timeoutMs);
    }
    abort = (): void => end(new RequestAbortedError(`Aborted: ${what}`, { cause: signal?.reason }));
    signal?.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([receive(fetch, request, controller.signal), ended]);
  } catch (fault) {
    if (fault instanceof RequestTimeoutError || fault instanceof RequestAbortedError) throw fault;
    throw new ConnectionError(redact(`No answer: ${what}: ${reasonOf(fault)}`), { cause: causeOf(fault, redact) });
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener("abort", abort);
  }
};
