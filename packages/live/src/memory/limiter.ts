/** Fixed-window rate limits within one process, counted by rate-limiter-flexible. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { LimiterPort, LimitReading } from "../ports.ts";
import { readWindow, windowSeconds } from "../window.ts";

/** The library counts; the limit is compared here, so that one window serves every limit. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** A window takes about half a kilobyte and a timer; beyond this many the oldest are evicted. */
const MAX_WINDOWS = 100_000;

/** A count is not refunded this close to the window's end, because the refund could hit the next window. */
const SETTLED_MS = 50;

/** Limits of one process. */
export class MemoryLimiter implements LimiterPort {
  readonly #windows = new RateLimiterMemory({ points: UNLIMITED, duration: 60, keyPrefix: "" });
  readonly #maxWindows: number;
  readonly #keys = new Set<string>();
  /** Kept across evictions: a fresh iterator would step over every deleted key before the first live one. */
  readonly #oldest = this.#keys.values();

  constructor(maxWindows: number = MAX_WINDOWS) {
    this.#maxWindows = maxWindows;
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const options = { customDuration: windowSeconds(windowMs) };
    const windowKey = `${windowMs}:${key}`;
    const { consumedPoints, msBeforeNext, isFirstInDuration } = await this.#windows.consume(windowKey, 1, options);
    if (isFirstInDuration) this.#remember(windowKey);
    const allowed = consumedPoints <= limit;
    if (!allowed && msBeforeNext > SETTLED_MS) void this.#windows.reward(windowKey, 1, options);
    return { allowed, limit, remaining: Math.max(0, limit - consumedPoints), resetInMs: msBeforeNext };
  }

  async peek(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    windowSeconds(windowMs);
    return readWindow(await this.#windows.get(`${windowMs}:${key}`), limit, windowMs);
  }

  #remember(windowKey: string): void {
    this.#keys.delete(windowKey);
    this.#keys.add(windowKey);
    if (this.#keys.size <= this.#maxWindows) return;
    const oldest = this.#oldest.next();
    if (oldest.done) return;
    this.#keys.delete(oldest.value);
    void this.#windows.delete(oldest.value);
  }
}
