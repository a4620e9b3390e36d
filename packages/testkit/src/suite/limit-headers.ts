/** The headers that tell a caller of its windows, read and held against the catalog. */
import { expect } from "vitest";
import type { Answer } from "./exchange.ts";

/** A window as `RateLimit-Policy` and `RateLimit` tell of it. */
export interface ToldWindow {
  readonly quota: number;
  readonly lengthSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

const readItems = (header: string | null): Map<string, Record<string, number>> =>
  new Map(
    (header ?? "").split(", ").map((item) => {
      const [name = "", ...parameters] = item.split(";");
      return [
        name.replaceAll('"', ""),
        Object.fromEntries(parameters.map((each) => each.split("=")).map(([k, v]) => [k, Number(v)])),
      ];
    }),
  );

/** Reads every window of an answer. */
export const windowsOf = ({ headers }: Answer): Map<string, ToldWindow> => {
  const states = readItems(headers.get("ratelimit"));
  return new Map(
    [...readItems(headers.get("ratelimit-policy"))].map(([name, policy]) => {
      const state = states.get(name);
      const window = {
        quota: policy.q ?? Number.NaN,
        lengthSeconds: policy.w ?? Number.NaN,
        remaining: state?.r ?? Number.NaN,
        resetSeconds: state?.t ?? Number.NaN,
      };
      return [name, window];
    }),
  );
};

/**
 * Checks that an answer tells of its windows, whole and within bounds.
 * @param names the windows it has to tell of
 * @param nowMs the service's time
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
  expect(told, "X-RateLimit-* tells of one of the windows").toBeDefined();
  const resetAt = Number(answer.headers.get("x-ratelimit-reset"));
  expect(Math.abs(resetAt - nowMs / 1000 - (told?.resetSeconds ?? 0))).toBeLessThanOrEqual(2);
  return windows;
};
