/** Stream clients of which one process holds thousands: they read as little as proves that no number is missing or repeated. */
import { request } from "node:http";
import { mayReconnect, STREAM_PATH, sseId, streams } from "@assay/contract";
import { WebSocket } from "ws";

/** What clients of a crowd have in common. */
export interface CrowdOptions {
  readonly url: string;
  readonly key: string;
  /** The one symbol they follow. */
  readonly symbol: string;
}

/** The part of a frame that is read. */
interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly from_seq: number;
  readonly to_seq: number;
}

/** Reconnecting, as the SDK does: exponential backoff with full jitter. */
const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 30_000;

/** A client that reconnects and resumes. */
export abstract class CrowdClient {
  /** The newest number; -1 before the first. */
  at = -1;
  /** Numbers that a gap frame said are lost. */
  lost = 0;
  /** Numbers that were repeated, or were missing without a gap, in words. */
  readonly faults: string[] = [];
  /** How each connection ended. */
  readonly ends: string[] = [];
  /** How long it was away, each time, in milliseconds. */
  readonly awayMs: number[] = [];
  isFollowing = false;
  protected readonly options: CrowdOptions;
  #awaySinceMs: number | null = null;
  #failures = 0;

  constructor(options: CrowdOptions) {
    this.options = options;
    this.connect();
  }

  /** Opens a connection, and resumes. */
  protected abstract connect(): void;

  /** The service has accepted the client. */
  protected opened(): void {
    this.isFollowing = true;
    this.#failures = 0;
    if (this.#awaySinceMs !== null) this.awayMs.push(performance.now() - this.#awaySinceMs);
    this.#awaySinceMs = null;
  }

  protected ended(how: string, mayReturn: boolean): void {
    this.isFollowing = false;
    this.ends.push(how);
    this.#awaySinceMs ??= performance.now();
    this.#failures += 1;
    const ceilingMs = Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** (this.#failures - 1));
    if (mayReturn) setTimeout(() => this.connect(), Math.random() * ceilingMs);
  }

  protected take(text: string): void {
    const frame = JSON.parse(text) as Frame; // checked against the contract by the followers beside the crowd
    if (frame.type === "subscribed") this.opened();
    else if (frame.type === "tick") this.#advance(frame.seq, frame.seq);
    else if (frame.type === "gap") {
      this.lost += frame.to_seq - frame.from_seq + 1;
      this.#advance(frame.from_seq, frame.to_seq);
    }
  }

  #advance(from: number, to: number): void {
    if (this.at !== -1 && from !== this.at + 1) this.faults.push(`${from} after ${this.at}`);
    this.at = to;
  }
}

/** Over WebSocket. */
export class CrowdSocket extends CrowdClient {
  protected connect(): void {
    const { url, key, symbol } = this.options;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}${STREAM_PATH}`, { perMessageDeflate: false });
    socket.on("open", () => {
      socket.send(JSON.stringify({ action: "auth", api_key: key }));
      const resume = this.at === -1 ? {} : { resume: { [symbol]: this.at } };
      socket.send(JSON.stringify({ action: "subscribe", symbols: [symbol], ...resume }));
    });
    let refusal = "";
    socket.on("message", (data: Buffer) => this.take(data.toString("utf8")));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      refusal = ` ${error.code ?? error.message}`;
    });
    socket.on("close", (code) => this.ended(`${code}${refusal}`, mayReconnect(code)));
  }
}

/** Over Server-Sent Events. */
export class CrowdFeed extends CrowdClient {
  protected connect(): void {
    const { url, key, symbol } = this.options;
    const resume = this.at === -1 ? {} : { "last-event-id": sseId(symbol, this.at) };
    const sent = request(`${url}${streams.prices.path}?symbol=${symbol}`, {
      agent: false,
      headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", ...resume },
    });
    let isOver = false;
    const over = (how: string, mayReturn = true): void => {
      if (isOver) return;
      isOver = true;
      sent.destroy();
      this.ended(how, mayReturn);
    };
    sent.on("error", (error: NodeJS.ErrnoException) => over(error.code ?? error.message));
    sent.on("response", (response) => {
      const { statusCode = 0 } = response;
      if (statusCode !== 200) return over(String(statusCode), statusCode >= 500);
      this.opened();
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data: ")) this.take(line.slice(6));
      });
      response.on("error", (error: NodeJS.ErrnoException) => over(error.code ?? error.message));
      response.on("end", () => over("end"));
    });
    sent.end();
  }
}
