/** The common part of stream servers in a benchmark: publishes on demand, and reports when it did and how long it stalled. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { sharedNowMs } from "../measure/stream-clients-part.ts";

/** What to publish. */
export interface BroadcastOrder {
  readonly flushes: number;
  readonly perFlush: number;
  /** The interval between flushes. */
  readonly everyMs: number;
  /** Whether event-loop stalls are measured, which costs work a thousand times a second. */
  readonly watchesStalls?: boolean;
}

/** The result. */
export interface BroadcastReport {
  /** When each flush began, on the clock all processes share. */
  readonly publishedMs: readonly number[];
  /** The longest event-loop stall; 0 when not measured. */
  readonly longestStallMs: number;
}

/** What a server reports once it listens. */
export interface StreamServerReady {
  readonly port: number;
  readonly key: string;
}

const WATCH_LEAD_MS = 20;

/** Publishes on schedule. Asked to publish nothing, it collects garbage, so that memory can be measured. */
export const broadcasting =
  (publish: (perFlush: number) => void | Promise<void>) =>
  async ({ flushes, perFlush, everyMs, watchesStalls = false }: BroadcastOrder): Promise<BroadcastReport> => {
    if (flushes === 0) globalThis.gc?.();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const publishedMs: number[] = [];
    if (watchesStalls) {
      delay.enable();
      // Measured from the second turn on.
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

/** A wire tick of about 120 bytes. */
export const nextTickText = (): string => {
  seq += 1;
  const computedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  return `{"type":"tick","symbol":"XAU-USD-SPOT","price":"4003.20","conf":"0.20","computed_at":"${computedAt}","seq":${100_000 + seq}}`;
};
