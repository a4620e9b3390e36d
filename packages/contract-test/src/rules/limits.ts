/** Rate limit headers: which windows are reported, that they are consistent, and how long a refused caller must wait. */
import type { TierCatalog } from "@assay/contract";
import type { Caller } from "../wire/caller.ts";
import { codeOf, fieldsOf, type LimitWindow, windowsOf } from "../wire/exchange.ts";
import { isOwnMethod, type Rule, type Subject } from "./rule.ts";

/** Refusals made before any limit is checked. */
const UNCOUNTED = new Set(["disabled", "auth_unavailable", "payload_too_large"]);
/** Tolerance: both sides count whole seconds, and the clocks are compared over a network. */
const RESET_TOLERANCE_SECONDS = 3;

const LENGTHS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  minute: [60, 60],
  hour: [3_600, 3_600],
  month: [28 * 86_400, 31 * 86_400],
};

const windowNames = ({ route, exchange }: Subject): string[] => {
  const { limit, auth } = route.access;
  if (limit === "none") return [];
  if (limit === "light") return ["minute"];
  const { kind } = exchange.sent.caller;
  if (kind === "bad key" && auth !== "none") return ["minute"];
  return kind === "key" ? ["minute", "month"] : ["minute", "hour"];
};

const quotaOf = (catalog: TierCatalog, caller: Caller, name: string): number | undefined => {
  if (caller.kind !== "key") return undefined;
  const { rate_limit_per_minute: minute, monthly_quota: month } = catalog.tiers[caller.tier];
  return name === "minute" ? minute : month;
};

const windowFaults = (name: string, { quota, lengthSeconds, remaining, resetSeconds }: LimitWindow): string[] => {
  const [least, most] = LENGTHS[name] ?? [0, 0];
  const faults: string[] = [];
  if (!(quota > 0)) faults.push(`the ${name} has no quota`);
  if (!(lengthSeconds >= least && lengthSeconds <= most)) faults.push(`the ${name} lasts ${lengthSeconds} seconds`);
  if (!(remaining >= 0 && remaining <= quota)) faults.push(`the ${name} has ${remaining} of ${quota} remaining`);
  if (!(resetSeconds >= 0 && resetSeconds <= lengthSeconds)) faults.push(`the ${name} resets in ${resetSeconds} seconds`);
  return faults;
};

const aliasFaults = (windows: readonly LimitWindow[], { exchange: { headers }, askedAtMs, readAtMs }: Subject): string[] => {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((part) =>
    Number(headers.get(`x-ratelimit-${part}`) ?? "x"),
  );
  const match = windows.find((window) => window.quota === limit && window.remaining === remaining);
  if (!match) return ["X-RateLimit-Limit and -Remaining match no window"];
  // The answer was produced somewhere between sending and reading.
  const madeAt = (reset ?? Number.NaN) - match.resetSeconds;
  const isClose = madeAt >= askedAtMs / 1_000 - RESET_TOLERANCE_SECONDS && madeAt <= readAtMs / 1_000 + RESET_TOLERANCE_SECONDS;
  return isClose ? [] : ["X-RateLimit-Reset is not the time at which the window resets"];
};

/** The windows reported to a caller. */
export const limits: Rule = {
  title: "limit headers",
  says: "RateLimit-Policy, RateLimit and X-RateLimit-* describe the caller's windows and agree with each other and the tier catalog",
  judge: (subject) => {
    const { route, exchange, catalog } = subject;
    if (!isOwnMethod(subject) || exchange.status === 500 || UNCOUNTED.has(codeOf(exchange) ?? "")) return null;
    const names = windowNames(subject);
    const windows = windowsOf(exchange);
    if ([...windows.keys()].join() !== names.join()) {
      return [
        `the headers describe ${[...windows.keys()].join(" and ") || "no window"} instead of ${names.join(" and ") || "none"}`,
      ];
    }
    if (names.length === 0) return exchange.headers.has("x-ratelimit-limit") ? ["reports a limit where there is none"] : [];
    const faults = [...windows].flatMap(([name, window]) => windowFaults(name, window));
    if (route.access.limit === "standard") {
      for (const [name, { quota }] of windows) {
        const wanted = quotaOf(catalog, exchange.sent.caller, name);
        if (wanted !== undefined && wanted !== quota) faults.push(`the ${name} allows ${quota}, the tier catalog ${wanted}`);
      }
    }
    return [...faults, ...aliasFaults([...windows.values()], subject)];
  },
};

export const retryAfter: Rule = {
  title: "Retry-After",
  says: "429 and 503 have Retry-After in seconds, no other response does; quota_exceeded adds X-Should-Retry: false",
  judge: ({ exchange }) => {
    const { status, headers, json } = exchange;
    const wait = headers.get("retry-after");
    if (status !== 429 && status !== 503) return wait === null ? [] : [`Retry-After on a ${status}`];
    if (wait === null || !/^[1-9][0-9]*$/.test(wait)) return [`a ${status} without Retry-After in seconds`];
    const { retry_after_seconds: seconds } = fieldsOf(json);
    const faults = seconds !== undefined && String(seconds) !== wait ? ["Retry-After differs from retry_after_seconds"] : [];
    const isFinal = headers.get("x-should-retry") === "false";
    if (isFinal !== (codeOf(exchange) === "quota_exceeded"))
      faults.push("X-Should-Retry: false must be sent with quota_exceeded, and only with it");
    return faults;
  },
};
