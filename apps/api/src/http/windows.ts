/** The windows of rate limits at doors that answer in a form of their own: what they report, and counting what reaches no route. */
import type { Refused } from "@assay/contract";
import type { Clock } from "@assay/ports";
import { type Allowance, attempt, type Limits, limitHeaders, type Outcome } from "@assay/services";

const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "Retry-After",
  "X-Should-Retry",
] as const;

/** The headers of a route's answer that report its windows. */
export const windowsOf = ({ headers }: Outcome): Record<string, string> => {
  const windows: Record<string, string> = {};
  for (const name of LIMIT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) windows[name] = value;
  }
  return windows;
};

export interface LightCount {
  /** Null within the limit. */
  readonly refusal: Refused | null;
  readonly windows: Record<string, string>;
}

/** Counts light requests of an address, until one is refused. */
export type CountLight = (ip: string, times: number) => LightCount | Promise<LightCount>;

/** Creates the counter of requests that no route counts. */
export const lightCounter = (limits: Limits, clock: Clock): CountLight => {
  const counted = (refusal: Refused | null, allowance: Allowance | undefined): LightCount => ({
    refusal,
    windows: allowance ? limitHeaders(allowance, clock()) : {},
  });
  return (ip, times) =>
    attempt<LightCount>(
      async (_, failCounted) => {
        let allowance: Allowance | undefined;
        for (let time = 0; time < times; time += 1) allowance = await limits.light(ip, clock(), failCounted);
        return counted(null, allowance);
      },
      (refusal) => counted(refusal, refusal.allowance),
    );
};
