/** Promises 3, 4 and 8: bars, products, the past, and the truth. */
import { createHash } from "node:crypto";
import { DAY_MS, formatTimestamp, INTERVAL_MS } from "@assay/contract";
import { Decimal } from "decimal.js";
import type { Saying } from "../market.ts";
import { type Audit, broken, type Json } from "./audit.ts";
import type { Publication } from "./publication.ts";
import { type BarRow, GOLD, type Rows, shown, type TickRow } from "./rows.ts";

/** How far a right price is from the truth at most, as a share: sources differ by cents, lies by a quarter. */
const NEAR = 0.02;

/** The prices of a bar: its first, highest, lowest and last. */
const lineOf = (prices: readonly Decimal[]): string => {
  const [first] = prices;
  if (!first) return "none";
  return [first, Decimal.max(...prices), Decimal.min(...prices), prices.at(-1) ?? first].map(shown).join(" ");
};

const grouped = (ticks: readonly TickRow[], of: (tick: TickRow) => number): Map<number, Pick<TickRow, "price">[]> => {
  const groups = new Map<number, Pick<TickRow, "price">[]>();
  for (const tick of ticks) groups.set(of(tick), [...(groups.get(of(tick)) ?? []), tick]);
  return groups;
};

const figuresOf = ({ open, high, low, close }: Pick<BarRow, "open" | "high" | "low" | "close">): string =>
  [open, high, low, close].map(shown).join(" ");

/** As RFC 8785 has it, of what a correction holds. */
const canonical = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? `{${Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
        .join(",")}}`
    : JSON.stringify(value);

export class Figures {
  readonly #audit: Audit;
  readonly #rows: Rows;
  readonly #mayWait: boolean;
  readonly #isAskew: boolean;
  /** What the operator has imported, by the start of the minute. */
  readonly #imported = new Map<number, string>();
  /** What was answered of an instant that was a minute old, by the question. */
  readonly #known = new Map<string, string>();

  /**
   * @param world whether prices may wait for a second witness: bars then include what was said meanwhile; and whether clocks differ
   */
  constructor(audit: Audit, rows: Rows, { mayWait, isAskew }: { readonly mayWait: boolean; readonly isAskew: boolean }) {
    this.#audit = audit;
    this.#rows = rows;
    this.#mayWait = mayWait;
    this.#isAskew = isAskew;
  }

  /** A minute has another figure from now on. */
  imported(startMs: number, price: string): void {
    this.#imported.set(startMs, price);
  }

  /** Whether the bar of a minute is over. */
  hasClosed(startMs: number): boolean {
    return this.#rows.bars.some((bar) => bar.interval === "1m" && bar.startMs === startMs && bar.isClosed);
  }

