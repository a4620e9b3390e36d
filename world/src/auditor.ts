/**
 * What must hold in every world. The auditor knows what is on the wire, what is committed and what is published, and nothing else
 * of the code; each check names the sentence that it comes from.
 */
import type { Store } from "@assay/db";
import type { MarketEvent } from "@assay/live";
import { Decimal } from "decimal.js";
import { sql } from "drizzle-orm";
import type { Frame } from "./follower.ts";
import type { Saying } from "./market.ts";

/** A promise that was broken. */
export class Broken extends Error {
  override readonly name = "Broken";
}

const broken = (promise: string, detail: string): never => {
  throw new Broken(`${promise}: ${detail}`);
};

/** The promises, in the words of the documents. */
export const PROMISES = {
  tokens: "1 tokens rise, and no row is committed by an old one (docs/specs/writer-lease.md)",
  committed: "1 what is published is committed, as it is published (AGENTS.md: publish after commit, never before)",
  once: "1 a number has one publisher (docs/specs/writer-lease.md)",
  followed: "2 a follower has every number, or a gap that names it, and nothing twice (docs/guides/streaming.md)",
  folded: "3 bars are folded from the ticks that stand (docs/specs/belief.md, invariant 7)",
  remembered: "3 a bar is one figure in memory and in the store (docs/flow.md, keep)",
  product: "4 a price is the product of what it names, both of one instant (decision 0047)",
  past: "4 `at` answers what was published (docs/guides/delay-and-staleness.md)",
  delayed: "5 a caller of Free sees nothing younger than 15 minutes, and gold alone (tiers)",
  truth: "8 while a minority is wrong, every published figure is near a right one (docs/specs/belief.md, invariant 1)",
  timely: "8 while most tell the truth, their price is published (docs/specs/belief.md, invariant 2)",
  ends: "9 everything ends within its bound",
} as const;

interface TickRow {
  readonly seq: number;
  readonly atMs: number;
  readonly price: string;
  /** The token of the fence when it was committed, and the order of commits. */
  readonly token: number;
  readonly place: number;
}

interface BarRow {
  readonly startMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

/** Ticks that may be shown, and those that were withdrawn. */
interface Told {
  readonly standing: readonly TickRow[];
  readonly withdrawn: readonly TickRow[];
}

/** A bar of an answer. */
interface AnsweredBar {
  readonly bar_start: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

const GOLD = "XAU-USD-SPOT";
const INTERVALS_MS: Readonly<Record<string, number>> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "30m": 1_800_000,
  "1h": 3_600_000,
  "2h": 7_200_000,
  "4h": 14_400_000,
  "1d": 86_400_000,
};
const DELAY_MS = 15 * 60_000;
/** How far a right price is from the truth at most, as a share: sources differ by cents, lies by a quarter. */
const NEAR = 0.02;

/** Notes under which token every tick is committed, and in which order. */
const WITNESS = `
  create table if not exists world_commits (place bigserial primary key, instrument text, seq bigint, token bigint);
  create or replace function world_note() returns trigger language plpgsql as $$
  begin
    insert into world_commits (instrument, seq, token) select new.instrument, new.seq, token from writer_fence;
    return null;
  end $$;
  create or replace trigger world_noted after insert on ticks for each row execute function world_note();`;

const text = (price: string | Decimal): string => new Decimal(price).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);

/** The prices of a bar: its first, highest, lowest and last. */
const lineOf = (prices: readonly Decimal[]): string => {
  const [first] = prices;
  if (!first) return "none";
  return [first, Decimal.max(...prices), Decimal.min(...prices), prices.at(-1) ?? first].map(text).join(" ");
};

/** The auditor of one world. */
export class Auditor {
  readonly #store: Store;
  readonly #published = new Map<number, { readonly price: string; readonly token: number; readonly atMs: number }>();
  /** Frames of followers that are not yet compared with rows. */
  #frames: { readonly follower: string; readonly frame: Frame }[] = [];
  #token = 0;
  /** The first promise that was broken. */
  failure: Broken | null = null;

  /** Ticks that were withdrawn. */
  withdrawn = 0;
  readonly #mayWait: boolean;

  /** @param mayWait whether prices may wait for a second witness: bars then include what was said meanwhile */
  constructor(store: Store, mayWait: boolean) {
    this.#store = store;
    this.#mayWait = mayWait;
  }

  /** Makes the store note what it commits. */
  static async attach(store: Store): Promise<void> {
    for (const statement of WITNESS.split(/;(?=\s*create)/)) await store.run((db) => db.execute(sql.raw(statement)));
  }

