/** The live price of one symbol: its newest tick, and the state of the stream that brings it. */
import type { ResumePoint, SseSymbol, Subscription, TickEvent } from "@assay/sdk/stream";
import { signal } from "@preact/signals";
import { onReturn } from "./service.ts";
import { openStream } from "./stream.ts";

export interface Tick {
  readonly symbol: string;
  readonly price: string;
  readonly conf: string;
  readonly atMs: number;
  readonly seq: number;
}

/** The stream's state; `refused` is final. */
export type LiveState =
  | { readonly name: "off" }
  | { readonly name: "connecting" }
  | { readonly name: "open" }
  | { readonly name: "lost"; readonly sinceMs: number; readonly reason: string }
  | { readonly name: "refused"; readonly error: Error };

/** The newest tick; null before the first. */
export const tick = signal<Tick | null>(null);
export const liveState = signal<LiveState>({ name: "off" });

const tickOf = ({ symbol, price, conf, computedAt, seq }: TickEvent): Tick => ({
  symbol,
  seq,
  price: price.text,
  conf: conf.text,
  atMs: computedAt.getTime(),
});

/** What is followed; each has its own, so that a late answer to an earlier one changes nothing. */
interface Following {
  readonly apiKey: string | null;
  readonly symbol: string;
  subscription: Subscription | null;
}

let following: Following | null = null;

const read = async (mine: Following, resume: ResumePoint | null): Promise<void> => {
  const { apiKey, symbol } = mine;
  const isMine = (): boolean => following === mine;
  try {
    const options = {
      transport: "sse",
      symbols: [symbol as SseSymbol], // the SDK names the built-in ones
      ...(resume === null ? {} : { resume: { [symbol]: resume } }),
    } as const;
    const { subscription } = await openStream(apiKey, options);
    if (!isMine()) return;
    mine.subscription = subscription;
    for await (const event of subscription) {
      if (!isMine()) return;
      if (event.type === "tick") {
        tick.value = tickOf(event);
        if (liveState.value.name !== "open") liveState.value = { name: "open" };
      }
      if (event.type !== "status") continue;
      if (event.status === "open") liveState.value = { name: "open" };
      if (event.status === "reconnecting") {
        const earlier = liveState.value;
        const sinceMs = earlier.name === "lost" ? earlier.sinceMs : Date.now();
        liveState.value = { name: "lost", sinceMs, reason: event.reason };
      }
    }
  } catch (error) {
    if (isMine()) liveState.value = { name: "refused", error: error instanceof Error ? error : new Error(String(error)) };
  }
};

/** Stops following; the newest tick is forgotten. */
export const unfollow = (): void => {
  const left = following;
  following = null;
  left?.subscription?.close();
  tick.value = null;
  liveState.value = { name: "off" };
};

/**
 * Follows a symbol instead of whatever was followed.
 * @param apiKey the reader's key; null where none is needed
 * @param symbol one that server-sent events carry, by the catalogue
 */
export const follow = (apiKey: string | null, symbol: string): void => {
  unfollow();
  following = { apiKey, symbol, subscription: null };
  liveState.value = { name: "connecting" };
  void read(following, null);
};

// The SDK's own wait may be long by now; the service was just seen.
onReturn(() => {
  if (following === null || liveState.value.name !== "lost") return;
  const { apiKey, symbol, subscription } = following;
  const last = tick.value;
  following = { apiKey, symbol, subscription: null };
  subscription?.close();
  void read(following, last === null ? null : { seq: last.seq, computedAt: new Date(last.atMs) });
});
