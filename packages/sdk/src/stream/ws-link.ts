/** One WebSocket: the key in its first frame, changes of names sent as they happen, frames passed on. */
import type { Logger } from "../core/logger.ts";
import type { Redact } from "../core/redact.ts";
import { type ClientFrame, type ServerFrame, STREAM_LIMITS, STREAM_SYMBOLS } from "../generated/stream.ts";
import { endingOf, type Fault, lost } from "./ending.ts";
import type { StreamName } from "./events.ts";
import { FrameBudget } from "./frame-budget.ts";
import type { Ending, Following, Link, LinkEvents, OpenLink } from "./link.ts";
import { openSocket, type SocketSettings, type StreamSocket } from "./open-socket.ts";
import { readFrame } from "./read-frame.ts";
import type { StreamSurroundings } from "./surroundings.ts";

/** What the WebSockets of a subscription share. */
export interface WsLinkParts {
  readonly url: string;
  readonly apiKey: string;
  /** The handshake's options; they never contain the key. */
  readonly socket: SocketSettings;
  readonly logger: Logger;
  readonly redact: Redact;
  readonly surroundings: StreamSurroundings;
  /** The followed names. */
  readonly following: () => Following;
  /** The last number of a name; null for none. */
  readonly seqOf: (name: StreamName) => number | null;
}

/** The most frames of a change: names removed, and names added. */
const FRAMES_PER_CHANGE = 2;
const OPEN = 1;
const NORMAL_CLOSURE = 1000;
const ABNORMAL_CLOSURE = 1006;

const symbolNames: ReadonlySet<string> = new Set(STREAM_SYMBOLS);
const listed = (names: readonly StreamName[]) => ({
  symbols: names.filter((name) => symbolNames.has(name)),
  channels: names.filter((name) => !symbolNames.has(name)),
});

class WsLink implements Link {
  readonly #parts: WsLinkParts;
  #events: LinkEvents | null;
  #socket: StreamSocket | null = null;
  /** The names sent to the service. */
  readonly #told = new Map<StreamName, object>();
  readonly #budget = new FrameBudget(STREAM_LIMITS.maxFrames, STREAM_LIMITS.frameWindowMs);
  /** Changes not yet acknowledged. */
  #unanswered = 0;
  #cancelChange: (() => void) | null = null;
  #heartbeatMs: number = STREAM_LIMITS.heartbeatMs;
  #serverMs: number | null = null;
  #isOpened = false;
  #fault: Fault | null = null;
  #detail = "";

  constructor(parts: WsLinkParts, events: LinkEvents) {
    this.#parts = parts;
    this.#events = events;
    openSocket(parts.url, parts.socket).then(
      (socket) => this.#attach(socket),
      (error: unknown) => this.#end({ name: "refused", error: error instanceof Error ? error : new Error(String(error)) }),
    );
  }

