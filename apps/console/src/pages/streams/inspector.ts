/** The stream under inspection: its frames, newest first, and what they add up to. */
import type { StreamEvent, Subscription } from "@assay/sdk/stream";
import { batch, signal } from "@preact/signals";
import { key } from "../../data/key.ts";
import { type OpenStream, openStream } from "../../data/stream.ts";
import { type Frame, frameOf, type Totals, type Transport, withEvent, ZERO } from "./frames.ts";

/** Frames kept; the oldest are dropped. */
const KEPT = 200;

/** The newest frames first. */
export const frames = signal<readonly Frame[]>([]);
/** What was counted since the stream was opened. */
export const totals = signal<Totals>(ZERO);
/** The names followed now. */
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
    frames.value = [frameOf(event, count, Date.now()), ...frames.value].slice(0, KEPT);
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
  const apiKey = key.value;
  if (apiKey === null || names.length === 0) return;
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
    const mine = await openStream(apiKey, options as Parameters<typeof openStream>[1]); // as above
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
