/** Somebody who follows gold on a stream: resumes where it was, and knows which numbers it has, and which it was told it will not get. */
import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Writable } from "node:stream";
import type { Streams } from "@assay/stream";

/** A frame, as it is on the wire. */
export interface Frame {
  readonly type: "tick" | "gap" | "heartbeat" | "error";
  readonly seq: number;
  readonly price: string;
  readonly computed_at: string;
  readonly snapshot?: true;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly reason: string;
  readonly code: string;
}

/** A connection as the server has it, whose other end reads now or later. */
class Wire extends Writable {
  readonly remoteAddress = "10.0.0.2";
  readonly #onBytes: (bytes: Buffer) => void;
  #isSlow = false;
  #held: (() => void) | null = null;

  constructor(onBytes: (bytes: Buffer) => void) {
    super();
    this.#onBytes = onBytes;
  }

  setNoDelay(): void {}

  /** Reads nothing from now on, or reads again. */
  slow(isSlow: boolean): void {
    this.#isSlow = isSlow;
    if (isSlow) return;
    const held = this.#held;
    this.#held = null;
    held?.();
  }

  override _write(bytes: Buffer, _: unknown, done: () => void): void {
    const read = (): void => {
      this.#onBytes(bytes);
      done();
    };
    if (this.#isSlow) this.#held = read;
    else read();
  }
}

/** The request that opens a stream, on a wire. */
const requestOn = (wire: Wire, key: string, last: number | undefined): IncomingMessage => {
  const incoming = new IncomingMessage(wire as unknown as Socket); // what the door uses of one
  incoming.method = "GET";
  incoming.url = "/v1/prices/stream?symbol=XAU-USD-SPOT";
  incoming.httpVersionMajor = 1;
  incoming.httpVersionMinor = 1;
  const resume = last === undefined ? [] : ["Last-Event-ID", `XAU-USD-SPOT:${last}`];
  incoming.rawHeaders = ["Host", "localhost", "X-Request-Id", "stream", "Authorization", `Bearer ${key}`, ...resume];
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    incoming.headers[String(incoming.rawHeaders[at]).toLowerCase()] = incoming.rawHeaders[at + 1];
  return incoming;
};

/** What becomes known of a connection. */
export interface FollowerWatch {
  /** @param last the number before it, as the follower knows */
  received(frame: Frame, last: number | undefined): void;
  /** The service answers its request. */
  answered(status: number): void;
  /** The service ended it. @param status of its answer; null without one */
  ended(status: number | null): void;
}

/** A follower. */
export class Follower {
  readonly #watch: FollowerWatch;
  #wire: Wire | null = null;
  /** The last number that it has, or knows to be missing. */
  #last: number | undefined;
  /** When it connected last. */
  askedMs = 0;

  constructor(watch: FollowerWatch) {
    this.#watch = watch;
  }

  get last(): number | undefined {
    return this.#last;
  }

  get isConnected(): boolean {
    return this.#wire !== null;
  }

  /** Connects, and resumes after its last number. */
  connect(streams: Streams, key: string, nowMs: number): void {
    if (this.#wire) return;
    this.askedMs = nowMs;
    let text = "";
    let status: number | null = null;
    const wire = new Wire((bytes) => {
      text += bytes.toString("utf8");
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      if (this.#wire !== wire) return;
      for (const line of lines) {
        if (line.startsWith("data: ")) this.#take(JSON.parse(line.slice("data: ".length)) as Frame); // as the contract has it
        if (status !== null || !line.startsWith("HTTP/1.1 ")) continue;
        status = Number(line.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
        this.#watch.answered(status);
      }
    });
    this.#wire = wire;
    const incoming = requestOn(wire, key, this.#last);
    const response = new ServerResponse(incoming);
    response.assignSocket(wire as unknown as Socket); // what a response uses of one
    response.on("finish", () => wire.destroy());
    wire.on("close", () => {
      if (this.#wire !== wire) return;
      this.#wire = null;
      this.#watch.ended(status);
    });
    wire.on("error", () => undefined);
    streams.request(incoming, response);
  }

  /** Its connection ends. */
  disconnect(): void {
    const wire = this.#wire;
    this.#wire = null;
    wire?.destroy();
  }

  /** Reads nothing from now on, or reads again. */
  slow(isSlow: boolean): void {
    this.#wire?.slow(isSlow);
  }

  #take(frame: Frame): void {
    this.#watch.received(frame, this.#last);
    if (frame.type === "gap") this.#last = frame.to_seq;
    else if (frame.type === "tick") this.#last = frame.seq;
  }
}
