/** A response whose body is the caller's to read, and is aborted by the caller's signal until it has been. */
import { onAbort } from "./on-abort.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Cancels what is left of a body that was dropped, as the runtime's own fetch does. Not every runtime has such a registry. */
const dropped = globalThis.FinalizationRegistry && new FinalizationRegistry<Reader>((reader) => reader.cancel().catch(() => {}));

/**
 * Keeps a signal in charge of a body.
 * @param response its body unread
 * @param controller aborts the request
 * @param signal the caller's; it is listened to until the body has ended, or was cancelled or dropped
 */
export const leaveBody = (response: Response, controller: AbortController, signal: AbortSignal | undefined): Response => {
  const reader = signal && response.body?.getReader();
  if (!signal || !reader) return response;
  const leave = onAbort(signal, () => controller.abort(signal.reason));
  reader.closed.then(leave, leave);
  const pull = async (piece: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read();
    if (done) piece.close();
    else piece.enqueue(value);
  };
  const body = new ReadableStream<Uint8Array>({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  dropped?.register(body, reader);
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", { value: url });
};
