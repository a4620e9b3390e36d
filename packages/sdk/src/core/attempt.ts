/** One try of one request: sent, and read to its end, within its time. */
import { AssayError, ConnectionError } from "./errors.ts";
import { inTime } from "./in-time.ts";
import type { Redact } from "./redact.ts";
import { DEFAULT_BASE_URL } from "./settings.ts";

/** One request as `fetch` takes it. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a try brought: the head, and the body as text; null where it was left unread. */
export interface Received {
  readonly response: Response;
  readonly text: string | null;
}

/** How a try is made. */
export interface AttemptManner {
  /** How long it may take, body included, in milliseconds; Infinity for as long as it takes. */
  readonly timeoutMs: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Whether the caller reads the body of a success; asked when its head is there. */
  readonly leavesBody: () => boolean;
}

/** Of an answer that is no success no more than this is read: it may be of any size. */
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
  // Given up rather than read on: the socket is not kept for it.
  await reader.cancel().catch(() => undefined);
  return text;
};

const receive = async (
  fetch: typeof globalThis.fetch,
  request: WireRequest,
  { signal, leavesBody }: AttemptManner,
  controller: AbortController,
): Promise<Received> => {
  const { method, headers, body } = request;
  // Redirects are never followed: the key would go along to wherever they lead.
  const init: RequestInit = { method, headers: { ...headers }, signal: controller.signal, redirect: "manual" };
  if (body !== undefined) init.body = body;
  const response = await fetch(request.url, init);
  if (response.ok && leavesBody()) {
    signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    return { response, text: null };
  }
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

/** A forgotten address is the likeliest fault where the default one does not answer. */
const adviceOn = (url: string): string =>
  url.startsWith(`${DEFAULT_BASE_URL}/`) ? ". This is the default address; baseUrl or ASSAY_BASE_URL names another" : "";

/**
 * Makes one try.
 * @param fetch sends it
 * @param request what is sent
 * @param manner time, the caller's signal, and who reads the body
 * @param redact takes secrets out of what an error says
 * @throws RequestTimeoutError, RequestAbortedError, or ConnectionError when there is no whole answer
 */
export const attempt = async (
  fetch: typeof globalThis.fetch,
  request: WireRequest,
  manner: AttemptManner,
  redact: Redact,
): Promise<Received> => {
  const { timeoutMs, signal } = manner;
  const what = `${request.method} ${request.url.split("?")[0]}`;
  try {
    const bounds = { timeoutMs, signal, what, missing: "No whole answer" };
    return await inTime(bounds, (controller) => receive(fetch, request, manner, controller));
  } catch (fault) {
    if (fault instanceof AssayError) throw fault;
    throw new ConnectionError(redact(`No answer: ${what}: ${reasonOf(fault)}${adviceOn(request.url)}`), {
      cause: causeOf(fault, redact),
    });
  }
};
