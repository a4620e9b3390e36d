/**
 * Clients that record what they receive, and check it against the contract: WebSocket, and SSE with its events, ids and
 * comments.
 */
import { errorFrame, gapFrame, heartbeatFrame, type ServerFrame, serverFrame, tickFrame } from "@assay/contract";
import { WebSocket } from "ws";

/** How long a test waits for what it expects before it fails. */
const PATIENCE_MS = 10_000;

/** What was received so far, and those who wait for more. */
class Inbox<T> {
  readonly all: T[] = [];
  readonly #isOf: (item: T, kind: string) => boolean;
  #taken = 0;
  #end: { readonly fault: unknown } | null = null;
  #waiting: (() => void)[] = [];

  constructor(isOf: (item: T, kind: string) => boolean) {
    this.#isOf = isOf;
  }

  add(...items: T[]): void {
    this.all.push(...items);
    this.#wake();
  }

  /** Nothing more will come. */
  end(fault?: unknown): void {
    this.#end = { fault };
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** The next item of a kind not yet returned by a call; others before it are skipped. */
  async next(kind: string): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, PATIENCE_MS);
    try {
      for (;;) {
        for (const item of this.all.slice(this.#taken)) {
          this.#taken += 1;
          if (this.#isOf(item, kind)) return item;
        }
        if (this.#end?.fault) throw this.#end.fault;
        if (this.#end || isLate)
          throw new Error(`${isLate ? "no" : "ended before a"} ${kind} came; last: ${JSON.stringify(this.all.slice(-3))}`);
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

type FrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

export interface WsClient {
  readonly socket: WebSocket;
  /** Every frame so far, in order. */
  readonly frames: readonly ServerFrame[];
  readonly closed: Promise<number>;
  send(frame: unknown): void;
  /** The next frame of a type not yet returned by a call; frames of other types before it are skipped. */
  next<T extends ServerFrame["type"]>(type: T): Promise<FrameOf<T>>;
  subscribe(symbols: readonly string[], more?: object): Promise<FrameOf<"subscribed">>;
  close(): void;
}

export const openWs = async (url: string, options: object = {}): Promise<WsClient> => {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  const inbox = new Inbox<ServerFrame>((frame, type) => frame.type === type);
  const closed = new Promise<number>((resolve) => {
    socket.on("close", (code) => {
      resolve(code);
      inbox.end();
    });
  });
  // A frame unknown to the contract fails the test that waits for anything after it.
  socket.on("message", (data: Buffer) => inbox.add(serverFrame.parse(JSON.parse(data.toString("utf8")))));
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => undefined);
  const next = async <T extends ServerFrame["type"]>(type: T): Promise<FrameOf<T>> => (await inbox.next(type)) as FrameOf<T>; // its type was compared
  return {
    socket,
    frames: inbox.all,
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

export interface SsePart {
  /** `message` for unnamed events; `comment` and `retry` for parts that are not events. */
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the contract's schema of its event
  readonly data: any;
}

/** An answered request for a feed. */
export interface SseClient {
  readonly status: number;
  readonly headers: Headers;
  /** The body of an answer that is not a stream. */
  readonly json: unknown;
  readonly parts: readonly SsePart[];
  readonly ended: Promise<void>;
  /** The next part of an event not yet returned by a call. */
  next(event: string): Promise<SsePart>;
  close(): void;
}

const SCHEMAS = { message: tickFrame, heartbeat: heartbeatFrame, gap: gapFrame, error: errorFrame };

const readPart = (block: string): SsePart => {
  const fields = new Map(block.split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  if (block.startsWith(":")) return { event: "comment", id: null, data: block.slice(1).trim() };
  if (fields.has("retry")) return { event: "retry", id: null, data: fields.get("retry") };
  const event = fields.get("event") ?? "message";
  const schema = SCHEMAS[event as keyof typeof SCHEMAS]; // an unknown one fails the parse
  return { event, id: fields.get("id") ?? null, data: schema.parse(JSON.parse(fields.get("data") ?? "")) };
};

/** Requests a feed, and follows the stream if there is one. */
export const openSse = async (
  url: string,
  key: string | undefined,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<SseClient> => {
  const leaving = new AbortController();
  const response = await fetch(url, {
    method,
    signal: leaving.signal,
    headers: { ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers },
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const inbox = new Inbox<SsePart>((part, event) => part.event === event);
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      inbox.add(...blocks.map(readPart));
    }
  };
  const ended = (isStream ? follow() : Promise.resolve()).then(
    () => inbox.end(),
    (error: unknown) => inbox.end(leaving.signal.aborted ? undefined : error),
  );
  const text = isStream ? "" : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: response.headers.get("content-type") === "application/json" && text !== "" ? JSON.parse(text) : text,
    parts: inbox.all,
    ended,
    next: (event) => inbox.next(event),
    close: () => leaving.abort(),
  };
};
