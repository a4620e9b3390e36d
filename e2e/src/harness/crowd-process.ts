/**
 * A child process with a part of a crowd, controlled over the process channel: it takes its settings, answers each later message
 * with a report, and ends when the channel closes.
 */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { mayReconnect, STREAM_PATH, sseId, streams } from "@assay/contract";
import { WebSocket } from "ws";

/** The first message. */
export interface CrowdPart {
  readonly url: string;
  readonly symbol: string;
  /** Each of several clients. */
  readonly keys: readonly string[];
  readonly socketsPerKey: number;
  readonly feedsPerKey: number;
}

/** What the clients of a part have seen so far. */
export interface CrowdReport {
  readonly following: number;
  readonly reached: number;
  /** Numbers that gap frames said are lost. */
  readonly lost: number;
  /** Numbers repeated, or missing without a gap, in words. */
  readonly faults: readonly string[];
  /** How connections ended, and how often. */
  readonly ends: Readonly<Record<string, number>>;
  /** How long clients were away, in milliseconds. */
  readonly awayMs: readonly number[];
}

/** Connections opened at a time. */
const AT_ONCE = 50;

const clients: CrowdClient[] = [];

const open = async ({ url, symbol, keys, socketsPerKey, feedsPerKey }: CrowdPart): Promise<void> => {
  for (const key of keys) {
    for (let place = 0; place < socketsPerKey + feedsPerKey; place += 1) {
      while (clients.filter(({ isFollowing }) => !isFollowing).length >= AT_ONCE) await sleep(10);
      const Client = place < socketsPerKey ? CrowdSocket : CrowdFeed;
      clients.push(new Client({ url, key, symbol }));
    }
  }
};

const report = (): CrowdReport => {
  const ends: Record<string, number> = {};
  for (const client of clients) for (const how of client.ends) ends[how] = (ends[how] ?? 0) + 1;
  return {
    following: clients.filter(({ isFollowing }) => isFollowing).length,
    reached: Math.min(...clients.map(({ at }) => at)),
    lost: clients.reduce((sum, { lost }) => sum + lost, 0),
    faults: clients.flatMap(({ faults }) => faults),
    ends,
    awayMs: clients.flatMap(({ awayMs }) => awayMs),
  };
};

process.once("message", (part: CrowdPart) => {
  void open(part);
  process.on("message", () => process.send?.(report()));
});
process.once("disconnect", () => process.exit(0));

interface CrowdOptions {
  readonly url: string;
  readonly key: string;
  readonly symbol: string;
}

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly from_seq: number;
  readonly to_seq: number;
}

/** Reconnecting, as the SDK does: exponential backoff with full jitter. */
const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 30_000;

abstract class CrowdClient {
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

class CrowdSocket extends CrowdClient {
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
class CrowdFeed extends CrowdClient {
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
