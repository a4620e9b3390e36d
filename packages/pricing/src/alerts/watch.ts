/**
 * The state machine of one alert. One that repeats fires once a minute at most.
 *
 * | state | what happens | then |
 * |---|---|---|
 * | `armed` | the price crosses the threshold, or has moved by it | fires: `fired` with `once`; otherwise `waiting`, or for `moved` `armed` |
 * | `waiting` | the price is back: not beyond the threshold, and once it has fired, 0.1 % away from it | `armed` |
 * | `armed` | the symbol goes stale, other than with its market | `price.stale`: `stale` |
 * | `stale` | the symbol is fresh | `price.fresh`: `fired` with `once`, otherwise `armed` |
 * | `waiting` of kind `stale` | the symbol is fresh | `armed`: it was stale when the alert was made |
 * | any | the prices of a run are withdrawn | as it was before that run |
 *
 * It is a fold over ticks: from the same standing, the same ticks give the same events, whoever folds them.
 */
import { type AlertState, type DecimalText, MINUTE_MS, SECOND_MS } from "@assay/contract";
import type { Staleness } from "../spot/standing-price.ts";
import type { Alert, AlertEvent, AlertedReason, AlertRule, AlertStanding, WithdrawnSeqs } from "./alert.ts";
import { FIGURE_SCALE, figureOf, MovedWindow, type StoredWindow, shareOf } from "./figures.ts";

/** A price must come back this far before a threshold that fired is armed again, in parts of a thousand. */
const BACK = 1n;
const MILLE = 1_000n;
/** A hundred percent, in units of a percentage's figure. */
const WHOLE = 10n ** BigInt(FIGURE_SCALE + 2);

/** An alert that repeats fires again after this long at the earliest, at the first price then that it would fire at. */
const REPEATS_AFTER_MS = MINUTE_MS;

/** The figures that a price is compared with. */
interface Bounds {
  /** Above or below it the alert fires. */
  readonly fires: bigint;
  /** Once it has fired, the price is back at or beyond it. */
  readonly rearms: bigint;
}

const boundsOf = ({ kind, threshold }: Pick<AlertRule, "kind" | "threshold">): Bounds | null => {
  if (threshold === null || kind === "moved" || kind === "stale") return null;
  const rounded = kind === "above" ? "down" : "up";
  const back = kind === "above" ? MILLE - BACK : MILLE + BACK;
  return { fires: shareOf(threshold, 1n, 1n, rounded), rearms: shareOf(threshold, back, MILLE, rounded) };
};

export const isBeyond = (rule: Pick<AlertRule, "kind" | "threshold">, price: DecimalText): boolean => {
  const bounds = boundsOf(rule);
  if (!bounds) return false;
  return rule.kind === "above" ? figureOf(price) > bounds.fires : figureOf(price) < bounds.fires;
};

/** How it stood before a run of ticks that may still be withdrawn. */
export interface Before {
  /** The run's first tick. */
  readonly fromSeq: number;
  readonly state: AlertState;
  readonly hasFired: boolean;
  readonly firedMs?: number;
  readonly window?: StoredWindow;
}

export interface Memory {
  readonly window?: StoredWindow;
  /** Of one that repeats: when it last fired. */
  readonly firedMs?: number;
  readonly before?: Before;
}

/**
 * What an alert on a threshold remembers when it is made on a price that may still be withdrawn: without that price it would wait.
 * @param runSeq the first tick of the price's run; null when the price cannot be withdrawn
 */
export const firstMemory = (runSeq: number | null): string | null => {
  if (runSeq === null) return null;
  const memory: Memory = { before: { fromSeq: runSeq, state: "waiting", hasFired: false } };
  return JSON.stringify(memory);
};

/** A published price that is fresh, confirmed and not withdrawn. */
export interface JudgedPrice {
  readonly seq: number;
  /** See `figureOf`. */
  readonly figure: bigint;
  readonly atMs: number;
  /** The first tick of the run that it belongs to and that may still be withdrawn; null when it cannot be. */
  readonly runSeq: number | null;
}

/** That a symbol went stale, or is fresh again. */
type Aged = { readonly type: Extract<AlertEvent["type"], "price.stale" | "price.fresh">; readonly reason?: AlertedReason };

/** That it fires; of `moved`, from which figure the price has moved. */
interface Firing {
  readonly reference: bigint | null;
}

const FIRING: Firing = { reference: null };

/** An alert that is being judged. */
export class Watch {
  readonly rule: AlertRule;
  readonly #bounds: Bounds | null;
  readonly #window: MovedWindow | null;
  /** Of `moved`: the percentage. */
  readonly #percentage: bigint;
  #state: AlertState;
  #hasFired: boolean;
  #seenSeq: number;
  #firedMs: number | undefined;
  #before: Before | null;
  #isDirty = false;
  /** The extremes of the window, and where the price has moved by the percentage from them. */
  #low: bigint | undefined;
  #high: bigint | undefined;
  #upTo: bigint | null = null;
  #downTo: bigint | null = null;

  constructor({ state, hasFired, seenSeq, memory, ...rule }: Alert) {
    this.rule = rule;
    this.#state = state;
    this.#hasFired = hasFired;
    this.#bounds = boundsOf(rule);
    this.#window = rule.kind === "moved" ? new MovedWindow((rule.windowSeconds ?? 0) * SECOND_MS) : null;
    this.#percentage = this.#window && rule.threshold !== null ? shareOf(rule.threshold, 1n, 1n, "up") : 0n;
    const { window, before, firedMs }: Memory = memory === null ? {} : JSON.parse(memory); // written by `standing`
    if (window) this.#window?.restore(window);
    this.#before = before ?? null;
    this.#firedMs = firedMs;
    // A window begins with the price that its owner saw.
    this.#seenSeq = this.#window && memory === null ? seenSeq - 1 : seenSeq;
  }

