/** Fixed windows of one process, counted by rate-limiter-flexible. */
import type { LimiterPort, LimitReading } from "../ports.ts";
import { BoundedWindows, readWindow, settleCount, windowSeconds } from "./windows.ts";

/** Limits of one process. */
export class MemoryLimiter implements LimiterPort {
  readonly #windows: BoundedWindows;

  constructor(maxWindows?: number) {
    this.#windows = new BoundedWindows(maxWindows);
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const options = { customDuration: windowSeconds(windowMs) };
    const windowKey = `${windowMs}:${key}`;
    const window = await this.#windows.consume(windowKey, 1, options);
    return settleCount(this.#windows, windowKey, window, limit, options);
  }

  async peek(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    windowSeconds(windowMs);
    return readWindow(await this.#windows.get(`${windowMs}:${key}`), limit, windowMs);
  }
}
