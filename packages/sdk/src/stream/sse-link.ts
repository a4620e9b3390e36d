/** One SSE feed: the key in its header, one symbol, frames passed on. */
import { EventSource } from "eventsource";
import { readStart } from "../core/attempt.ts";
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

const NAMED_EVENTS = ["heartbeat", "gap"] as const;

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
  #events: LinkEvents | null;
  readonly #source: EventSource;
  #serverMs: number | null = null;

  constructor(deps: SseLinkDeps, name: StreamName, events: LinkEvents) {
    this.#deps = deps;
    this.#name = name;
    this.#events = events;
    const url = `${deps.baseUrl}${SSE_PATH}?symbol=${encodeURIComponent(name)}`;
    this.#source = new EventSource(url, { fetch: (_, { signal }) => this.#ask(url, signal) });
    this.#source.onopen = () => this.#events?.opened({ heartbeatMs: STREAM_LIMITS.heartbeatMs, serverMs: this.#serverMs });
    this.#source.onmessage = ({ data }) => this.#receive(data);
    for (const event of NAMED_EVENTS) this.#source.addEventListener(event, ({ data }) => this.#receive(data));
    // The service's own event of this name has data; the library's event for a broken connection has none.
    this.#source.addEventListener("error", (event: { readonly data?: unknown; readonly message?: string }) => {
      // It has a message when the connection broke, and none when the response ended.
      if (event.data === undefined) this.#end(event.message === undefined ? { name: "over" } : lost(deps.redact(event.message)));
      else this.#receive(event.data);
    });
  }

  follow(): void {
    // A feed's symbol never changes.
  }

  close(): void {
    this.drop();
  }

  drop(): void {
    this.#events = null;
    // After the current event, since the library sets its own reconnect timer after it.
    queueMicrotask(() => this.#source.close());
  }

  #end(ending: Ending): void {
    const events = this.#events;
    this.drop();
    events?.ended(ending);
  }

  async #ask(url: string, signal: AbortSignal): Promise<Response> {
    const deps = this.#deps;
    const seq = deps.seqOf(this.#name);
    const headers = {
      ...deps.headers,
      accept: "text/event-stream",
      ...(seq === null ? {} : { "last-event-id": sseId(this.#name, seq) }),
    };
    // Redirects are never followed: the key would be sent to wherever they lead.
    const response = await deps.fetch()(url, { headers, signal, redirect: "manual" });
    const sentAt = Date.parse(response.headers.get("date") ?? "");
    this.#serverMs = Number.isNaN(sentAt) ? null : sentAt;
    if (response.ok) return response;
    const text = response.body === null ? "" : await readStart(response.body);
    this.#end(endingOfRefusal(errorFrom(response, deps.redact(text), errorRegistry, deps.nowMs())));
    return response;
  }

  #receive(data: unknown): void {
    if (this.#events === null) return;
    let frame: ServerFrame | null;
    try {
      frame = readFrame(String(data));
    } catch (error) {
      this.#end(lostBy(error, this.#deps.redact));
      return;
    }
    if (frame === null) return;
    if (frame.type === "error") this.#end(endingOfFault({ code: frame.code, message: this.#deps.redact(frame.message) }));
    else this.#events.frame(frame);
  }
}