  get standing(): AlertStanding {
    const memory: Memory = {
      ...(this.#window && { window: this.#window.stored }),
      ...(this.#firedMs !== undefined && { firedMs: this.#firedMs }),
      ...(this.#before && { before: this.#before }),
    };
    const isEmpty = !this.#window && !this.#before && this.#firedMs === undefined;
    return {
      state: this.#state,
      hasFired: this.#hasFired,
      seenSeq: this.#seenSeq,
      memory: isEmpty ? null : JSON.stringify(memory),
    };
  }

  /** The tick it continues after. */
  get seenSeq(): number {
    return this.#seenSeq;
  }

  /** Whether its window has changed since `standing` was last stored. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** Notes that its standing is about to be stored. */
  clean(): void {
    this.#isDirty = false;
  }

  /**
   * Judges a price.
   * @returns whether it fires, or only its state changes
   */
  price(price: JudgedPrice): Firing | "changes" | null {
    if (price.seq <= this.#seenSeq || this.#state === "fired") return null;
    if (price.runSeq !== null && this.#before?.fromSeq !== price.runSeq) this.#before = this.#snapshot(price.runSeq);
    if (this.#bounds) return this.#cross(price, this.#bounds);
    return this.#window ? this.#move(price, this.#window) : null;
  }

  #snapshot(fromSeq: number): Before {
    return {
      fromSeq,
      state: this.#state,
      hasFired: this.#hasFired,
      ...(this.#firedMs !== undefined && { firedMs: this.#firedMs }),
      ...(this.#window && { window: this.#window.stored }),
    };
  }

  #mayFire(atMs: number): boolean {
    return this.#firedMs === undefined || atMs - this.#firedMs >= REPEATS_AFTER_MS;
  }

  #cross({ seq, figure, atMs }: JudgedPrice, { fires, rearms }: Bounds): Firing | "changes" | null {
    const isAbove = this.rule.kind === "above";
    if (this.#state === "armed")
      return (isAbove ? figure > fires : figure < fires) && this.#mayFire(atMs) ? this.#fire(seq, atMs) : null;
    const back = this.#hasFired ? rearms : fires;
    if (isAbove ? figure > back : figure < back) return null;
    this.#state = "armed";
    this.#seenSeq = seq;
    return "changes";
  }

  #move({ seq, figure, atMs }: JudgedPrice, window: MovedWindow): Firing | "changes" | null {
    window.slide(atMs);
    const { low, high } = window;
    // Seldom others than those of the tick before.
    if (low !== this.#low) {
      this.#low = low;
      this.#upTo = low === undefined ? null : (low * (WHOLE + this.#percentage) + WHOLE - 1n) / WHOLE;
    }
    if (high !== this.#high) {
      this.#high = high;
      this.#downTo = high === undefined ? null : (high * (WHOLE - this.#percentage)) / WHOLE;
    }
    const { direction } = this.rule;
    const isUp = direction !== "down" && this.#upTo !== null && figure >= this.#upTo;
    const isDown = direction !== "up" && this.#downTo !== null && figure <= this.#downTo;
    const hasMoved = (isUp || isDown) && this.#mayFire(atMs);
    const reference = (isUp ? low : high) ?? null;
    // After it fired, the window begins with this price.
    if (hasMoved) window.clear();
    window.add(figure, atMs);
    this.#isDirty = true;
    this.#seenSeq = seq;
    if (hasMoved) return { ...this.#fire(seq, atMs), reference };
    const wasArmed = this.#state === "armed";
    this.#state = "armed";
    return wasArmed ? null : "changes";
  }

  #fire(seq: number, atMs: number): Firing {
    if (!this.rule.once) this.#firedMs = atMs;
    this.#state = this.rule.once ? "fired" : this.#window ? "armed" : "waiting";
    this.#hasFired = true;
    this.#seenSeq = seq;
    return FIRING;
  }

  /**
   * Judges whether the symbol is stale.
   * @param seq the tick that is shown then
   * @returns the event, or that only its state changes
   */
  age(stale: Staleness, seq: number, atMs: number): Aged | "changes" | null {
    if (!stale.isStale) {
      if (this.#state === "armed" || this.#state === "fired") return null;
      const wasTold = this.#state === "stale";
      // With `once` it ends with the event that ends it.
      this.#state = wasTold && this.rule.once ? "fired" : "armed";
      this.#seenSeq = seq;
      return wasTold ? { type: "price.fresh" } : "changes";
    }
    const { reason } = stale;
    if (this.#state !== "armed" || reason === "market_closed" || !this.#mayFire(atMs)) return null;
    if (!this.rule.once) this.#firedMs = atMs;
    this.#state = "stale";
    this.#hasFired = true;
    this.#seenSeq = seq;
    return { type: "price.stale", reason };
  }

  /**
   * Takes back what was judged on withdrawn ticks.
   * @returns whether anything was
   */
  withdraw({ fromSeq, toSeq }: WithdrawnSeqs): boolean {
    const before = this.#before;
    if (before?.fromSeq !== fromSeq) return false;
    this.#before = null;
    this.#state = before.state;
    this.#hasFired = before.hasFired;
    this.#firedMs = before.firedMs;
    if (before.window) this.#window?.restore(before.window);
    this.#seenSeq = Math.max(this.#seenSeq, toSeq);
    return true;
  }
}
