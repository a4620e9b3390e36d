/** Promises 5, 6 and 10: what callers get, and how often. */
import { DELAY_MS, MINUTE_MS } from "@assay/contract";
import { Decimal } from "decimal.js";
import type { Tier } from "../cast.ts";
import { CATALOG } from "../processes.ts";
import { type Audit, broken, type Json } from "./audit.ts";
import { GOLD } from "./rows.ts";

/** How long a change of tier or key may take to be noticed by a process to which nothing happens. */
const NOTICED_MS = 11_000;
/** How long a call takes to which nothing happens. */
const AT_ONCE_MS = 100;
/** What is longer ago plays no part, whatever happened since. */
const FORGOTTEN_MS = 300_000;

/** What somebody may do until an instant: a tier; null without a key that lives. */
export interface Standing {
  readonly tier: Tier | null;
  untilMs: number;
}

/** When something was done for somebody. */
export interface Doing {
  /** What the person may do, and might, oldest first. */
  readonly standings: readonly Standing[];
  readonly nowMs: number;
  /** The same by the clock of the process that did it. */
  readonly clockMs: number;
  /** Until when something happened to the process that did it, as its store that failed. */
  readonly troubleMs: number;
}

/** Whether one of the standings that a process may know by then allows something. A key ends by the clock of each process. */
export const mayHave = ({ standings, nowMs, clockMs, troubleMs }: Doing, allows: (tier: Tier | null) => boolean): boolean =>
  standings.some(
    ({ tier, untilMs }) =>
      allows(tier) && untilMs > nowMs - FORGOTTEN_MS && Math.max(untilMs, troubleMs) + NOTICED_MS >= Math.min(nowMs, clockMs),
  );

/** How late a tier sees prices. */
export const delayOf = (tier: Tier): number => (tier === "free" ? DELAY_MS : 0);

/** Whether a tier sees what is of an instant. */
export const sees = (ageMs: number) => (tier: Tier | null) => tier !== null && ageMs >= delayOf(tier);

/** A call that was answered. */
export interface Answered extends Doing {
  readonly person: string;
  readonly route: string;
  readonly status: number;
  readonly body: Json;
  readonly askedMs: number;
  readonly isMetered: boolean;
  /** Whether it is counted by address alone. */
  readonly isLight: boolean;
}

/** The minute that a caller's calls are counted in, as far as it is known. */
interface Minute {
  readonly endsMs: number;
  admitted: number;
  isSure: boolean;
}

/** A month's calls. */
interface Month {
  readonly name: string;
  answered: number;
  isSure: boolean;
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

export class Callers {
  readonly #audit: Audit;
  readonly #minutes = new Map<string, Minute>();
  readonly #months = new Map<string, Month>();
  readonly #isExact: boolean;

  /** @param isExact whether all clocks are one, so that a call's minute and month are known */
  constructor(audit: Audit, isExact: boolean) {
    this.#audit = audit;
    this.#isExact = isExact;
  }

  /** Counts were lost: nothing is known of those before. */
  lost(): void {
    this.#minutes.clear();
    for (const month of this.#months.values()) month.isSure = false;
  }

  /** A call that got no answer may be counted or not. */
  vanished(person: string): void {
    const month = this.#months.get(person);
    if (month) month.isSure = false;
    this.#minutes.delete(person);
  }

  answered(call: Answered): Promise<void> {
    return this.#audit.check(() => {
      const { person, status, body, route, isLight } = call;
      if (this.#isExact) this.#count(call);
      if (status >= 400) return;
      if (!isLight && !mayHave(call, (tier) => tier !== null)) broken("gated", `${person} was answered ${status} without a key`);
      for (const row of [body, ...((body.symbols ?? []) as readonly Json[])]) {
        const at = row.computed_at;
        const ageMs = call.clockMs - Date.parse(String(at));
        if (at !== undefined && route !== "system.status" && !mayHave(call, sees(ageMs)))
          broken("delayed", `${person} sees a price ${ageMs} ms old (${route})`);
        const metal = String(row.symbol ?? GOLD);
        if (!GOLD.startsWith(metal) && !mayHave(call, (tier) => tier !== null && tier !== "free"))
          broken("gated", `${person} sees ${metal}`);
      }
    });
  }

  /** A price that somebody received on a stream. */
  streamed(person: string, doing: Doing): Promise<void> {
    return this.#audit.check(() => {
      if (!mayHave(doing, (tier) => tier !== null && tier !== "free")) broken("gated", `${person} follows gold`);
    });
  }

  #count({ person, status, askedMs, nowMs, standings, isMetered, isLight, body }: Answered): void {
    const name = monthOf(nowMs);
    const month = this.#months.get(person);
    const current = month?.name === name ? month : { name, answered: 0, isSure: month?.isSure ?? true };
    this.#months.set(person, current);
    const isRefusedKey = status === 401 || status === 503;
    const isInstant = nowMs - askedMs < AT_ONCE_MS;
    const code = body.error;
    // Past midnight, what was asked before is of the month before.
    if (monthOf(askedMs) !== name) current.isSure = false;
    if (isMetered && status < 400) current.answered += 1;
    const quota = Math.max(...standings.map(({ tier }) => (tier ? CATALOG.tiers[tier].monthly_quota : 0)));
    if (current.isSure && current.answered > quota) broken("limited", `${person} has ${current.answered} calls of ${quota}`);
    if (code === "quota_exceeded" && current.isSure && current.answered < this.#least(standings, "monthly_quota"))
      broken("counted", `${person} is refused after ${current.answered} calls`);
    if (isRefusedKey || isLight) return;
    const minute = this.#minutes.get(person);
    // It is not known on which side of the minute's end a call this near was counted.
    if (minute && Math.abs(minute.endsMs - nowMs) < AT_ONCE_MS) minute.isSure = false;
    const open =
      minute && minute.endsMs > nowMs - AT_ONCE_MS ? minute : { endsMs: nowMs + MINUTE_MS, admitted: 0, isSure: isInstant };
    this.#minutes.set(person, open);
    if (!isInstant) open.isSure = false;
    if (code !== "rate_limit_exceeded") open.admitted += 1;
    const limit = Math.max(...standings.map(({ tier }) => (tier ? CATALOG.tiers[tier].rate_limit_per_minute : 0)));
    if (open.isSure && open.admitted > limit) broken("limited", `${person} has ${open.admitted} calls in a minute of ${limit}`);
  }

  #least(standings: readonly Standing[], field: "monthly_quota"): number {
    return Math.min(...standings.flatMap(({ tier }) => (tier ? [CATALOG.tiers[tier][field]] : [])));
  }

  /** What somebody's usage says, while nothing else of it is on its way. */
  used(person: string, body: Json): Promise<void> {
    return this.#audit.check(() => {
      const month = this.#months.get(person);
      if (month?.isSure && body.calls_this_month !== month.answered)
        broken("counted", `${person} was answered ${month.answered} times, and is told ${body.calls_this_month}`);
    });
  }

  /** What the status says, and what gold's row says at the same time. */
  healthy(status: Json, gold: Json | undefined): Promise<void> {
    return this.#audit.check(() => {
      if (status.status === "ok" && (gold?.price === undefined || gold.is_stale === true))
        broken("status", `it is ok, and gold is ${JSON.stringify(gold)}`);
    });
  }
}

/** Whether a price is beyond a threshold. */
export const isBeyond = (is: "above" | "below", price: string | Decimal, threshold: string | Decimal): boolean =>
  is === "above" ? new Decimal(price).gt(threshold) : new Decimal(price).lt(threshold);
