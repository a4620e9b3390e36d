/** Stream clients that compare every number with the previous one: silent losses and repeats are errors. */
import { setTimeout as sleep } from "node:timers/promises";
import { mayReconnect, type ServerFrame, STREAM_PATH, serverFrame } from "@assay/contract";
import { WebSocket } from "ws";

interface FollowOptions {
  /** Addresses to connect to; after a loss the next one is used. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly symbols: readonly string[];
  readonly channels?: readonly string[];
  /** The certificate to trust, of addresses with TLS. */
  readonly ca?: string;
  /** The delay before reconnecting, in milliseconds. */
  readonly reconnectMs?: number;
  /** Makes what an earlier release sends otherwise into what this contract has; as it is when omitted. */
  readonly read?: (text: string) => string;
}

interface Sightings {
  ticks: number;
  readonly gaps: { readonly name: string; readonly from: number; readonly to: number; readonly reason: string }[];
  heartbeats: number;
  readonly closes: number[];
  /** Numbers repeated, or missing without a gap, in words. */
  readonly faults: string[];
}

const wsUrl = (url: string): string => `${url.replace(/^http/, "ws")}${STREAM_PATH}`;

/** A client that reconnects and resumes as the SDK does, without any code that could hide a loss. */
export class Follower {
  readonly seen: Sightings = { ticks: 0, gaps: [], heartbeats: 0, closes: [], faults: [] };
  /** The newest number of each name. */
  readonly at = new Map<string, number>();
  /** Every tick by name and number, to compare with other sources. */
  readonly ticks = new Map<string, Extract<ServerFrame, { type: "tick" | "physical" }>>();
  readonly #options: FollowOptions;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #isLeaving = false;
  #isFollowing = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Whether a subscription is acknowledged on the current connection. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** The current socket, for tests that interfere with it. */
  get socket(): WebSocket | null {
    return this.#socket;
  }

  close(): void {
    this.#isLeaving = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    const { urls, key, symbols, channels = [], reconnectMs = 200, ca, read = (text) => text } = this.#options;
    const url = urls[this.#attempt % urls.length] ?? "";
    const socket = new WebSocket(wsUrl(url), { perMessageDeflate: false, ...(ca === undefined ? {} : { ca }) });
    this.#socket = socket;
    socket.on("open", () => {
      socket.send(JSON.stringify({ action: "auth", api_key: key }));
      socket.send(JSON.stringify({ action: "subscribe", symbols, channels, resume: Object.fromEntries(this.at) }));
    });
    socket.on("message", (data: Buffer) => this.#take(serverFrame.parse(JSON.parse(read(data.toString("utf8"))))));
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      this.#isFollowing = false;
      this.#attempt += 1;
      if (this.#isLeaving) return;
      this.seen.closes.push(code);
      if (mayReconnect(code)) sleep(reconnectMs * (0.5 + Math.random())).then(() => this.#isLeaving || this.#connect());
    });
  }

  #take(frame: ServerFrame): void {
    if (frame.type === "heartbeat") this.seen.heartbeats += 1;
    else if (frame.type === "subscribed") this.#isFollowing = true;
    else if (frame.type === "gap") {
      this.seen.gaps.push({ name: frame.symbol, from: frame.from_seq, to: frame.to_seq, reason: frame.reason });
      this.#advance(frame.symbol, frame.from_seq, frame.to_seq);
    } else if (frame.type === "tick" || frame.type === "physical") {
      const name = frame.type === "tick" ? frame.symbol : frame.channel;
      this.seen.ticks += 1;
      this.#advance(name, frame.seq, frame.seq);
      this.ticks.set(`${name}:${frame.seq}`, frame);
    }
  }

  #advance(name: string, from: number, to: number): void {
    const last = this.at.get(name);
    if (last !== undefined && from !== last + 1) this.seen.faults.push(`${name}: ${from} after ${last}`);
    this.at.set(name, to);
  }
}

/** Starts many, and waits until all of them follow. */
export const follow = async (count: number, options: FollowOptions): Promise<Follower[]> => {
  const followers = Array.from({ length: count }, () => new Follower(options));
  await untilFollowing(followers);
  return followers;
};

export const untilFollowing = async (followers: readonly Follower[], withinMs = 30_000): Promise<void> => {
  const endMs = performance.now() + withinMs;
  while (followers.some(({ isFollowing }) => !isFollowing)) {
    if (performance.now() > endMs) {
      const missing = followers.filter(({ isFollowing }) => !isFollowing);
      const closes = missing.slice(0, 5).map(({ seen }) => seen.closes.join("/"));
      throw new Error(`${missing.length} of ${followers.length} do not follow within ${withinMs} ms; closed with ${closes}`);
    }
    await sleep(50);
  }
};

/** Waits until each has received a number of a name, or a later one. */
export const untilSeq = async (followers: readonly Follower[], name: string, seq: number, withinMs = 20_000): Promise<void> => {
  const endMs = performance.now() + withinMs;
  const isShort = (follower: Follower): boolean => (follower.at.get(name) ?? -1) < seq;
  while (followers.some(isShort)) {
    if (performance.now() > endMs) {
      const short = followers.filter(isShort);
      throw new Error(`${short.length} have not got ${name} ${seq}; the first is at ${short[0]?.at.get(name)}`);
    }
    await sleep(50);
  }
};

/** A one-line summary of everything some followers received. */
export const summary = (followers: readonly Follower[]) => {
  const sum = (of: (seen: Sightings) => number): number => followers.reduce((total, { seen }) => total + of(seen), 0);
  const closes = new Map<number, number>();
  for (const { seen } of followers) for (const code of seen.closes) closes.set(code, (closes.get(code) ?? 0) + 1);
  return {
    clients: followers.length,
    ticks: sum(({ ticks }) => ticks),
    gaps: sum(({ gaps }) => gaps.length),
    heartbeats: sum(({ heartbeats }) => heartbeats),
    closes: Object.fromEntries(closes),
    faults: followers.flatMap(({ seen }) => seen.faults),
  };
};
