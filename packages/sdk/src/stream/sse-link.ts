/** One SSE feed: the key in its header, one symbol, frames passed on. */
import { createParser } from "eventsource-parser";
import { readStart, reasonOf } from "../core/attempt.ts";
import { errorFrom } from "../core/error-from.ts";
import type { ApiError } from "../core/errors.ts";
import { isWorthRetrying } from "../core/send.ts";
import type { Redact } from "../core/settings.ts";
import { errorRegistry } from "../generated/errors.ts";
import {
  type ServerFrame,
  SSE_PATH,
  STREAM_CLOSES,
  STREAM_LIMITS,
  StreamTooManyConnectionsError,
  sseId,
} from "../generated/stream.ts";
import type { StreamName } from "./events.ts";
import { type Ending, endingOfFault, type Link, type LinkEvents, lost, lostBy, readFrame } from "./link.ts";

/** What the feeds of a subscription share. */
export interface SseLinkDeps {
  readonly baseUrl: string;
  /** Headers of every attempt, including the key; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: () => typeof globalThis.fetch;
  readonly redact: Redact;
  readonly nowMs: () => number;
  /** The last number of a name; null for none. */
  readonly seqOf: (name: StreamName) => number | null;
}

/** Those without a name are ticks; those of tomorrow are ignored. */
const KNOWN_EVENTS: readonly (string | undefined)[] = [undefined, "heartbeat", "gap", "error"];

/** Retried when REST would retry, and also when the key has too many open streams. */
const endingOfRefusal = (error: ApiError): Ending => {
  if (error.body?.window === "streams") {
    const { message } = error;
    const details = { code: "too_many_connections", close: STREAM_CLOSES.too_many_connections, message, cause: error };
    return { name: "refused", error: new StreamTooManyConnectionsError(details) };
  }
  if (!isWorthRetrying(error)) return { name: "refused", error };
  const { retryAfterSeconds } = error;
  return lost(error.message, retryAfterSeconds === null ? null : retryAfterSeconds * 1000);
};

/** One feed of a subscription. */
export class SseLink implements Link {
  readonly #deps: SseLinkDeps;
  readonly #name: StreamName;
  readonly #stop = new AbortController();
  #events: LinkEvents | null;

  constructor(deps: SseLinkDeps, name: StreamName, events: LinkEvents) {
    this.#deps = deps;
    this.#name = name;
    this.#events = events;
    this.#follow().catch((fault: unknown) => this.#end(lost(deps.redact(reasonOf(fault)))));
  }

  follow(): void {
    // A feed's symbol never changes.
  }

  close(): void {
    this.drop();
  }

  drop(): void {
    this.#events = null;
    this.#stop.abort();
  }

  #end(ending: Ending): void {
    const events = this.#events;
    this.drop();
    events?.ended(ending);
  }

  async #follow(): Promise<void> {
    const { redact, nowMs } = this.#deps;
    const response = await this.#ask();
    const { body, headers } = response;
    if (!response.ok) {
      const text = body === null ? "" : await readStart(body);
      this.#end(endingOfRefusal(errorFrom(response, redact(text), errorRegistry, nowMs())));
      return;
    }
    const type = headers.get("content-type");
    if (body === null || !type?.startsWith("text/event-stream")) {
      this.#end(lost(`the answer is no stream: ${type?.split(";")[0] ?? "no content type"}`));
      return;
    }
    const sentAt = Date.parse(headers.get("date") ?? "");
    this.#events?.opened({ heartbeatMs: STREAM_LIMITS.heartbeatMs, serverMs: Number.isNaN(sentAt) ? null : sentAt });
    this.#end(await this.#read(body));
  }

  /** Reads it to its end. Before it ends a feed the service says how soon to come back; a proxy that cuts it does not. */
  async #read(body: ReadableStream<Uint8Array>): Promise<Ending> {
    let retryMs: number | null = null;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (KNOWN_EVENTS.includes(event)) this.#receive(data);
      },
      onRetry: (ms) => {
        retryMs = ms;
      },
    });
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return retryMs === STREAM_LIMITS.sseResumeMs ? { name: "over" } : lost("the connection ended");
      parser.feed(decoder.decode(value, { stream: true }));
    }
  }

  #ask(): Promise<Response> {
    const { baseUrl, headers, fetch, seqOf } = this.#deps;
    const seq = seqOf(this.#name);
    // Redirects are never followed: the key would be sent to wherever they lead.
    return fetch()(`${baseUrl}${SSE_PATH}?symbol=${encodeURIComponent(this.#name)}`, {
      headers: {
        ...headers,
        accept: "text/event-stream",
        ...(seq === null ? {} : { "last-event-id": sseId(this.#name, seq) }),
      },
      redirect: "manual",
      signal: this.#stop.signal,
    });
  }

  #receive(data: string): void {
    if (this.#events === null) return;
    let frame: ServerFrame | null;
    try {
      frame = readFrame(data);
    } catch (error) {
      this.#end(lostBy(error, this.#deps.redact));
      return;
    }
    if (frame === null) return;
    if (frame.type === "error") this.#end(endingOfFault({ code: frame.code, message: this.#deps.redact(frame.message) }));
    else this.#events.frame(frame);
  }
}
