/** A WebSocket of whatever runtime this is: `ws` on Node, the platform's own elsewhere. */
import { AssayError } from "../core/errors.ts";
import { runsOnNode } from "../core/runtime.ts";

/** What is used of a WebSocket; both kinds have it. */
export interface StreamSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
  /** Ends it without a word; only `ws` can. */
  terminate?(): void;
}

/** How long the other side may take to confirm a close, in milliseconds: a dead one must not keep the process. */
const CLOSE_WITHIN_MS = 1_000;

/** The globals looked at; each is there in some runtimes only. */
interface SocketGlobals {
  readonly WebSocket?: new (url: string) => unknown;
}

/**
 * Opens a WebSocket.
 * @param url where to
 * @param headers sent along where the runtime can
 * @throws AssayError where there is no WebSocket
 */
export const openSocket = async (url: string, headers: Readonly<Record<string, string>>): Promise<StreamSocket> => {
  if (runsOnNode()) {
    const { WebSocket } = await import("ws");
    const options = { headers: { ...headers }, perMessageDeflate: false, closeTimeout: CLOSE_WITHIN_MS };
    return new WebSocket(url, options) as unknown as StreamSocket; // its own types differ in events that are not looked at
  }
  const { WebSocket } = globalThis as unknown as SocketGlobals; // not every runtime declares it
  if (WebSocket === undefined) throw new AssayError('There is no WebSocket here; use transport: "sse"');
  return new WebSocket(url) as StreamSocket; // the standard's interface
};
