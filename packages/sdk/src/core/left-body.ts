/** A response whose body is the caller's to read, and is aborted by the caller's signal until it has been. */

/**
 * Keeps a signal in charge of a body.
 * @param response its body unread
 * @param controller aborts the request
 * @param signal the caller's; it is listened to until the body has ended or was cancelled
 */
export const leaveBody = (response: Response, controller: AbortController, signal: AbortSignal | undefined): Response => {
  const reader = signal && response.body?.getReader();
  if (!signal || !reader) return response;
  const abort = (): void => controller.abort(signal.reason);
  const leave = (): void => signal.removeEventListener("abort", abort);
  signal.addEventListener("abort", abort, { once: true });
  const pull = async (piece: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await reader.read();
      if (!done) return piece.enqueue(value);
      leave();
      piece.close();
    } catch (fault) {
      leave();
      throw fault;
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    leave();
    return reader.cancel(reason);
  };
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", { value: url });
};
