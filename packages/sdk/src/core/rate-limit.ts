/** Parses the rate limits an answer reports. */

/** The longest wait accepted, in milliseconds; when asked to wait longer, the call fails at once. */
export const LONGEST_WAIT_MS = 60_000;

/** One window of a limit. */
export interface RateLimitWindow {
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Seconds until it resets. */
  readonly resetsInSeconds: number;
}

/** The caller's rate limits as of one answer. */
export interface RateLimit {
  /** Requests allowed in the window that is closest to exhausted. */
  readonly limit: number;
  /** Requests left in that window. */
  readonly remaining: number;
  /** When that window resets. */
  readonly resetAt: Date;
  /** Every window the service reported, by name. */
  readonly windows: { readonly minute?: RateLimitWindow; readonly hour?: RateLimitWindow; readonly month?: RateLimitWindow };
}

const WINDOWS = ["minute", "hour", "month"] as const;

/** Parses `"minute";r=41;t=36, "month";r=4120;t=2644200` into its numbers by window. */
const readList = (text: string | null): Map<string, ReadonlyMap<string, number>> => {
  const list = new Map<string, ReadonlyMap<string, number>>();
  for (const item of text?.split(",") ?? []) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const numbers = parameters.map((parameter): [string, number] => {
      const [key = "", value = ""] = parameter.split("=");
      return [key, /^\d+$/.test(value) ? Number(value) : Number.NaN];
    });
    list.set(name.replaceAll('"', ""), new Map(numbers));
  }
  return list;
};

const readCount = (headers: Headers, name: string): number | null => {
  const text = headers.get(name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
};

/**
 * Parses `X-RateLimit-*`, `RateLimit` and `RateLimit-Policy`.
 * @param headers an answer's headers
 * @returns null when the answer reports no limit
 */
export const readRateLimit = (headers: Headers): RateLimit | null => {
  const limit = readCount(headers, "x-ratelimit-limit");
  const remaining = readCount(headers, "x-ratelimit-remaining");
  const resetSeconds = readCount(headers, "x-ratelimit-reset");
  if (limit === null || remaining === null || resetSeconds === null) return null;
  const state = readList(headers.get("ratelimit"));
  const policy = readList(headers.get("ratelimit-policy"));
  const windows: { -readonly [K in keyof RateLimit["windows"]]: RateLimit["windows"][K] } = {};
  for (const name of WINDOWS) {
    const allowed = policy.get(name)?.get("q");
    const left = state.get(name)?.get("r");
    const seconds = state.get(name)?.get("t");
    if (allowed === undefined || left === undefined || seconds === undefined) continue;
    if (Number.isNaN(allowed + left + seconds)) continue;
    windows[name] = { limit: allowed, remaining: left, resetsInSeconds: seconds };
  }
  return { limit, remaining, resetAt: new Date(resetSeconds * 1000), windows };
};
