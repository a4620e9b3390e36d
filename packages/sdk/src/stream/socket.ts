/** Opens WebSockets: the client's own class, `ws` on Node, or the platform's. */
import { AssayError } from "../core/errors.ts";
import type { WebSocketClass } from "../core/options.ts";
import { nodeRequire, runsOnNode } from "../core/runtime.ts";

/** The parts used of a WebSocket; both kinds have them. */
export interface StreamSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
  /** Closes it without a handshake; only `ws` can. */
  terminate?(): void;
}

/** How long the peer may take to confirm a close, in milliseconds: a dead one must not keep the process alive. */
const CLOSE_WITHIN_MS = 1_000;

/** The globals read; each exists in some runtimes only. */
interface SocketGlobals {
  readonly WebSocket?: WebSocketClass;
  require?: unknown;
}

/** Options for opening sockets. */
export interface SocketSettings {
  /** Headers, sent when the runtime can. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetchOptions: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the runtime's WebSocket. */
  readonly WebSocket: WebSocketClass | undefined;
}

/** The standard's interface, which each class has; its second argument is not typed. */
const construct = (Socket: WebSocketClass, url: string, ...options: object[]): StreamSocket =>
  Reflect.construct(Socket, [url, ...options]);

/**
 * Loads `ws`, which is CommonJS. Of an ESM bundle esbuild makes calls of a global `require` for the modules of Node that it
 * needs, which there is none of: it is lent one.
 */
const loadWs = async (): Promise<WebSocketClass> => {
  const globals: SocketGlobals = globalThis as unknown as SocketGlobals; // not every runtime declares them
  const isLent = globals.require === undefined;
  if (isLent) globals.require = await nodeRequire();
  try {
    return (await import("ws")).WebSocket;
  } finally {
    if (isLent) delete globals.require;
  }
};

/**
 * Opens a WebSocket: the one given, else `ws` on Node, else the platform's own. A dispatcher is usually a proxy and must not be
 * bypassed: `ws` cannot use it, Node's own WebSocket can.
 * @param url the address
 * @throws AssayError when there is no WebSocket, or none that can use the dispatcher
 */
export const openSocket = async (url: string, settings: SocketSettings): Promise<StreamSocket> => {
  const { fetchOptions, WebSocket: given } = settings;
  const headers = { ...settings.headers };
  if (given !== undefined) return construct(given, url, ...(fetchOptions || runsOnNode() ? [{ headers, ...fetchOptions }] : []));
  const { WebSocket: platform } = globalThis as unknown as SocketGlobals; // not every runtime declares it
  if (runsOnNode() && fetchOptions?.dispatcher === undefined) {
    const { agent } = fetchOptions ?? {};
    return construct(await loadWs(), url, { headers, perMessageDeflate: false, closeTimeout: CLOSE_WITHIN_MS, agent });
  }
  if (platform === undefined)
    throw new AssayError(
      runsOnNode()
        ? "This version of Node has no built-in WebSocket that can use the dispatcher; pass undici's as the WebSocket option"
        : 'WebSocket is not available here; use transport: "sse"',
    );
  return construct(platform, url, ...(fetchOptions ? [{ headers, ...fetchOptions }] : []));
};