  /** Runs a check: the first that fails is kept. */
  async check(work: () => void | Promise<void>): Promise<void> {
    if (this.failure) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.failure ??= error;
    }
  }

  granted(token: number): Promise<void> {
    return this.check(() => {
      if (token <= this.#token) broken(PROMISES.tokens, `${token} was granted after ${this.#token}`);
      this.#token = token;
    });
  }

  published(event: MarketEvent): Promise<void> {
    return this.check(async () => {
      if (event.kind !== "moment") return;
      const ticks = event.ticks.filter(({ instrument }) => instrument === GOLD);
      if (ticks.length === 0) return;
      const rows = new Map((await this.#ticks()).map((row) => [row.seq, row]));
      for (const { seq, price, computedAtMs: atMs } of ticks) {
        const row = rows.get(seq);
        if (!row) return broken(PROMISES.committed, `${seq} at ${price} is not in the store`);
        if (row.price !== price || row.atMs !== atMs) broken(PROMISES.committed, `${seq} is ${row.price}, published as ${price}`);
        if (row.token !== event.token) broken(PROMISES.once, `${seq} is of writer ${row.token}, published by ${event.token}`);
        this.#published.set(seq, { price, token: event.token, atMs });
      }
    });
  }

  /** @param last the number before it, as the follower knows */
  received(follower: string, frame: Frame, last: number | undefined): void {
    void this.check(() => {
      this.#frames.push({ follower, frame });
      if (last === undefined) return;
      const [from, to] = frame.type === "gap" ? [frame.from_seq, frame.to_seq] : [frame.seq, frame.seq];
      if (from <= last && frame.reason !== "reset") broken(PROMISES.followed, `${follower} got ${from} after ${last}`);
      if (from > last + 1) broken(PROMISES.followed, `${follower} got ${from} after ${last}, and no gap`);
      if (to < from) broken(PROMISES.followed, `${follower} got a gap from ${from} to ${to}`);
    });
  }

  /** A follower that is connected to a process that has everything. */
  caughtUp(follower: string, last: number | undefined): Promise<void> {
    return this.check(async () => {
      const newest = (await this.#ticks()).at(-1)?.seq;
      if (newest !== last) broken(PROMISES.followed, `${follower} has ${last} of ${newest}`);
    });
  }

  /** What is committed, at any time. */
  committed(): Promise<void> {
    return this.check(async () => {
      const ticks = await this.#ticks();
      const rows = new Map(ticks.map((row) => [row.seq, row]));
      let token = 0;
      for (const row of [...ticks].sort((a, b) => a.place - b.place)) {
        if (row.token < token) broken(PROMISES.tokens, `tick ${row.seq} was committed by ${row.token} after ${token}`);
        token = row.token;
      }
      for (const { follower, frame } of this.#frames.splice(0)) {
        if (frame.type === "gap") continue;
        const row = rows.get(frame.seq);
        if (!row) broken(PROMISES.committed, `${follower} got ${frame.seq}, which is not in the store`);
        else if (text(row.price) !== frame.price)
          broken(PROMISES.committed, `${follower} got ${frame.seq} at ${frame.price}, not ${row.price}`);
      }
      const spans = await this.#withdrawn();
      const isWithdrawn = ({ seq }: TickRow): boolean => spans.some(([from, to]) => seq >= from && seq <= to);
      const withdrawn = ticks.filter(isWithdrawn);
      this.withdrawn = Math.max(this.withdrawn, withdrawn.length);
      const told = { withdrawn, standing: ticks.filter((tick) => !isWithdrawn(tick)) };
      for (const [interval, ms] of Object.entries(INTERVALS_MS)) this.#folded(interval, ms, told, await this.#bars(interval));
    });
  }

  #folded(interval: string, ms: number, { standing, withdrawn }: Told, bars: readonly BarRow[]): void {
    const pricesOf = (ticks: readonly TickRow[], startMs: number): Decimal[] =>
      ticks.filter(({ atMs }) => atMs >= startMs && atMs < startMs + ms).map(({ price }) => new Decimal(price));
    const startOf = (atMs: number): number => Math.floor(atMs / ms) * ms;
    const stored = new Map(bars.map((bar) => [bar.startMs, bar]));
    for (const startMs of new Set([...standing.map(({ atMs }) => startOf(atMs)), ...stored.keys()])) {
      const prices = pricesOf(standing, startMs);
      const bar = stored.get(startMs);
      const told = bar ? [bar.open, bar.high, bar.low, bar.close].map(text).join(" ") : "none";
      const fault = `${interval} of ${new Date(startMs).toISOString()} is ${told}`;
      if (!this.#mayWait && lineOf(prices) !== told) broken(PROMISES.folded, `${fault}, its ticks make ${lineOf(prices)}`);
      for (const price of prices)
        if (!bar || price.gt(bar.high) || price.lt(bar.low)) broken(PROMISES.folded, `${fault}, and a tick in it ${price}`);
      for (const price of pricesOf(withdrawn, startMs))
        if (bar && (price.eq(bar.high) || price.eq(bar.low)) && !prices.some((each) => each.eq(price)))
          broken(PROMISES.folded, `${fault}, and ${price} was withdrawn`);
    }
  }

  /** What an API that has everything answers of bars. */
  remembered(interval: string, answer: { readonly bars: readonly AnsweredBar[] }): Promise<void> {
    return this.check(async () => {
      const written = (start: string, prices: readonly string[]): string => `${start} ${prices.map(text).join(" ")}`;
      const bars = (await this.#bars(interval)).slice(-answer.bars.length).reverse();
      const stored = bars.map((bar) =>
        written(new Date(bar.startMs).toISOString().replace(".000", ""), [bar.open, bar.high, bar.low, bar.close]),
      );
      const told = answer.bars.map((bar) => written(bar.bar_start, [bar.open, bar.high, bar.low, bar.close]));
      const at = told.findIndex((line, index) => line !== stored[index]);
      if (at !== -1 || (told.length === 0 && stored.length > 0))
        broken(PROMISES.remembered, `${interval}: ${told[at]}, stored ${stored[at]}`);
    });
  }

  /** A row of a price in a currency that is not the dollar. */
  priced(row: Readonly<Record<string, unknown>>): Promise<void> {
    return this.check(() => {
      const { price, price_usd: usd, fx_rate: rate, fx_at: rateAt, computed_at: at } = row;
      if (price === undefined) return;
      if (rate === undefined || usd === undefined) return broken(PROMISES.product, `${price} names no rate`);
      const product = text(new Decimal(String(usd)).mul(String(rate)));
      if (product !== String(price)) broken(PROMISES.product, `${usd} × ${rate} is ${product}, not ${price}`);
      if (Date.parse(String(rateAt)) > Date.parse(String(at)))
        broken(PROMISES.product, `the rate of ${rateAt} for the price of ${at}`);
    });
  }

  /** What `at` answered of gold in dollars, from a process that has everything. */
  answeredPast(atMs: number, price: unknown): Promise<void> {
    return this.check(async () => {
      const withdrawn = await this.#withdrawn();
      if (withdrawn.length > 0) return;
      const stood = (await this.#ticks()).findLast((tick) => tick.atMs <= atMs);
      if (stood && text(stood.price) !== price)
        broken(PROMISES.past, `at ${new Date(atMs).toISOString()} it was ${stood.price}, not ${price}`);
    });
  }

  /** What a caller of Free got. */
  seenFree(computedAt: unknown, nowMs: number): Promise<void> {
    return this.check(() => {
      const ageMs = nowMs - Date.parse(String(computedAt));
      if (computedAt !== undefined && ageMs < DELAY_MS) broken(PROMISES.delayed, `a price ${ageMs} ms old`);
    });
  }

  seenGated(status: number): Promise<void> {
    return this.check(() => {
      if (status !== 403) broken(PROMISES.delayed, `silver was answered with ${status}`);
    });
  }

  /** While at most a minority of the sources is wrong: what is published is near what a right one has just said. */
  truthful(said: readonly Saying[], freshForMs: number): Promise<void> {
    return this.check(() => {
      for (const [seq, { price, atMs }] of this.#published) {
        const right = said.filter((saying) => saying.isTrue && saying.atMs <= atMs && saying.atMs >= atMs - 2 * freshForMs);
        const isNear = right.some((saying) => new Decimal(saying.price).sub(price).abs().lt(new Decimal(price).mul(NEAR)));
        if (!isNear) broken(PROMISES.truth, `${seq} at ${price}`);
      }
    });
  }

  /** When every source has told the truth for long. */
  timely(nowMs: number, withinMs: number, isTrue: (price: string, atMs: number) => boolean): Promise<void> {
    return this.check(async () => {
      const newest = (await this.#ticks()).at(-1);
      if (!newest || nowMs - newest.atMs > withinMs)
        return broken(PROMISES.timely, `the newest is ${newest ? nowMs - newest.atMs : "no"} ms old`);
      if (!isTrue(newest.price, newest.atMs)) broken(PROMISES.timely, `${newest.price} is published`);
    });
  }

  /** Something that had to end. */
  ended(what: string, hasEnded: boolean): Promise<void> {
    return this.check(() => {
      if (!hasEnded) broken(PROMISES.ends, what);
    });
  }

  async #read<Row>(query: string): Promise<Row[]> {
    const result = await this.#store.run((db) => db.execute(sql.raw(query)));
    return (result as unknown as { rows: Row[] }).rows; // PGlite's Results
  }

  #ticks(): Promise<TickRow[]> {
    return this.#read(`select seq::float8 as seq, (extract(epoch from computed_at) * 1000)::float8 as "atMs", payload->>'price' as price,
      token::float8 as token, place::float8 as place
      from ticks join world_commits using (instrument, seq) where instrument = '${GOLD}' order by seq`);
  }

  #bars(interval: string): Promise<BarRow[]> {
    return this.#read(`select (extract(epoch from bar_start) * 1000)::float8 as "startMs", open::text, high::text, low::text, close::text
      from bars where symbol = '${GOLD}' and interval = '${interval}' order by bar_start`);
  }

  async #withdrawn(): Promise<(readonly [number, number])[]> {
    const rows = await this.#read<{ document: { withdrawn: { fromSeq: number; toSeq: number }[] } }>(
      `select document from beliefs where instrument = '${GOLD}'`,
    );
    return rows.flatMap(({ document }) => document.withdrawn.map(({ fromSeq, toSeq }) => [fromSeq, toSeq] as const));
  }
}
