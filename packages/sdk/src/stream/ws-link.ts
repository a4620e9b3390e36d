/**
 * One WebSocket, the client's own, Node's or the platform's: the key in its first frame, changes of names sent as they happen,
 * frames passed on.
 */
import type { Logger } from "../core/options.ts";
import type { Redact } from "../core/settings.ts";
import { type ClientFrame, type ServerFrame, STREAM_LIMITS } from "../generated/stream.ts";
import type { StreamClock } from "./connection.ts";
import type { StreamName } from "./events.ts";
import { type Ending, endingOf, type Fault, type Following, type Link, type LinkEvents, lostBy, readFrame } from "./link.ts";
import { isSymbol } from "./options.ts";
import { openSocket, type SocketSettings, type StreamSocket } from "./socket.ts";

/** A reserve of frames and a slightly longer window, since clocks and latency vary. */
const IN_RESERVE = 4;
const LONGER_BY = 1.1;

/** A sliding window of sent frames. */
export class FrameBudget {
  readonly #most: number;
  readonly #windowMs: number;
  #sentAtMs: number[] = [];

  /**
   * @param maxFrames the service's limit
   * @param windowMs its window, in milliseconds
   */
  constructor(maxFrames: number, windowMs: number) {
    this.#most = maxFrames - IN_RESERVE;
    this.#windowMs = windowMs * LONGER_BY;
  }

  /** Records a frame sent now. */
  spend(nowMs: number): void {
    this.#sentAtMs.push(nowMs);
  }

  /**
   * How long to wait before sending that many more.
   * @param nowMs the monotonic clock, in milliseconds
   * @returns milliseconds, 0 for none
   */
  waitMs(frames: number, nowMs: number): number {
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => atMs + this.#windowMs > nowMs);
    const tooMany = this.#sentAtMs.length + frames - this.#most;
    const freeing = this.#sentAtMs[tooMany - 1];
    return freeing === undefined ? 0 : Math.ceil(freeing + this.#windowMs - nowMs);
  }
}

/** What the WebSockets of a subscription share. */
export interface WsLinkDeps {
  readonly url: string;
  /** Null for none. */
  readonly apiKey: string | null;
  /** The handshake's options; they never contain the key. */
  readonly socket: SocketSettings;
  readonly logger: Logger;
  readonly redact: Redact;
  readonly clock: StreamClock;
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

const listed = (names: readonly StreamName[]) => ({
  symbols: names.filter(isSymbol),
  channels: names.filter((name) => !isSymbol(name)),
});

/** One WebSocket of a subscription. */
export class WsLink implements Link {
  readonly #deps: WsLinkDeps;
  #events: LinkEvents | null;
  #socket: StreamSocket | null = null;
  /** The names sent to the service. */
  readonly #sent = new Map<StreamName, object>();
  readonly #budget = new FrameBudget(STREAM_LIMITS.maxFrames, STREAM_LIMITS.frameWindowMs);
  /** Changes not yet acknowledged. */
  #unanswered = 0;
  #cancelChange: (() => void) | null = null;
  #heartbeatMs: number = STREAM_LIMITS.heartbeatMs;
  #serverMs: number | null = null;
  #isOpened = false;
  #fault: Fault | null = null;
  #detail = "";

  /** @param deps what the WebSockets of a subscription share */
  constructor(deps: WsLinkDeps, events: LinkEvents) {
    this.#deps = deps;
    this.#events = events;
    openSocket(deps.url, deps.socket).then(
      (socket) => this.#attach(socket),
      (error: unknown) => this.#end({ name: "refused", error: error instanceof Error ? error : new Error(String(error)) }),
    );
  }

  follow(): void {
    // One change at a time: the previous one is answered first, so that a stalled connection delivers no burst.
    if (this.#socket?.readyState !== OPEN || this.#cancelChange !== null || this.#unanswered > 0) return;
    const { after, elapsedMs } = this.#deps.clock;
    this.#cancelChange = after(this.#budget.waitMs(FRAMES_PER_CHANGE, elapsedMs()), () => {
      this.#cancelChange = null;
      this.#sync();
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
      this.#detail = this.#deps.redact(message);
      this.#deps.clock.after(0, () => end(ABNORMAL_CLOSURE));
    };
    // Deno uses 0 when the connection failed.
    socket.onclose = ({ code }) => end(code || ABNORMAL_CLOSURE);
    if (this.#events === null) this.#abandon();
  }

  #greet(): void {
    if (this.#events === null) return;
    const { apiKey } = this.#deps;
    this.#send({ action: "auth", ...(apiKey === null ? {} : { api_key: apiKey }) });
    // Sent without waiting for the welcome: the service queues it, and a reconnect saves a round trip.
    this.#sync();
  }

  #send(frame: ClientFrame): void {
    this.#budget.spend(this.#deps.clock.elapsedMs());
    if (frame.action !== "auth") this.#unanswered += 1;
    this.#socket?.send(JSON.stringify(frame));
  }

  /** Sends the service the changes it does not know. */
  #sync(): void {
    if (this.#events === null) return;
    const wanted = this.#deps.following();
    const leaving = [...this.#sent].filter(([name, mark]) => wanted.get(name) !== mark).map(([name]) => name);
    for (const name of leaving) this.#sent.delete(name);
    const joining = [...wanted].filter(([name]) => !this.#sent.has(name)).map(([name]) => name);
    if (leaving.length > 0) this.#send({ action: "unsubscribe", ...listed(leaving) });
    if (joining.length > 0 || !this.#isOpened) {
      const seqs = joining.map((name) => [name, this.#deps.seqOf(name)] as const);
      const resume = Object.fromEntries(seqs.filter((entry): entry is [StreamName, number] => entry[1] !== null));
      this.#send({ action: "subscribe", ...listed(joining), resume });
      for (const name of joining) this.#sent.set(name, wanted.get(name) ?? {});
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
      this.#end(lostBy(error, this.#deps.redact));
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
      const fault = { code: frame.code, message: this.#deps.redact(frame.message) };
      if (frame.fatal) this.#fault = fault;
      else {
        this.#deps.logger.warn(`The stream received an error: ${fault.code}: ${fault.message}`);
        this.#unanswered = Math.max(0, this.#unanswered - 1);
      }
    } else if (frame.type === "subscribed" || frame.type === "unsubscribed") {
      this.#unanswered = Math.max(0, this.#unanswered - 1);
      for (const { name } of frame.rejected) this.#sent.delete(name as StreamName); // as sent
      this.#open();
      this.follow();
    }
    this.#events?.frame(frame);
  }
}
