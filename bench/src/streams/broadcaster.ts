/** What servers of streams have in common in a benchmark: told to publish so often, they say when they did and how long they stalled. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { sharedNowMs } from "../measure/stream-clients-part.ts";

/** How often to publish. */
export interface BroadcastOrder {
  readonly flushes: number;
  readonly perFlush: number;
  /** Between one flush and the next. */
  readonly everyMs: number;
  /** Whether stalls of the loop are looked for, which is work a thousand times a second. */
  readonly watchesStalls?: boolean;
}

/** What was done. */
export interface BroadcastReport {
  /** When each flush began, of the clock all processes share. */
  readonly publishedMs: readonly number[];
  /** The longest time nothing else had a turn; 0 when nobody looked. */
  readonly longestStallMs: number;
}

/** What a server says when it listens. */
export interface StreamServerReady {
  readonly port: number;
  readonly key: string;
}

const WATCH_LEAD_MS = 20;

/** Publishes in time. Told to publish nothing, it takes garbage out, so that memory can be measured. */
export const broadcasting =
  (publish: (perFlush: number) => void | Promise<void>) =>
  async ({ flushes, perFlush, everyMs, watchesStalls = false }: BroadcastOrder): Promise<BroadcastReport> => {
    if (flushes === 0) globalThis.gc?.();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const publishedMs: number[] = [];
    if (watchesStalls) {
      delay.enable();
      // It looks from its second turn on.
      await pause(WATCH_LEAD_MS);
    }
    for (let flush = 0; flush < flushes; flush += 1) {
      publishedMs.push(sharedNowMs());
      await publish(perFlush);
      await pause(everyMs);
    }
    delay.disable();
    return { publishedMs, longestStallMs: delay.max / 1e6 };
  };

let seq = 0;

/** A tick of 120 bytes or so, as the wire has it. */
export const nextTickText = (): string => {
  seq += 1;
  const computedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  return `{"type":"tick","symbol":"XAU-USD-SPOT","price":"4003.20","conf":"0.20","computed_at":"${computedAt}","seq":${100_000 + seq}}`;
};