  /** Bars and ticks, as they are committed. */
  folded(): Promise<void> {
    return this.#audit.check(() => {
      const ticks = this.#rows.inOrder;
      const standing = ticks.filter(({ seq }) => !this.#rows.isWithdrawn(seq));
      const withdrawn = ticks.filter(({ seq }) => this.#rows.isWithdrawn(seq));
      for (const [interval, ms] of Object.entries(INTERVAL_MS)) {
        const startOf = ({ atMs }: TickRow): number => Math.floor(atMs / ms) * ms;
        const [made, lost] = [grouped(standing, startOf), grouped(withdrawn, startOf)];
        const stored = new Map(this.#rows.bars.filter((bar) => bar.interval === interval).map((bar) => [bar.startMs, bar]));
        for (const startMs of new Set([...made.keys(), ...stored.keys()])) {
          const imported = interval === "1m" ? this.#imported.get(startMs) : undefined;
          if (imported !== undefined) made.set(startMs, [{ price: imported }]);
          const pricesOf = (of: typeof made): Decimal[] => (of.get(startMs) ?? []).map(({ price }) => new Decimal(price));
          this.#bar(`${interval} of ${formatTimestamp(startMs)}`, stored.get(startMs), pricesOf(made), pricesOf(lost));
        }
      }
    });
  }

  #bar(name: string, bar: BarRow | undefined, prices: readonly Decimal[], withdrawn: readonly Decimal[]): void {
    const told = bar ? figuresOf(bar) : "none";
    if (!this.#mayWait && lineOf(prices) !== told) broken("folded", `${name} is ${told}, its ticks make ${lineOf(prices)}`);
    for (const price of prices)
      if (!bar || price.gt(bar.high) || price.lt(bar.low)) broken("folded", `${name} is ${told}, and a tick in it ${price}`);
    for (const price of withdrawn)
      if (bar && (price.eq(bar.high) || price.eq(bar.low)) && !prices.some((each) => each.eq(price)))
        broken("folded", `${name} is ${told}, and ${price} was withdrawn`);
  }

  /** What an API that has everything answers of bars. */
  remembered(interval: string, body: Json): Promise<void> {
    return this.#audit.check(() => {
      const answered = body.bars as readonly (BarRow & { readonly bar_start: string })[]; // as the contract has it
      const bars = this.#rows.bars.filter((bar) => bar.interval === interval);
      const stored = bars.slice(-answered.length).map((bar) => `${formatTimestamp(bar.startMs)} ${figuresOf(bar)}`);
      const told = answered.map((bar) => `${bar.bar_start} ${figuresOf(bar)}`).reverse();
      const at = told.findIndex((line, index) => line !== stored[index]);
      if (at !== -1 || (told.length === 0 && bars.length > 0))
        broken("remembered", `${interval}: ${told[at]}, stored ${stored[at]}`);
    });
  }

  /** What was answered as known at an instant that is a minute old. */
  known(question: string, body: Json): Promise<void> {
    return this.#audit.check(() => {
      const answer = JSON.stringify(body.bars);
      const before = this.#known.get(question);
      if (before !== undefined && before !== answer) broken("known", `${question}: ${before}, later ${answer}`);
      this.#known.set(question, answer);
    });
  }

  /** The ledger, whole, as a caller of Pro has it. */
  chained(body: Json): Promise<void> {
    return this.#audit.check(() => {
      const corrections = body.corrections as readonly Json[]; // as the contract has it
      const last = new Map<string, Json>();
      let previous: Json | undefined;
      for (const correction of corrections) {
        const { digest, ...rest } = correction;
        if (createHash("sha256").update(canonical(rest)).digest("hex") !== digest)
          broken("chained", `${rest.number} has another digest`);
        if (previous && rest.previous !== previous.digest) broken("chained", `${rest.number} follows another one`);
        previous = correction;
        if (rest.symbol === GOLD) last.set(`${rest.interval} ${rest.bar_start}`, rest);
      }
      const bars = new Map(this.#rows.bars.map((bar) => [`${bar.interval} ${formatTimestamp(bar.startMs)}`, bar]));
      for (const [name, { after }] of last) {
        const bar = bars.get(name);
        const stands = bar?.isClosed ? figuresOf(bar) : "none";
        const told = after === null ? "none" : figuresOf(after as BarRow); // as the contract has it
        // A bar that was removed may form again, and close: which is its first appearance.
        if (after !== null && stands !== told) broken("chained", `${name} became ${told}, and is ${stands}`);
      }
    });
  }

  /** A row of a price in a currency that is not the dollar. */
  priced(row: Json): Promise<void> {
    return this.#audit.check(() => {
      const { price, price_usd: usd, fx_rate: rate, fx_at: rateAt, computed_at: at } = row;
      if (price === undefined) return;
      if (rate === undefined || usd === undefined) return broken("product", `${price} names no rate`);
      const product = shown(new Decimal(String(usd)).mul(String(rate)));
      if (product !== String(price)) broken("product", `${usd} × ${rate} is ${product}, not ${price}`);
      if (Date.parse(String(rateAt)) > Date.parse(String(at))) broken("product", `the rate of ${rateAt} for the price of ${at}`);
    });
  }

  /**
   * What `at` answered of gold, from a process that has everything.
   * @param currency in which it was asked
   * @param isDay the last before the instant, instead of the last up to it
   */
  answeredPast(atMs: number, currency: string, isDay: boolean, row: Json): Promise<void> {
    return this.#audit.check(() => {
      if (this.#isAskew || this.#rows.withdrawn.length > 0 || this.#rows.isHiding || row.price === undefined) return;
      const stood = this.#rows.inOrder.findLast((tick) => (isDay ? tick.atMs < atMs : tick.atMs <= atMs));
      if (!stood || (isDay && stood.atMs < atMs - DAY_MS)) return;
      const told = currency === "USD" ? String(row.price) : shown(String(row.price_usd));
      if (shown(stood.price) !== told)
        broken(isDay ? "day" : "past", `at ${formatTimestamp(atMs)} it was ${stood.price}, not ${told}`);
      if (currency === "USD" || isDay || row.basis !== "tick") return;
      const rate = stood.rates?.[currency]?.[0];
      if (rate !== row.fx_rate) broken("past", `at ${formatTimestamp(atMs)} its rate was ${rate}, not ${row.fx_rate}`);
    });
  }

  /** While at most a minority of the sources is wrong: what is published is near what a right one has just said. */
  truthful({ published }: Publication, said: readonly Saying[], freshForMs: number): Promise<void> {
    return this.#audit.check(() => {
      for (const { seq, price, atMs } of published) {
        const right = said.filter((saying) => saying.isTrue && saying.atMs <= atMs && saying.atMs >= atMs - 2 * freshForMs);
        const isNear = right.some((saying) => Math.abs(Number(saying.price) - Number(price)) < Number(price) * NEAR);
        if (!isNear) broken("truth", `${seq} at ${price}`);
      }
    });
  }

  /** When every source has told the truth for long. */
  timely(nowMs: number, withinMs: number, isTrue: (price: string, atMs: number) => boolean): Promise<void> {
    return this.#audit.check(() => {
      const newest = this.#rows.inOrder.at(-1);
      if (!newest || nowMs - newest.atMs > withinMs)
        return broken("timely", `the newest is ${newest ? nowMs - newest.atMs : "no"} ms old`);
      if (!isTrue(newest.price, newest.atMs)) broken("timely", `${newest.price} is published`);
    });
  }
}
