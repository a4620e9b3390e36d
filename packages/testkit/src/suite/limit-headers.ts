/** Checks the headers that report a caller's windows. */
import { expect } from "vitest";
import { type ToldWindow, windowsOf } from "../wire/told-windows.ts";
import type { Answer } from "./exchange.ts";

/**
 * Checks that an answer reports its windows completely and within bounds.
 * @param names the windows it must report
 * @param nowMs the service's clock, epoch milliseconds
 */
export const expectLimitHeaders = (answer: Answer, names: readonly string[], nowMs: number): Map<string, ToldWindow> => {
  const windows = windowsOf(answer);
  expect([...windows.keys()]).toEqual(names);
  for (const { quota, lengthSeconds, remaining, resetSeconds } of windows.values()) {
    expect(quota).toBeGreaterThan(0);
    expect(lengthSeconds).toBeGreaterThan(0);
    expect(remaining).toBeGreaterThanOrEqual(0);
    expect(remaining).toBeLessThanOrEqual(quota);
    expect(resetSeconds).toBeGreaterThanOrEqual(0);
    expect(resetSeconds).toBeLessThanOrEqual(lengthSeconds);
  }
  const limit = Number(answer.headers.get("x-ratelimit-limit"));
  const remaining = Number(answer.headers.get("x-ratelimit-remaining"));
  const told = [...windows.values()].find((window) => window.quota === limit && window.remaining === remaining);
  expect(told, "X-RateLimit-* describes one of the windows").toBeDefined();
  const resetAt = Number(answer.headers.get("x-ratelimit-reset"));
  expect(Math.abs(resetAt - nowMs / 1000 - (told?.resetSeconds ?? 0))).toBeLessThanOrEqual(2);
  return windows;
};
