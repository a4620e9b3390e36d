/**
 * Calls that come in one turn of the event loop, or while Redis answers for earlier ones, are counted by one script: what a
 * question costs is shared by as many calls as wait for it. Every call gets the number it would have had on its own.
 */
import { deltaField } from "../memory/counters.ts";
import type { Admission, CallMonth, CallWindow, LimitReading, Reservation } from "../ports.ts";
import type { CountKeys, LocalCounts } from "./local-counts.ts";
import type { RedisConnection } from "./redis-connection.ts";

/**
 * Groups in one script. Redis does nothing else while a script runs: this many take it a few milliseconds. A full batch is sent
 * without waiting for the one before it, so no more than this wait to be sent.
 */
export const MAX_GROUPS = 500;

/** What is done with a month, by the verbs of the counters: the loaded ones do nothing while its counts are not loaded. */
export type MonthMode = "read" | "readLoaded" | "reserve" | "reserveLoaded";

/** A month, and what is done with it. */
export interface MonthCall extends Pick<CallMonth, "orgId" | "day" | "quota"> {
  readonly mode: MonthMode;
}

/** What a process knows of the counts in Redis. */
type KnownCounts = Pick<LocalCounts, "last" | "learn" | "noteAway" | "readable">;

interface Caller {
  resolve(counted: Admission): void;
  reject(error: unknown): void;
}

/** Equal calls, in the order they came. */
interface Group {
  readonly windows: readonly CallWindow[];
  readonly month: MonthCall | null;
  /** Of its windows and its month in Redis. */
  readonly names: readonly string[];
  readonly callers: Caller[];
}

/** What is done with a month, as the script reads it. */
const MODES: Readonly<Record<MonthMode, string>> = {
  read: "r",
  readLoaded: "r",
  reserve: "a",
  reserveLoaded: "l",
};

export class CallBatches {
  readonly #redis: Pick<RedisConnection, "send" | "watched">;
  readonly #keys: CountKeys;
  readonly #known: KnownCounts;
  #groups: Group[] = [];
  /** The last group of each window and month by its name. */
  readonly #last = new Map<string, Group>();
  #inFlight = 0;

  constructor(redis: Pick<RedisConnection, "send" | "watched">, keys: CountKeys, known: KnownCounts) {
    this.#redis = redis;
    this.#keys = keys;
    this.#known = known;
  }

  /**
   * Counts a call against its windows if all have room, and in its month if they had.
   * @throws RedisAwayError when Redis does not answer; the call may still have been counted
   */
  count<const W extends readonly CallWindow[]>(windows: W, month: MonthCall | null): Promise<Admission<W>> {
    return this.#redis.watched(
      () =>
        new Promise<Admission<W>>((resolve, reject) => {
          // Every group answers with a reading for each of its windows.
          this.#add(windows, month, { resolve: resolve as Caller["resolve"], reject });
        }),
    );
  }

  #add(windows: readonly CallWindow[], month: MonthCall | null, caller: Caller): void {
    const names: string[] = [];
    for (const window of windows) names.push(this.#keys.window(window));
    if (month) names.push(this.#keys.month(month.orgId, month.day));
    const standing = this.#last.get(names[0] ?? "");
    if (standing && this.#isNext(standing, windows, month, names)) {
      standing.callers.push(caller);
      return;
    }
    const group = { windows, month, names, callers: [caller] };
    this.#groups.push(group);
    for (const name of names) this.#last.set(name, group);
    if (this.#groups.length === MAX_GROUPS) this.#send();
    else if (this.#groups.length === 1 && this.#inFlight === 0) setImmediate(() => this.#sendNext());
  }

  /** Whether a call joins a group of its equals: not if another group uses one of its names after them, so that calls on a name stay in order. */
  #isNext(group: Group, windows: readonly CallWindow[], month: MonthCall | null, names: readonly string[]): boolean {
    if (names.length !== group.names.length || windows.length !== group.windows.length) return false;
    if (month?.day !== group.month?.day || month?.quota !== group.month?.quota || month?.mode !== group.month?.mode) return false;
    // Loops: this runs for every request, and a closure costs more than all it compares.
    for (const [at, name] of names.entries()) if (name !== group.names[at] || this.#last.get(name) !== group) return false;
    for (const [at, { limit }] of windows.entries()) if (limit !== group.windows[at]?.limit) return false;
    return true;
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
      .then((reply) => this.#settle(groups, this.#known.readable(reply)))
      .catch((error: unknown) => {
        this.#known.noteAway(error);
        for (const { callers } of groups) for (const { reject } of callers) reject(error);
      })
      .finally(() => {
        this.#inFlight -= 1;
        this.#sendNext();
      });
  }

  #questionOf(groups: readonly Group[]): [string[], (string | number)[]] {
    const keys = [this.#keys.deltas];
    const values: (string | number)[] = [];
    for (const { windows, month, names, callers } of groups) {
      keys.push(...names);
      values.push(callers.length, windows.length, month ? MODES[month.mode] : "");
      for (const { windowMs, limit } of windows) values.push(windowMs, limit);
      if (month) {
        const { orgId, day, quota } = month;
        const { loading, thisMonth, today } = this.#known.last(orgId, day);
        values.push(day, deltaField(orgId, day), quota, loading, thisMonth, today);
      }
    }
    return [keys, values];
  }

  #settle(groups: readonly Group[], reply: readonly (number | string)[]): void {
    let at = 0;
    const next = (): number => Number(reply[at++]);
    for (const { windows, month, callers } of groups) {
      const readWindows = windowsReader(
        callers.length,
        windows.map(({ limit }) => ({ limit, used: next(), leftMs: next() })),
      );
      let readUsage: (index: number) => Reservation | null = () => null;
      if (month) {
        const [counted, today, thisMonth, loading] = [next(), next(), next(), String(reply[at++])];
        this.#known.learn(month.orgId, month.day, { today: today + counted, thisMonth: thisMonth + counted, loading });
        if (loading !== "" || month.mode === "read" || month.mode === "reserve")
          readUsage = usageReader(counted, today, thisMonth);
      }
      callers.forEach(({ resolve }, index) => {
        resolve({ windows: readWindows(index), usage: readUsage(index) });
      });
    }
  }
}

/** A window before a group's calls. */
interface WindowBefore {
  readonly limit: number;
  readonly used: number;
  readonly leftMs: number;
}

/** Reads the windows for each of a group's calls: those that all have room for come first. */
const windowsReader = (calls: number, windows: readonly WindowBefore[]) => {
  const admitted = Math.max(0, Math.min(calls, ...windows.map(({ limit, used }) => limit - used)));
  return (index: number): LimitReading[] =>
    windows.map(({ limit, used, leftMs }) => {
      const isAdmitted = index < admitted;
      const remaining = Math.max(0, limit - used - (isAdmitted ? index + 1 : admitted));
      return { allowed: isAdmitted || remaining > 0, limit, remaining, resetInMs: leftMs };
    });
};

/** The same of a month. */
const usageReader =
  (counted: number, today: number, thisMonth: number) =>
  (index: number): Reservation => {
    const own = Math.min(index + 1, counted);
    return { allowed: index < counted, today: today + own, thisMonth: thisMonth + own };
  };
