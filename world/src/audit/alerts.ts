/** Promise 7: alerts, and what is sent of them. */
import { Decimal } from "decimal.js";
import { type Audit, broken } from "./audit.ts";
import { type Doing, isBeyond, mayHave, sees } from "./callers.ts";
import { type Rows, shown } from "./rows.ts";

/** An alert, as its owner made it. */
export interface MadeAlert {
  readonly id: string;
  readonly is: "above" | "below";
  readonly threshold: string;
  readonly once: boolean;
  readonly url: string;
  readonly madeMs: number;
  deletedMs: number;
  /** Whether nothing happened to its owner that changes when it is judged. */
  isSteady: boolean;
  /** How late its owner sees prices. */
  readonly delayMs: number;
}

/** An event, as it is posted. */
interface Posted {
  readonly type: string;
  readonly data: {
    readonly alert_id: string;
    readonly threshold: string;
    readonly price: string;
    readonly computed_at: string;
    readonly seq: number;
  };
}

/** How long after it was made an alert is judged for sure, and how soon a crossing is in the outbox. */
const SETTLED_MS = 60_000;
/** How far back a price has to go before an alert fires again, and how soon it does, both with a little more. */
const BACK = "0.002";
const REPEATS_AFTER_MS = 61_000;
const PRICED = new Set(["price.above", "price.below"]);

export class Alerts {
  readonly #audit: Audit;
  readonly #rows: Rows;
  readonly made = new Map<string, MadeAlert>();
  /** When where events are sent was deleted, by address. */
  readonly #deleted = new Map<string, number>();
  readonly #ids = new Map<string, string>();
  /** When an event was taken back, by alert and number. */
  readonly #takenBack = new Map<string, number>();

  constructor(audit: Audit, rows: Rows) {
    this.#audit = audit;
    this.#rows = rows;
  }

  /** Nothing is to be sent to an address any more. */
  deleted(url: string, atMs: number): void {
    this.#deleted.set(url, atMs);
    for (const alert of this.made.values()) if (alert.url === url) alert.deletedMs = atMs;
  }

  /** An event is on its way to its receiver. */
  posted(url: string, id: string, body: string, owner: Doing): Promise<void> {
    return this.#audit.check(async () => {
      const { nowMs, clockMs, troubleMs } = owner;
      const deletedMs = this.#deleted.get(url) ?? Number.POSITIVE_INFINITY;
      if (nowMs > Math.max(deletedMs, troubleMs) + SETTLED_MS / 2) broken("permitted", `${id} is sent to a deleted address`);
      if (!mayHave(owner, (tier) => tier !== null)) broken("permitted", `${id} is sent to who has no key`);
      const { type, data } = JSON.parse(body) as Posted; // as the contract has it
      const fired = `${data.alert_id} ${data.seq}`;
      if (type === "price.withdrawn") this.#takenBack.set(fired, this.#takenBack.get(fired) ?? nowMs);
      if (!PRICED.has(type)) return;
      const takenBackMs = this.#takenBack.get(fired) ?? Number.POSITIVE_INFINITY;
      if (nowMs > Math.max(takenBackMs, troubleMs) + SETTLED_MS / 2) broken("fired", `${id} is sent after it was taken back`);
      const ageMs = clockMs - Date.parse(data.computed_at);
      if (!mayHave(owner, sees(ageMs))) broken("permitted", `${id} tells a price ${ageMs} ms old`);
      const of = `${data.alert_id} ${type} ${data.seq}`;
      const before = this.#ids.get(of);
      if (before !== undefined && before !== id) broken("fired", `${of} is sent as ${before} and as ${id}`);
      this.#ids.set(of, id);
      await this.#rows.refresh();
      const tick = this.#rows.ticks.find(({ seq }) => seq === data.seq);
      if (!tick || shown(tick.price) !== data.price) broken("fired", `${of} tells ${data.price}, it was ${tick?.price}`);
      const is = type === "price.above" ? "above" : "below";
      if (tick && !isBeyond(is, shown(tick.price), data.threshold))
        broken("fired", `${of} at ${data.price} is not ${is} ${data.threshold}`);
    });
  }

  /** At the end, when all has healed for long. */
  async ended(nowMs: number, isTame: boolean): Promise<void> {
    await this.#audit.check(async () => {
      const events = await this.#rows.events();
      const has = (alert: string, type: string, seq: number | null): boolean =>
        events.some((event) => event.alert === alert && event.type === type && event.seq === seq);
      for (const { alert, type, seq } of events)
        if (PRICED.has(type) && seq !== null && this.#rows.isWithdrawn(seq) && !has(alert, "price.withdrawn", seq))
          broken("retracted", `${alert} ${type} ${seq}`);
      if (!isTame) return;
      for (const alert of this.made.values()) {
        if (!alert.isSteady) continue;
        const fired = events.filter(({ alert: of, type }) => of === alert.id && PRICED.has(type)).map(({ seq }) => seq ?? 0);
        const missed = this.#missed(alert, fired, Math.min(nowMs, alert.deletedMs) - SETTLED_MS - alert.delayMs);
        if (missed !== null) broken("missed", `${alert.id} ${alert.is} ${alert.threshold} at ${missed}`);
      }
    });
  }

  /** The first tick that an alert was to fire at and did not: beyond its threshold, and since the last one was well on the other side. */
  #missed({ is, threshold, once, madeMs }: MadeAlert, fired: readonly number[], untilMs: number): number | null {
    const back = new Decimal(threshold).mul(is === "above" ? new Decimal(1).sub(BACK) : new Decimal(1).add(BACK));
    const other = is === "above" ? "below" : "above";
    const first = Math.min(...fired);
    let isArmed = false;
    let firedMs = Number.NEGATIVE_INFINITY;
    for (const { seq, atMs, price: exact } of this.#rows.inOrder) {
      // What is published is what is shown.
      const price = shown(exact);
      if (atMs > untilMs || (once && seq > first)) return null;
      if (fired.includes(seq)) {
        firedMs = atMs;
        isArmed = false;
      } else if (isBeyond(is, price, threshold)) {
        if (isArmed && atMs >= firedMs + REPEATS_AFTER_MS) return seq;
      } else if (atMs >= madeMs + SETTLED_MS) {
        isArmed ||= isBeyond(other, price, seq > first ? back : threshold);
      }
    }
    return null;
  }
}
