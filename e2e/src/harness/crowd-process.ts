/**
 * A child process with a part of a crowd, controlled over the process channel: it takes its settings, answers each later message
 * with a report, and ends when the channel closes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type CrowdClient, CrowdFeed, CrowdSocket } from "./crowd-client.ts";

/** The first message. */
export interface CrowdPart {
  readonly url: string;
  /** The one symbol all of them follow. */
  readonly symbol: string;
  /** Each of several clients. */
  readonly keys: readonly string[];
  readonly socketsPerKey: number;
  readonly feedsPerKey: number;
}

/** What the clients of a part have seen so far. */
export interface CrowdReport {
  readonly following: number;
  /** The number every client has reached. */
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
