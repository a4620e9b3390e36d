/**
 * The counts last read from Redis per organisation and month. When Redis has lost its data, the counts loaded from the store lack
 * the unsettled calls; no count falls below what a process last saw.
 */
import type { UsageReading } from "../ports.ts";

/** Counts as read, and the id of the load they are based on. */
export interface LastCounts extends UsageReading {
  readonly loading: string;
}

interface Noted extends LastCounts {
  readonly day: string;
}

/** Months kept: a call may end after its month has ended. */
const MONTHS = 2;

const NEVER: LastCounts = { loading: "", today: 0, thisMonth: 0 };
const monthOf = (day: string): string => day.slice(0, 7);

/** Readings by organisation and month. */
export class LastSeen {
  readonly #byMonth = new Map<string, Map<string, Noted>>();

  note(orgId: string, day: string, { loading, today, thisMonth }: LastCounts): void {
    let month = this.#byMonth.get(monthOf(day));
    if (!month) {
      month = new Map();
      this.#byMonth.set(monthOf(day), month);
      const newestFirst = [...this.#byMonth.keys()].sort().reverse();
      for (const old of newestFirst.slice(MONTHS)) this.#byMonth.delete(old);
    }
    month.set(orgId, { loading, today, thisMonth, day });
  }

  read(orgId: string, day: string): LastCounts {
    const noted = this.#byMonth.get(monthOf(day))?.get(orgId);
    if (!noted) return NEVER;
    return noted.day === day ? noted : { ...noted, today: 0 };
  }
}
