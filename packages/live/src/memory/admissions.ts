/** Windows and months within one process. They answer without a promise, which would cost more than the count itself. */
import type { Clock } from "@assay/ports";
import type { Admission, AdmissionsPort, CallMonth, CallWindow, LimitReading, LimitReadings } from "../ports.ts";
import type { MemoryCounters } from "./counters.ts";

/** Why a window cannot have its length; null when all can: whole seconds, as Redis expires its keys. */
export const windowFault = (windows: readonly CallWindow[]): RangeError | null => {
  for (const { windowMs } of windows) {
    const isWhole = windowMs >= 1000 && Number.isInteger(windowMs / 1000);
    if (!isWhole) return new RangeError(`a window of ${windowMs} ms is not whole seconds`);
  }
  return null;
};

/** A window takes about 150 bytes; beyond this many of one length the oldest are evicted. */
export const MAX_WINDOWS = 100_000;

interface Window {
  used: number;
  readonly endsAtMs: number;
}

/** The windows of one length, oldest first. An ended one stays until the next one begins or it is evicted. */
class Windows {
  readonly #lengthMs: number;
  readonly #max: number;
  readonly #byKey = new Map<string, Window>();
  /** Kept across evictions: a fresh iterator would step over every deleted key before the first live one. */
  readonly #oldest = this.#byKey.keys();

  constructor(lengthMs: number, max: number) {
    this.#lengthMs = lengthMs;
    this.#max = max;
  }

  /** The open window of a key. One that ends later than a new one would was begun before the clock was set back. */
  open(key: string, nowMs: number): Window | null {
    const window = this.#byKey.get(key);
    if (!window) return null;
    const leftMs = window.endsAtMs - nowMs;
    return leftMs > 0 && leftMs <= this.#lengthMs ? window : null;
  }

  begin(key: string, nowMs: number): Window {
    const window = { used: 0, endsAtMs: nowMs + this.#lengthMs };
    this.#byKey.delete(key);
    this.#byKey.set(key, window);
    if (this.#byKey.size > this.#max) {
      const oldest = this.#oldest.next();
      if (!oldest.done) this.#byKey.delete(oldest.value);
    }
    return window;
  }
}

export class MemoryLimiter {
  readonly #maxWindows: number;
  readonly #clock: Clock;
  readonly #byLength = new Map<number, Windows>();

  /** @param maxWindows how many windows of each length are kept */
  constructor(maxWindows: number, clock: Clock) {
    this.#maxWindows = maxWindows;
    this.#clock = clock;
  }

  /** Counts a request if all windows have room. */
  count<W extends readonly CallWindow[]>(windows: W): LimitReadings<W> {
    const nowMs = this.#clock();
    const isAdmitted = windows.every((window) => this.#read(window, nowMs).allowed);
    const readings = windows.map((window) => (isAdmitted ? this.#countIn(window, nowMs) : this.#read(window, nowMs)));
    return readings as LimitReadings<W>; // one for each
  }

  read(window: CallWindow): LimitReading {
    return this.#read(window, this.#clock());
  }

  #countIn({ key, limit, windowMs }: CallWindow, nowMs: number): LimitReading {
    const windows = this.#of(windowMs);
    const window = windows.open(key, nowMs) ?? windows.begin(key, nowMs);
    window.used += 1;
    return { allowed: true, limit, remaining: limit - window.used, resetInMs: window.endsAtMs - nowMs };
  }

  #read({ key, limit, windowMs }: CallWindow, nowMs: number): LimitReading {
    return readingOf(this.#of(windowMs).open(key, nowMs), limit, windowMs, nowMs);
  }

  #of(windowMs: number): Windows {
    let windows = this.#byLength.get(windowMs);
    if (!windows) {
      windows = new Windows(windowMs, this.#maxWindows);
      this.#byLength.set(windowMs, windows);
    }
    return windows;
  }
}

/** Reads a window without counting. */
const readingOf = (window: Window | null, limit: number, windowMs: number, nowMs: number): LimitReading => {
  const remaining = Math.max(0, limit - (window?.used ?? 0));
  return { allowed: remaining > 0, limit, remaining, resetInMs: window ? window.endsAtMs - nowMs : windowMs };
};

type Months = Pick<MemoryCounters, "reserveLoaded" | "readLoaded">;

/** Counts in the windows and the months of the process. */
export class MemoryAdmissions implements AdmissionsPort {
  readonly #limiter: MemoryLimiter;
  readonly #counters: Months;

  constructor(limiter: MemoryLimiter, counters: Months) {
    this.#limiter = limiter;
    this.#counters = counters;
  }

  admit<const W extends readonly CallWindow[]>(windows: W, month: CallMonth | null): Promise<Admission<W>> | Admission<W> {
    const fault = windowFault(windows);
    if (fault) return Promise.reject(fault);
    const readings = this.#limiter.count(windows);
    if (!month) return { windows: readings, usage: null };
    const { orgId, day, quota, isMetered } = month;
    const counters = this.#counters;
    const isCounted = isMetered && readings.every(({ allowed }) => allowed);
    const usage = isCounted ? counters.reserveLoaded(orgId, day, quota) : counters.readLoaded(orgId, day);
    return { windows: readings, usage };
  }

  peek(window: CallWindow): Promise<LimitReading> | LimitReading {
    const fault = windowFault([window]);
    return fault ? Promise.reject(fault) : this.#limiter.read(window);
  }
}
