/** A WebSocket: the one a client is given, else of whatever runtime this is, `ws` on Node, the platform's own elsewhere. */
import { AssayError } from "../core/errors.ts";
import type { WebSocketClass } from "../core/options.ts";
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
  readonly WebSocket?: WebSocketClass;
}

/** How sockets are opened. */
export interface SocketSettings {
  /** Sent along where the runtime can. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetchOptions: Readonly<Record<string, unknown>> | undefined;
  /** Stands in for the runtime's own. */
  readonly WebSocket: WebSocketClass | undefined;
}

/** The interface of the standard, which each class has; its second argument is told by no type. */
const construct = (Socket: WebSocketClass, url: string, ...options: object[]): StreamSocket =>
  Reflect.construct(Socket, [url, ...options]);

/**
 * Opens a WebSocket: the one given, else on Node `ws`, else the platform's own. A dispatcher is a proxy as a rule, and must not be gone
 * round: `ws` cannot use it, Node's own WebSocket can.
 * @param url where to
 * @throws AssayError where there is no WebSocket, or none that can use the dispatcher
 */
export const openSocket = async (url: string, settings: SocketSettings): Promise<StreamSocket> => {
  const { fetchOptions, WebSocket: given } = settings;
  const headers = { ...settings.headers };
  if (given !== undefined) return construct(given, url, ...(fetchOptions || runsOnNode() ? [{ headers, ...fetchOptions }] : []));
  const { WebSocket: platform } = globalThis as unknown as SocketGlobals; // not every runtime declares it
  if (runsOnNode() && fetchOptions?.dispatcher === undefined) {
    const { WebSocket } = await import("ws");
    const { agent } = fetchOptions ?? {};
    return construct(WebSocket, url, { headers, perMessageDeflate: false, closeTimeout: CLOSE_WITHIN_MS, agent });
  }
  if (platform === undefined)
    throw new AssayError(
      runsOnNode()
        ? "This Node has no WebSocket of its own that could use the dispatcher; give that of undici as WebSocket"
        : 'There is no WebSocket here; use transport: "sse"',
    );
  return construct(platform, url, ...(fetchOptions ? [{ headers, ...fetchOptions }] : []));
};