  follow(): void {
    // One change at a time: the previous one is answered first, so that a stalled connection delivers no burst.
    if (this.#socket?.readyState !== OPEN || this.#cancelChange !== null || this.#unanswered > 0) return;
    const { after, elapsedMs } = this.#parts.surroundings;
    this.#cancelChange = after(this.#budget.waitMs(FRAMES_PER_CHANGE, elapsedMs()), () => {
      this.#cancelChange = null;
      this.#tell();
    });
  }

  close(): void {
    if (this.#socket?.readyState === OPEN) this.#socket.close(NORMAL_CLOSURE);
    else this.#abandon();
    this.#detach();
  }

  drop(): void {
    this.#abandon();
    this.#detach();
  }

  #abandon(): void {
    if (this.#socket?.terminate) this.#socket.terminate();
    else this.#socket?.close();
  }

  #detach(): void {
    this.#events = null;
    this.#cancelChange?.();
    this.#cancelChange = null;
  }

  #end(ending: Ending): void {
    const events = this.#events;
    this.#detach();
    events?.ended(ending);
  }

  #attach(socket: StreamSocket): void {
    this.#socket = socket;
    socket.onopen = () => this.#greet();
    socket.onmessage = ({ data }) => this.#receive(data);
    const end = (close: number): void => this.#end(endingOf(close, this.#fault, this.#detail));
    // The reason of the close that follows says the same; not every runtime delivers one.
    socket.onerror = ({ message = "" }) => {
      this.#detail = this.#parts.redact(message);
      this.#parts.surroundings.after(0, () => end(ABNORMAL_CLOSURE));
    };
    // Deno uses 0 when the connection failed.
    socket.onclose = ({ code }) => end(code || ABNORMAL_CLOSURE);
    if (this.#events === null) this.#abandon();
  }

  #greet(): void {
    if (this.#events === null) return;
    this.#send({ action: "auth", api_key: this.#parts.apiKey });
    // Sent without waiting for the welcome: the service queues it, and a reconnect saves a round trip.
    this.#tell();
  }

  #send(frame: ClientFrame): void {
    this.#budget.spend(this.#parts.surroundings.elapsedMs());
    if (frame.action !== "auth") this.#unanswered += 1;
    this.#socket?.send(JSON.stringify(frame));
  }

  /** Sends the service the changes it does not know. */
  #tell(): void {
    if (this.#events === null) return;
    const wanted = this.#parts.following();
    const leaving = [...this.#told].filter(([name, mark]) => wanted.get(name) !== mark).map(([name]) => name);
    for (const name of leaving) this.#told.delete(name);
    const joining = [...wanted].filter(([name]) => !this.#told.has(name)).map(([name]) => name);
    if (leaving.length > 0) this.#send({ action: "unsubscribe", ...listed(leaving) });
    if (joining.length > 0 || !this.#isOpened) {
      const seqs = joining.map((name) => [name, this.#parts.seqOf(name)] as const);
      const resume = Object.fromEntries(seqs.filter((entry): entry is [StreamName, number] => entry[1] !== null));
      this.#send({ action: "subscribe", ...listed(joining), resume });
      for (const name of joining) this.#told.set(name, wanted.get(name) ?? {});
    }
  }

  #receive(data: unknown): void {
    if (this.#events === null) return;
    let frame: ServerFrame | null;
    try {
      if (typeof data !== "string") throw new TypeError("binary");
      frame = readFrame(data);
    } catch (error) {
      this.#abandon();
      this.#end(lost(`a frame that cannot be read: ${error instanceof Error ? this.#parts.redact(error.message) : "unknown"}`));
      return;
    }
    if (frame !== null) this.#handle(frame);
  }

  /** Open once the first names are acknowledged. */
  #open(): void {
    if (this.#isOpened) return;
    this.#isOpened = true;
    this.#events?.opened({ heartbeatMs: this.#heartbeatMs, serverMs: this.#serverMs });
  }

  #handle(frame: ServerFrame): void {
    if (frame.type === "welcome") {
      if (frame.heartbeatIntervalSeconds > 0) this.#heartbeatMs = frame.heartbeatIntervalSeconds * 1000;
      this.#serverMs = frame.serverTime.getTime();
    } else if (frame.type === "error") {
      const fault = { code: frame.code, message: this.#parts.redact(frame.message) };
      if (frame.fatal) this.#fault = fault;
      else {
        this.#parts.logger.warn(`The stream received an error: ${fault.code}: ${fault.message}`);
        this.#unanswered = Math.max(0, this.#unanswered - 1);
      }
    } else if (frame.type === "subscribed" || frame.type === "unsubscribed") {
      this.#unanswered = Math.max(0, this.#unanswered - 1);
      for (const { name } of frame.rejected) this.#told.delete(name as StreamName); // as sent
      this.#open();
      this.follow();
    }
    this.#events?.frame(frame);
  }
}

/**
 * Creates the function that opens WebSockets of a subscription.
 * @param parts what they share
 */
export const wsLinks =
  (parts: WsLinkParts): OpenLink =>
  (events) =>
    new WsLink(parts, events);
