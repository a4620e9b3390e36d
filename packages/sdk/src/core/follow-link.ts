/** Fetches the target of a link, chunk by chunk, with a time limit between chunks. */
import { AssayError, ConnectionError } from "./errors.ts";
import { type Bounds, inTime } from "./in-time.ts";

/** The target of a link. */
export interface Linked {
  /** The head. */
  readonly response: Response;
  /** The body's chunks; each has the same time limit as the head. Without it the body stays unread. */
  pieces(): AsyncGenerator<Uint8Array, void, undefined>;
}

async function* piecesOf(body: ReadableStream<Uint8Array>, bounds: Bounds): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(bounds, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/**
 * Fetches the target of a link.
 * @param fetch sends it
 * @param link absolute
 * @param headers headers to send
 * @param limits the longest time without data, and the caller's signal
 * @throws RequestTimeoutError, RequestAbortedError, or ConnectionError when there is no answer
 */
export const followLink = async (
  fetch: typeof globalThis.fetch,
  link: string,
  headers: Readonly<Record<string, string>>,
  limits: Pick<Bounds, "timeoutMs" | "signal">,
): Promise<Linked> => {
  // The query of a link may be a signature.
  const bounds: Bounds = { ...limits, missing: "No progress", what: `GET ${link.split("?")[0]}` };
  try {
    // A link points directly at its target; a further redirect is unexpected.
    const response = await inTime(bounds, ({ signal }) => fetch(link, { headers, redirect: "error", signal }));
    return { response, pieces: () => piecesOf(response.body ?? new ReadableStream(), bounds) };
  } catch (fault) {
    if (fault instanceof AssayError) throw fault;
    throw new ConnectionError(`No answer: ${bounds.what}`, { cause: fault });
  }
};
