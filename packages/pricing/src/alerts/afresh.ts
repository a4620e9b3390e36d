/** An alert as if its owner had made it now: after a pause, and when its owner sees prices later than before. */
import type { FxRate } from "../fx/cross.ts";
import { presentCrossed } from "../number/present.ts";
import type { Staleness } from "../spot/standing-price.ts";
import type { Alert } from "./alert.ts";
import type { JudgedTick } from "./tick-memory.ts";
import { firstMemory, isBeyond } from "./watch.ts";

interface Seen {
  /** The newest tick's number, shown or not. */
  readonly seq: number;
  /** The tick that is shown; null when there is none. */
  readonly tick: JudgedTick | null;
  readonly rate: FxRate | null;
  /** The first tick that may still be withdrawn; Infinity when none may. */
  readonly runSeq: number;
  readonly stale: Staleness;
}

/** What a paused alert remembers, so that whoever judges it next begins again. */
export const PAUSED_MEMORY = JSON.stringify({ isPaused: true });

/** Begins again on what is seen; an alert that has ended stays so. */
export const afresh = (alert: Alert, { seq, tick, rate, runSeq, stale }: Seen): Alert => {
  if (alert.state === "fired") return alert;
  const made = { ...alert, hasFired: false, seenSeq: seq, memory: null };
  if (alert.kind === "moved") return { ...made, state: "armed" };
  if (alert.kind === "stale") {
    // One that has reported it still reports the end, and then has ended.
    if (alert.state === "stale" && alert.once) return { ...made, state: "stale" };
    if (!stale.isStale || stale.reason === "market_closed") return { ...made, state: "armed" };
    return { ...made, state: alert.state === "stale" ? "stale" : "waiting" };
  }
  if (!tick || !rate) return { ...made, state: "waiting" };
  const memory = firstMemory(tick.seq >= runSeq ? runSeq : null);
  return { ...made, memory, state: isBeyond(alert, presentCrossed(tick.price, rate)) ? "waiting" : "armed" };
};
