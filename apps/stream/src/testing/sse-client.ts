/** An SSE client that records everything on the wire: events with their names and ids, comments, and the end. */
import { errorFrame, gapFrame, heartbeatFrame, tickFrame } from "@assay/contract";

/** How long a test waits for an expected event. */
const PATIENCE_MS = 10_000;

/** A received part. */
export interface SsePart {
  /** `message` for unnamed events; `comment` and `retry` for parts that are not events. */
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the contract's schema of its event
  readonly data: any;
}

/** An answered request. */
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

/** Sends the request, and follows the stream if there is one. */
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
  const parts: SsePart[] = [];
  let wake: () => void = () => undefined;
  let isEnded = false;
  let fault: unknown;
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      parts.push(...blocks.map(readPart));
      wake();
    }
  };
  const ended = (isStream ? follow() : Promise.resolve())
    .catch((error: unknown) => {
      if (!leaving.signal.aborted) fault = error;
    })
    .finally(() => {
      isEnded = true;
      wake();
    });
  const text = isStream ? "" : await response.text();
  let taken = 0;
  return {
    status: response.status,
    headers: response.headers,
    json: response.headers.get("content-type") === "application/json" && text !== "" ? JSON.parse(text) : text,
    parts,
    ended,
    next: async (event) => {
      const late = Date.now() + PATIENCE_MS;
      for (;;) {
        while (taken < parts.length) {
          const part = parts[taken++];
          if (part?.event === event) return part;
        }
        if (fault) throw fault;
        if (isEnded || Date.now() > late) throw new Error(`no ${event} came; last: ${JSON.stringify(parts.slice(-3))}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 200);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    close: () => leaving.abort(),
  };
};
