/** The ticks of the last minutes, by instrument: what delayed callers are about to see, and what new alerts are judged on. */

import { DELAY_MS, MINUTE_MS } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";
import { partitionPoint } from "../number/partition-point.ts";
import type { Tick } from "../spot/compose.ts";

export type JudgedTick = Pick<Tick, "instrument" | "seq" | "price" | "basis" | "computedAtMs" | "freshUntilMs" | "rateSet">;

/** How long ticks are kept: the delay, and a minute in which a change of an alert is noticed. */
export const KEEP_TICKS_MS = DELAY_MS + MINUTE_MS;

const NONE: readonly JudgedTick[] = [];

export class TickMemory {
  readonly #ticks = new Map<Instrument, JudgedTick[]>();

  /** Adds ticks; numbers that are known already are ignored. */
  add(ticks: readonly JudgedTick[]): void {
    for (const { instrument, seq, price, basis, computedAtMs, freshUntilMs, rateSet } of ticks) {
      const held = this.#ticks.get(instrument) ?? [];
      if (held.length === 0) this.#ticks.set(instrument, held);
      if (seq > (held.at(-1)?.seq ?? 0))
        held.push({ instrument, seq, price, basis, computedAtMs, freshUntilMs, ...(rateSet !== undefined && { rateSet }) });
    }
  }

  /** Drops what is too old, except the newest before that: it may be the price that is shown. */
  prune(nowMs: number): void {
    for (const held of this.#ticks.values()) {
      const kept = held.findIndex(({ computedAtMs }) => computedAtMs > nowMs - KEEP_TICKS_MS);
      const dropped = (kept < 0 ? held.length : kept) - 1;
      if (dropped > 0) held.splice(0, dropped);
    }
  }

  /** The ticks of an instrument, oldest first. */
  of(instrument: Instrument): readonly JudgedTick[] {
    return this.#ticks.get(instrument) ?? NONE;
  }

  /** The index of its first tick with a higher number; its length when there is none. */
  indexAfter(instrument: Instrument, seq: number): number {
    return partitionPoint(this.of(instrument), (tick) => tick.seq <= seq);
  }

  /** Its newest tick that is not after an instant and satisfies a condition; undefined when there is none. */
  newest(instrument: Instrument, atMs: number, isShown: (seq: number) => boolean = () => true): JudgedTick | undefined {
    return this.of(instrument).findLast(({ computedAtMs, seq }) => computedAtMs <= atMs && isShown(seq));
  }
}
