/**
 * Calls that come in one turn of the event loop, or while Redis answers for earlier ones, are counted by one script: what a
 * question costs is shared by as many calls as wait for it. Every call gets the number it would have had on its own.
 */
import { deltaField } from "../memory/counters.ts";
import type { LimitReading, Reservation } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import type { LastCounts } from "./last-seen.ts";
import type { UsageKeys } from "./usage-keys.ts";

/**
 * Groups in one script. Redis does nothing else while a script runs: this many take it a few milliseconds. A full batch is sent
 * without waiting for the one before it, so no more than this wait to be sent.
 */
export const MAX_GROUPS = 500;

/** A window to count a call against, under its name in Redis. */
export interface WindowCall {
  readonly name: string;
  readonly limit: number;
  readonly lengthMs: number;
}

/** What is done with a month: it is read, counted in when its counts are loaded, or counted in regardless. */
export type MonthMode = "read" | "loaded" | "always";

/** A month to count a call in. */
export interface MonthCall {
  readonly orgId: string;
  readonly day: string;
  readonly quota: number;
  readonly mode: MonthMode;
}

/** How a call was counted. */
export interface CountedCall {
  /** A call without a window is always admitted. */
  readonly window: LimitReading;
  /** Null without a month, and while the month's counts are not loaded, unless it was counted in regardless. */
  readonly usage: Reservation | null;
}

/** What a process knows of the counts in Redis. */
export interface KnownCounts {
  last(orgId: string, day: string): LastCounts;
  learn(orgId: string, day: string, counts: LastCounts): void;
}

interface Caller {
  resolve(counted: CountedCall): void;
  reject(error: unknown): void;
}

/** Equal calls, in the order they came. */
interface Group {
  readonly window: WindowCall | null;
  readonly month: MonthCall | null;
  readonly monthName: string;
  readonly callers: Caller[];
}

const NO_WINDOW: LimitReading = { allowed: true, limit: Infinity, remaining: Infinity, resetInMs: 0 };
/** What a group has, as the script reads it. */
const WINDOW = "w";
const MONTHS: Readonly<Record<MonthMode, string>> = { read: "r", loaded: "l", always: "a" };

/** The calls of one process. */
export class CallBatches {
  readonly #redis: Pick<RedisConnection, "send" | "watched">;
  readonly #keys: UsageKeys;
  readonly #known: KnownCounts;
  /** Calls not sent yet. */
  #groups: Group[] = [];
  /** The last group of each window and month by its name. */
  readonly #last = new Map<string, Group>();
  #inFlight = 0;

  constructor(redis: Pick<RedisConnection, "send" | "watched">, keys: UsageKeys, known: KnownCounts) {
    this.#redis = redis;
    this.#keys = keys;
    this.#known = known;
  }

  /**
   * Counts a call in its month if its window admits it.
   * @throws RedisAwayError when Redis does not answer; the call may still have been counted
   */
  count(window: WindowCall | null, month: MonthCall | null): Promise<CountedCall> {
    return this.#redis.watched(() => new Promise((resolve, reject) => this.#add(window, month, { resolve, reject })));
  }

  #add(window: WindowCall | null, month: MonthCall | null, caller: Caller): void {
    const monthName = month ? this.#keys.month(month.orgId, month.day) : "";
    const standing = this.#last.get(window ? window.name : monthName);
    // A call joins its equals unless another group uses one of its names after them: the order of calls on a name is kept.
    if (standing && isSame(standing, window, month, monthName) && (!month || this.#last.get(monthName) === standing)) {
      standing.callers.push(caller);
      return;
    }
    const group = { window, month, monthName, callers: [caller] };
    this.#groups.push(group);
    if (window) this.#last.set(window.name, group);
    if (month) this.#last.set(monthName, group);
    if (this.#groups.length === MAX_GROUPS) this.#send();
    else if (this.#groups.length === 1 && this.#inFlight === 0) setImmediate(() => this.#sendNext());
  }

  #sendNext(): void {
    if (this.#inFlight === 0 && this.#groups.length > 0) this.#send();
  }

  #send(): void {
    const groups = this.#groups;
    this.#groups = [];
    this.#last.clear();
    this.#inFlight += 1;
    const [names, values] = this.#questionOf(groups);
    this.#redis
      .send((client) => client.countCalls(names, values))
      .then((reply) => this.#settle(groups, reply))
      .catch((error: unknown) => {
        for (const { callers } of groups) for (const { reject } of callers) reject(error);
      })
      .finally(() => {
        this.#inFlight -= 1;
        this.#sendNext();
      });
  }

  #questionOf(groups: readonly Group[]): [string[], (string | number)[]] {
    const names = [this.#keys.deltas];
    const values: (string | number)[] = [];
    for (const { window, month, monthName, callers } of groups) {
      values.push(callers.length, (window ? WINDOW : "") + (month ? MONTHS[month.mode] : ""));
      if (window) {
        names.push(window.name);
        values.push(window.lengthMs, window.limit);
      }
      if (month) {
        const { orgId, day, quota } = month;
        const { loading, thisMonth, today } = this.#known.last(orgId, day);
        names.push(monthName);
        values.push(day, deltaField(orgId, day), quota, loading, thisMonth, today);
      }
    }
    return [names, values];
  }

  #settle(groups: readonly Group[], reply: readonly (number | string)[]): void {
    let at = 0;
    const next = (): number => Number(reply[at++]);
    for (const { window, month, callers } of groups) {
      const readWindow = window ? windowReader(window, callers.length, next(), next()) : () => NO_WINDOW;
      let readUsage: (index: number) => Reservation | null = () => null;
      if (month) {
        const [counted, today, thisMonth, loading] = [next(), next(), next(), String(reply[at++])];
        this.#known.learn(month.orgId, month.day, { today: today + counted, thisMonth: thisMonth + counted, loading });
        if (loading !== "" || month.mode === "always") readUsage = usageReader(counted, today, thisMonth);
      }
      callers.forEach(({ resolve }, index) => {
        resolve({ window: readWindow(index), usage: readUsage(index) });
      });
    }
  }
}

const isSame = (group: Group, window: WindowCall | null, month: MonthCall | null, monthName: string): boolean =>
  group.window?.name === window?.name &&
  group.window?.limit === window?.limit &&
  group.monthName === monthName &&
  group.month?.day === month?.day &&
  group.month?.quota === month?.quota &&
  group.month?.mode === month?.mode;

/** Reads a window for each of a group's calls: those it has room for come first. */
const windowReader = ({ limit }: WindowCall, calls: number, used: number, leftMs: number) => {
  const admitted = Math.max(0, Math.min(calls, limit - used));
  return (index: number): LimitReading => {
    const remaining = Math.max(0, limit - used - Math.min(index + 1, admitted));
    return { allowed: index < admitted, limit, remaining, resetInMs: leftMs };
  };
};

/** The same of a month. */
const usageReader =
  (counted: number, today: number, thisMonth: number) =>
  (index: number): Reservation => {
    const own = Math.min(index + 1, counted);
    return { allowed: index < counted, today: today + own, thisMonth: thisMonth + own };
  };
