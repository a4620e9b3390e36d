/** Sends one request and reads its answer, within limits of time and size. */
import { parseJson } from "@assay/contract";
import { type Exchange, type Sent, Unreachable } from "./exchange.ts";

/** How long an answer may take. */
export const ANSWER_WITHIN_MS = 30_000;
/** How long a stream is read before it is closed: its first event arrives well within this, several within twice as long. */
const STREAM_FOR_MS = 3_000;

/** Reads the start of an event stream, up to the end of some of its unnamed events. */
const readStream = async (body: ReadableStream<Uint8Array>, events: number): Promise<string> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const timer = setTimeout(() => void reader.cancel(), events > 1 ? 2 * STREAM_FOR_MS : STREAM_FOR_MS);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if ((text.match(/^data:.*\n\n/gm)?.length ?? 0) >= events) break;
  }
  clearTimeout(timer);
  await reader.cancel();
  return text;
};

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "TimeoutError") return `no answer within ${ANSWER_WITHIN_MS / 1_000} seconds`;
  const { code } = cause as { code?: unknown }; // Node puts the system error code here
  return cause.message || String(code ?? cause.name);
};

/** What a request fails with when the service closes a kept connection at that moment. */
const CLOSED: readonly unknown[] = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

const isClosed = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause && CLOSED.includes(error.cause.code);

const request = ({ method, url, headers, body }: Sent): Promise<Response> =>
  fetch(url, {
    method,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    ...(body === undefined ? {} : { body }),
  });

/** Sends a request once more if its connection was closed and it cannot have had an effect. */
const requestAgain = (sent: Sent): Promise<Response> =>
  request(sent).catch((error: unknown) => {
    if ((sent.method === "GET" || sent.method === "HEAD") && isClosed(error)) return request(sent);
    throw error;
  });

/**
 * A way to a service: sends a request and reads the answer.
 * @throws Unreachable when there is no answer
 */
export type Transport = (sent: Sent) => Promise<Exchange>;

export const send: Transport = async (sent) => {
  const sentAtMs = Date.now();
  try {
    const response = await requestAgain(sent);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const text = isStream && response.body ? await readStream(response.body, sent.events ?? 1) : await response.text();
    return {
      sent,
      status: response.status,
      headers: response.headers,
      text,
      json: parseJson(text),
      sentAtMs,
      readAtMs: Date.now(),
    };
  } catch (error) {
    throw new Unreachable(reasonOf(error), { cause: error });
  }
};
