/** The stream under inspection: its events as rows of a log, newest first, and what they add up to. */
import type { StreamEvent, Subscription } from "@assay/sdk/stream";
import { batch, signal } from "@preact/signals";
import { key } from "../../data/key.ts";
import { type OpenStream, openStream } from "../../data/stream.ts";

export type Transport = "sse" | "websocket";

/** An event as a row of the log; its number increases by one with each. */
export interface Frame {
  readonly id: number;
  readonly atMs: number;
  readonly event: StreamEvent;
}

interface Totals {
  readonly ticks: number;
  readonly gaps: number;
  readonly heartbeats: number;
  readonly reconnects: number;
  /** The newest number of each name. */
  readonly seqs: Readonly<Record<string, number>>;
}

/** Before the first event. */
const ZERO: Totals = { ticks: 0, gaps: 0, heartbeats: 0, reconnects: 0, seqs: {} };

const withEvent = (totals: Totals, event: StreamEvent): Totals => {
  if (event.type === "tick") return { ...totals, ticks: totals.ticks + 1, seqs: { ...totals.seqs, [event.symbol]: event.seq } };
  if (event.type === "physical")
    return { ...totals, ticks: totals.ticks + 1, seqs: { ...totals.seqs, [event.channel]: event.seq } };
  if (event.type === "gap") return { ...totals, gaps: totals.gaps + 1 };
  if (event.type === "heartbeat") return { ...totals, heartbeats: totals.heartbeats + 1 };
  return event.status === "reconnecting" ? { ...totals, reconnects: totals.reconnects + 1 } : totals;
};

/** Frames kept; the oldest are dropped. */
const KEPT = 200;

/** The newest frames first. */
export const frames = signal<readonly Frame[]>([]);
/** What was counted since the stream was opened. */
export const totals = signal<Totals>(ZERO);
export const followed = signal<readonly string[]>([]);
/** Why the stream ended; null while it has not. */
export const fault = signal<Error | null>(null);
/** Whether a stream is open, or trying to be. */
export const isOpen = signal(false);

let current: OpenStream | null = null;
let count = 0;

const take = (event: StreamEvent, { names }: Subscription): void =>
  batch(() => {
    count += 1;
    frames.value = [{ id: count, atMs: Date.now(), event }, ...frames.value].slice(0, KEPT);
    totals.value = withEvent(totals.value, event);
    followed.value = names;
  });

const read = async (mine: OpenStream): Promise<void> => {
  try {
    for await (const event of mine.subscription) {
      if (current !== mine) return;
      take(event, mine.subscription);
    }
  } catch (error) {
    if (current === mine) fault.value = error instanceof Error ? error : new Error(String(error));
  }
  if (current === mine) close();
};

/** Closes the stream; its frames stay to be read. */
export const close = (): void => {
  const closing = current;
  current = null;
  closing?.subscription.close();
  batch(() => {
    isOpen.value = false;
    followed.value = [];
  });
};

/** Follows more names, over the stream that is open or a new one. */
export const subscribe = async (transport: Transport, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  if (current !== null) {
    current.subscription.add(names as Subscription["names"]); // offered by the page, from the contract's lists
    return;
  }
  batch(() => {
    frames.value = [];
    totals.value = ZERO;
    fault.value = null;
    isOpen.value = true;
  });
  const symbols = names.filter((name) => !name.startsWith("physical:"));
  const channels = names.filter((name) => name.startsWith("physical:"));
  const options = transport === "sse" ? { transport, symbols } : { transport, symbols, channels };
  try {
    const mine = await openStream(key.value, options as Parameters<typeof openStream>[1]); // as above
    if (!isOpen.value) return;
    current = mine;
    void read(mine);
  } catch (error) {
    batch(() => {
      fault.value = error instanceof Error ? error : new Error(String(error));
      isOpen.value = false;
    });
  }
};

/** Stops following names; the stream stays open as long as one is left. */
export const unsubscribe = (names: readonly string[]): void => {
  if (current === null) return;
  current.subscription.remove(names as Subscription["names"]); // as above
  followed.value = current.subscription.names;
  if (followed.value.length === 0) close();
};

/** Breaks the connection as a network would. */
export const cut = (): void => current?.cut();
