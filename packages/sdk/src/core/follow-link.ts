/** Fetches what a link leads to, piece by piece, as long as something comes. */
import { AssayError, ConnectionError } from "./errors.ts";
import { type Bounds, inTime } from "./in-time.ts";

/** What a link leads to. */
export interface Linked {
  /** The head. */
  readonly response: Response;
  /** The body's pieces; each has as long to come as the head had. Without it the body stays unread. */
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
 * Fetches what a link leads to.
 * @param fetch sends it
 * @param link absolute
 * @param headers sent along
 * @param limits how long nothing may come, and the caller's signal
 * @throws RequestTimeoutError, RequestAbortedError, or ConnectionError when there is no answer
 */
export const followLink = async (
  fetch: typeof globalThis.fetch,
  link: string,
  headers: Readonly<Record<string, string>>,
  limits: Pick<Bounds, "timeoutMs" | "signal">,
): Promise<Linked> => {
  // The rest of a link may be a signature.
  const bounds: Bounds = { ...limits, missing: "No progress", what: `GET ${link.split("?")[0]}` };
  try {
    // A link leads straight to what it names; whatever sends on from there is something else.
    const response = await inTime(bounds, ({ signal }) => fetch(link, { headers, redirect: "error", signal }));
    return { response, pieces: () => piecesOf(response.body ?? new ReadableStream(), bounds) };
  } catch (fault) {
    if (fault instanceof AssayError) throw fault;
    throw new ConnectionError(`No answer: ${bounds.what}`, { cause: fault });
  }
};
