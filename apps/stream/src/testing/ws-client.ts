/** A WebSocket client that checks every received frame against the contract. */
import { type ServerFrame, serverFrame } from "@assay/contract";
import { WebSocket } from "ws";

type FrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

/** How long a test waits for an expected frame. */
const PATIENCE_MS = 10_000;

/** A connected client. */
export interface WsClient {
  readonly socket: WebSocket;
  /** Every frame so far, in order. */
  readonly frames: readonly ServerFrame[];
  /** The close code, when it is closed. */
  readonly closed: Promise<number>;
  send(frame: unknown): void;
  /** The next frame of a type not yet returned by a call; frames of other types before it are skipped. */
  next<T extends ServerFrame["type"]>(type: T): Promise<FrameOf<T>>;
  /** Subscribes and waits for the acknowledgement. */
  subscribe(symbols: readonly string[], more?: object): Promise<FrameOf<"subscribed">>;
  close(): void;
}

/** Connects. */
export const openWs = async (url: string, options: object = {}): Promise<WsClient> => {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  const frames: ServerFrame[] = [];
  let taken = 0;
  let wake: () => void = () => undefined;
  let ended = false;
  const closed = new Promise<number>((resolve) => {
    socket.on("close", (code) => {
      ended = true;
      resolve(code);
      wake();
    });
  });
  socket.on("message", (data: Buffer) => {
    // A frame unknown to the contract fails the test that waits for anything after it.
    frames.push(serverFrame.parse(JSON.parse(data.toString("utf8"))));
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => undefined);
  const next = async <T extends ServerFrame["type"]>(type: T): Promise<FrameOf<T>> => {
    const late = Date.now() + PATIENCE_MS;
    for (;;) {
      while (taken < frames.length) {
        const frame = frames[taken++];
        if (frame?.type === type) return frame as FrameOf<T>; // compared above
      }
      if (ended) throw new Error(`closed before a ${type} came; last: ${JSON.stringify(frames.slice(-3))}`);
      if (Date.now() > late) throw new Error(`no ${type} came; last: ${JSON.stringify(frames.slice(-3))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  return {
    socket,
    frames,
    closed,
    send: (frame) => socket.send(typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    next,
    subscribe: async (symbols, more = {}) => {
      socket.send(JSON.stringify({ action: "subscribe", symbols, ...more }));
      return next("subscribed");
    },
    close: () => socket.terminate(),
  };
};
