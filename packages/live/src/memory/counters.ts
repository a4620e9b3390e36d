/** Exact counts of metered calls within one process. */
import type { CountersPort, Reservation, UsageDelta, UsageReading } from "../ports.ts";

interface MonthCount {
  isSeeded: boolean;
  total: number;
  readonly days: Map<string, number>;
}

/** Days in the longest month, to iterate over a month's days. */
const MONTH_DAYS = 31;

const monthOf = (day: string): string => day.slice(0, 7);

/** Every possible UTC day of a month; days that do not exist are never counted. */
export const daysOfMonth = (day: string): string[] =>
  Array.from({ length: MONTH_DAYS }, (_, index) => `${monthOf(day)}-${String(index + 1).padStart(2, "0")}`);

export const deltaField = (orgId: string, day: string): string => `${day}|${orgId}`;

/**
 * Parses stored deltas, dropping those that cancelled out.
 * @param fields pairs of field and count
 */
export const readDeltas = (fields: Iterable<readonly [string, number]>): UsageDelta[] =>
  [...fields]
    .filter(([, calls]) => calls !== 0)
    .map(([field, calls]) => ({ day: field.slice(0, 10), orgId: field.slice(11), calls }));

/** Counts by organisation, month and day. Counting is synchronous, so a count is never half done. */
export class MemoryCounters implements CountersPort {
  readonly #months = new Map<string, Map<string, MonthCount>>();
  /** Unsettled calls, by day and organisation. */
  #deltas = new Map<string, Map<string, number>>();
  /** The settlement in progress, and the number of settlements so far. */
  #writing: Promise<void> | null = null;
  #settlements = 0;

  reserveLoaded(orgId: string, day: string, quota: number): Reservation | null {
    const month = this.#months.get(monthOf(day))?.get(orgId);
    return month?.isSeeded ? this.#reserveIn(month, orgId, day, quota) : null;
  }

  reserve(orgId: string, day: string, quota: number): Reservation {
    return this.#reserveIn(this.#month(orgId, day), orgId, day, quota);
  }

  #reserveIn(month: MonthCount, orgId: string, day: string, quota: number): Reservation {
    const allowed = month.total < quota;
    if (allowed) this.#count(month, orgId, day, 1);
    return { allowed, today: month.days.get(day) ?? 0, thisMonth: month.total };
  }

  refund(orgId: string, day: string): void {
    const month = this.#month(orgId, day);
    if ((month.days.get(day) ?? 0) > 0) this.#count(month, orgId, day, -1);
  }

  read(orgId: string, day: string): UsageReading {
    const month = this.#months.get(monthOf(day))?.get(orgId);
    return { today: month?.days.get(day) ?? 0, thisMonth: month?.total ?? 0 };
  }

  /** The counts as an outcome that counted nothing; null while they are not loaded. */
  readLoaded(orgId: string, day: string): Reservation | null {
    return this.isSeeded(orgId, day) ? { allowed: false, ...this.read(orgId, day) } : null;
  }

  isSeeded(orgId: string, day: string): boolean {
    return this.#months.get(monthOf(day))?.get(orgId)?.isSeeded ?? false;
  }

  async seed(orgId: string, day: string, readStored: () => Promise<UsageReading>): Promise<void> {
    for (;;) {
      while (this.#writing) await this.#writing;
      if (this.isSeeded(orgId, day)) return;
      const before = this.#settlements;
      const stored = await readStored();
      if (this.#settlements === before) return this.#load(orgId, day, stored);
    }
  }

  async settle(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void> {
    while (this.#writing) await this.#writing;
    const deltas = this.drain();
    if (deltas.length === 0) return;
    this.#settlements += 1;
    const written = write(deltas).catch((error: unknown) => {
      this.restore(deltas);
      throw error;
    });
    this.#writing = written
      .catch(() => {})
      .finally(() => {
        this.#writing = null;
      });
    await written;
  }

  #load(orgId: string, day: string, stored: UsageReading): void {
    if (this.isSeeded(orgId, day)) return;
    const unsettled = daysOfMonth(day).reduce((sum, each) => sum + this.#owed(orgId, each), 0);
    this.learn(orgId, day, { today: stored.today + this.#owed(orgId, day), thisMonth: stored.thisMonth + unsettled });
  }

  /** Takes the deltas to settle; `restore` puts them back. */
  drain(): readonly UsageDelta[] {
    const drained = [...this.#deltas].flatMap(([day, byOrg]) => [...byOrg].map(([orgId, calls]) => ({ day, orgId, calls })));
    this.#deltas = new Map();
    return drained.filter(({ calls }) => calls !== 0);
  }

  restore(deltas: readonly UsageDelta[]): void {
    for (const { orgId, day, calls } of deltas) this.#owe(orgId, day, calls);
  }

  get hasDeltas(): boolean {
    return this.#deltas.size > 0;
  }

  /** Adopts counts from another engine as loaded; deltas are unchanged. */
  learn(orgId: string, day: string, counts: UsageReading): void {
    const month = this.#month(orgId, day);
    month.isSeeded = true;
    month.total = counts.thisMonth;
    month.days.set(day, counts.today);
  }

  /** Marks an organisation's counts of the month as not loaded. */
  forget(orgId: string, day: string): void {
    this.#months.get(monthOf(day))?.delete(orgId);
  }

  #count(month: MonthCount, orgId: string, day: string, calls: number): void {
    month.total += calls;
    month.days.set(day, (month.days.get(day) ?? 0) + calls);
    this.#owe(orgId, day, calls);
  }

  #owed(orgId: string, day: string): number {
    return this.#deltas.get(day)?.get(orgId) ?? 0;
  }

  #owe(orgId: string, day: string, calls: number): void {
    let byOrg = this.#deltas.get(day);
    if (!byOrg) {
      byOrg = new Map();
      this.#deltas.set(day, byOrg);
    }
    byOrg.set(orgId, (byOrg.get(orgId) ?? 0) + calls);
  }

  #month(orgId: string, day: string): MonthCount {
    let byOrg = this.#months.get(monthOf(day));
    if (!byOrg) {
      byOrg = new Map();
      this.#months.set(monthOf(day), byOrg);
      this.#forgetOldMonths();
    }
    let month = byOrg.get(orgId);
    if (!month) {
      month = { isSeeded: false, total: 0, days: new Map() };
      byOrg.set(orgId, month);
    }
    return month;
  }

  /** Keeps the newest two months: a call may end, and be refunded, after its month has ended. */
  #forgetOldMonths(): void {
    const newestFirst = [...this.#months.keys()].sort().reverse();
    for (const month of newestFirst.slice(2)) this.#months.delete(month);
  }
}
