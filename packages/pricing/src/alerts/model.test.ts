/**
 * Alerts against a plain replay of ticks: prices that walk, leap and pause, runs that are withdrawn, alerts made, changed and deleted
 * in between, and judges that end at any point, with or without what they judged last. Whatever happens, what is stored in the end is
 * what somebody would find who looked at every price of each alert's view in order.
 */
import { type AlertKind, DELAY_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unknownBelief } from "../belief/belief-state.ts";
import { JudgedMarket, priceTick } from "../testing/judged-market.ts";
import type { Alert, AlertEvent, JudgeView } from "./alert.ts";
import { type AlertCursor, Judge } from "./judge.ts";
import { type JudgedTick, KEEP_TICKS_MS } from "./tick-memory.ts";
import { firstMemory } from "./watch.ts";

const START = Date.UTC(2026, 10, 16, 14);
const GOLD = "XAU-USD-SPOT";
const WINDOW_SECONDS = 120;

/** A stored alert, as its owner and the judge leave it. */
interface Row {
  alert: Alert;
  readonly view: JudgeView;
  readonly revision: number;
  /** The last moment that its judge stored. */
  judgedMs: number;
}

/** The same alert as the replay sees it: what its owner saw last, and the prices since. */
interface Replayed {
  alert: Alert;
  readonly view: JudgeView;
  readonly since: JudgedTick[];
  /** The newest tick that was looked at. */
  seq: number;
}

const isBeyond = ({ kind, threshold }: Alert, price: Decimal, share = 1): boolean =>
  kind === "above" ? price.gt(new Decimal(threshold ?? 0).mul(share)) : price.lt(new Decimal(threshold ?? 0).mul(share));

/** Which of the prices an alert on a threshold fires at, looking at each of them. */
const crossings = (alert: Alert, prices: readonly JudgedTick[]): number[] => {
  let { state, hasFired } = alert;
  let firedMs = Number.NEGATIVE_INFINITY;
  return prices.flatMap(({ seq, price: text, computedAtMs }) => {
    const price = new Decimal(text);
    if (state === "waiting" && !isBeyond(alert, price, hasFired ? (alert.kind === "above" ? 0.999 : 1.001) : 1)) {
      state = "armed";
      return [];
    }
    if (state !== "armed" || !isBeyond(alert, price) || computedAtMs - firedMs < MINUTE_MS) return [];
    firedMs = computedAtMs;
    state = alert.once ? "fired" : "waiting";
    hasFired = true;
    return [seq];
  });
};

/** The same of an alert on a move: each price is compared with every one since the last event that is still in the window. */
const moves = (alert: Alert, prices: readonly JudgedTick[]): number[] => {
  const fired: number[] = [];
  let from = 0;
  let firedMs = Number.NEGATIVE_INFINITY;
  for (const [index, { price: text, computedAtMs, seq }] of prices.entries()) {
    if (alert.once && fired.length > 0) break;
    const oldestMs = Math.floor(computedAtMs / SECOND_MS) * SECOND_MS - WINDOW_SECONDS * SECOND_MS;
    const others = prices.slice(from, index).filter((other) => other.computedAtMs >= oldestMs);
    const price = new Decimal(text);
    const share = new Decimal(alert.threshold ?? 0).div(100);
    const isFar = others.some(
      ({ price: other }) => price.gte(share.add(1).mul(other)) || price.lte(new Decimal(1).sub(share).mul(other)),
    );
    if (!isFar || computedAtMs - firedMs < MINUTE_MS) continue;
    firedMs = computedAtMs;
    fired.push(seq);
    from = index;
  }
  return fired;
};

const replay = (alert: Alert, prices: readonly JudgedTick[]): number[] =>
  alert.kind === "moved" ? moves(alert, prices) : crossings(alert, prices);

/** A service whose judge may end at any point. */
class Service {
  readonly market = new JudgedMarket();
  readonly rows = new Map<string, Row>();
  readonly cursors = new Map<string, AlertCursor>();
  readonly ticks: JudgedTick[] = [];
  readonly stored: string[] = [];
  readonly expected: string[] = [];
  readonly replayed = new Map<string, Replayed>();
  nowMs = START;
  #revision = 0;
  #made = 0;
  #judge = new Judge(this.market);
  #known = new Map<string, number>();
  #cursorMs = START;
  /** Whether a judge has just begun, and is about to load the alerts. */
  begins = false;

  seenBy(view: JudgeView): JudgedTick | undefined {
    const atMs = this.nowMs - (view === "live" ? 0 : DELAY_MS);
    return this.ticks.findLast(({ seq, computedAtMs }) => computedAtMs <= atMs && !this.#isWithdrawn(seq));
  }

  #isWithdrawn(seq: number): boolean {
    const { withdrawn = [] } = this.market.beliefs.get(GOLD) ?? {};
    return withdrawn.some(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq);
  }

  publish(price: string): void {
    this.ticks.push(priceTick(GOLD, (this.ticks.at(-1)?.seq ?? 0) + 1, price, this.nowMs));
  }

  /** Prices from the next one on may be withdrawn. */
  beginRun(): void {
    const state = this.market.beliefs.get(GOLD) ?? unknownBelief(GOLD);
    const fromSeq = (this.ticks.at(-1)?.seq ?? 0) + 1;
    this.market.beliefs.set(GOLD, { ...state, probation: { fromSeq, fromMs: this.nowMs, by: [], untilMs: START * 2, bars: [] } });
  }

  endRun(isWithdrawn: boolean): void {
    const state = this.market.beliefs.get(GOLD);
    const toSeq = this.ticks.at(-1)?.seq ?? 0;
    if (!state?.probation) return;
    const { fromSeq } = state.probation;
    const isReal = isWithdrawn && toSeq >= fromSeq;
    const withdrawn = isReal ? [...state.withdrawn, { fromSeq, toSeq, atMs: this.nowMs }] : state.withdrawn;
    this.market.beliefs.set(GOLD, { ...state, probation: null, withdrawn });
    if (isReal) this.#withdraw(fromSeq, toSeq);
  }

  #withdraw(fromSeq: number, toSeq: number): void {
    this.#judge.withdraw({ instrument: GOLD, fromSeq, toSeq });
    for (const each of this.replayed.values()) {
      const { alert, since } = each;
      const left = since.filter(({ seq }) => seq < fromSeq || seq > toSeq);
      since.splice(0, since.length, ...left);
      // Made on one of these prices: as if it had been made without one.
      if (alert.kind !== "moved" && alert.seenSeq >= fromSeq && alert.seenSeq <= toSeq)
        each.alert = { ...alert, state: "waiting" };
    }
  }

  /** An owner makes an alert, or changes one, having seen the price of the view. */
  write(id: string, wanted: Pick<Alert, "kind" | "threshold" | "once">, view: JudgeView): void {
    const seen = this.seenBy(view);
    const windowSeconds = wanted.kind === "moved" ? WINDOW_SECONDS : null;
    const alert: Alert = {
      id,
      name: id,
      symbol: GOLD,
      direction: wanted.kind === "moved" ? "either" : null,
      ...wanted,
      windowSeconds,
      state: "armed",
      hasFired: false,
      seenSeq: seen?.seq ?? 0,
      memory: null,
    };
    const runSeq = this.market.beliefs.get(GOLD)?.probation?.fromSeq ?? Number.POSITIVE_INFINITY;
    const memory = wanted.kind === "moved" ? null : firstMemory(alert.seenSeq >= runSeq ? runSeq : null);
    const isTrue = seen && wanted.kind !== "moved" && isBeyond(alert, new Decimal(seen.price));
    const row = { ...alert, memory, ...(isTrue ? { state: "waiting" as const } : {}) };
    this.#revision += 1;
    this.rows.set(id, { alert: row, view, revision: this.#revision, judgedMs: Number.NEGATIVE_INFINITY });
    this.replayed.set(id, { alert: row, view, since: seen && wanted.kind === "moved" ? [seen] : [], seq: seen?.seq ?? 0 });
  }

  make(wanted: Pick<Alert, "kind" | "threshold" | "once">, view: JudgeView): void {
    this.#made += 1;
    this.write(`al_${this.#made}`, wanted, view);
  }

  /** One that has been judged up to now: of a moment that is not, its owner's change may come first. */
  #pick(which: number): [string, Row] | undefined {
    const judged = [...this.rows].filter(([, { judgedMs }]) => judgedMs === this.nowMs);
    return judged[which % Math.max(1, judged.length)];
  }

  change(which: number, threshold: (kind: AlertKind) => string): void {
    const [id, row] = this.#pick(which) ?? [];
    if (id !== undefined && row) this.write(id, { ...row.alert, threshold: threshold(row.alert.kind) }, row.view);
  }

  delete(which: number): void {
    const [id] = this.#pick(which) ?? [];
    if (id === undefined) return;
    this.rows.delete(id);
    this.replayed.delete(id);
  }

  /**
   * What somebody would find who looks at every price.
   * @param notices whether the judge is about to notice what owners changed
   */
  look(notices: boolean): void {
    for (const [id, each] of this.replayed) {
      if (!notices && this.#known.get(id) !== this.rows.get(id)?.revision) continue;
      const atMs = this.nowMs - (each.view === "live" ? 0 : DELAY_MS);
      for (const tick of this.ticks) {
        if (tick.seq <= each.seq || tick.computedAtMs > atMs) continue;
        each.seq = tick.seq;
        if (this.#isWithdrawn(tick.seq)) continue;
        each.since.push(tick);
        if (replay(each.alert, each.since).at(-1) === tick.seq) this.expected.push(`${id} ${tick.seq}`);
      }
    }
  }

  /** Judges, and stores what came of it unless the judge ends before. */
  judge({ isLost, notices }: { readonly isLost: boolean; readonly notices: boolean }): void {
    const events = notices || this.begins ? this.#notice() : [];
    this.begins = false;
    this.#judge.take(this.ticks.slice(-5));
    events.push(...this.#judge.advance(this.nowMs));
    if (isLost) {
      this.restart();
      return;
    }
    const standings = this.#judge.takeChanged(this.nowMs);
    for (const [id, standing] of standings) {
      const row = this.rows.get(id);
      // Its owner has changed it in between.
      if (!row || row.revision !== this.#known.get(id)) continue;
      row.alert = { ...row.alert, ...standing };
      for (const event of events) if (event.alert.id === id) this.stored.push(`${id} ${event.seq}`);
    }
    for (const [id, row] of this.rows) if (this.#known.get(id) === row.revision) row.judgedMs = this.nowMs;
    if (standings.size === 0 && this.nowMs - this.#cursorMs < 30 * SECOND_MS) return;
    this.#cursorMs = this.nowMs;
    for (const cursor of this.#judge.cursors) this.cursors.set(`${cursor.view} ${cursor.instrument}`, cursor);
  }

  #notice(): AlertEvent[] {
    const events: AlertEvent[] = [];
    for (const id of this.#known.keys()) {
      if (this.rows.has(id)) continue;
      this.#judge.remove(id);
      this.#known.delete(id);
    }
    for (const [id, { alert, view, revision }] of this.rows) {
      if (this.#known.get(id) === revision) continue;
      this.#known.set(id, revision);
      events.push(...this.#judge.put({ ...alert, revision }, view, this.nowMs));
    }
    return events;
  }

  restart(): void {
    this.#judge = new Judge(this.market);
    this.#known = new Map();
    const judgedMs = Math.min(this.nowMs, ...[...this.cursors.values()].map(({ atMs }) => atMs));
    const sinceMs = Math.min(this.nowMs - KEEP_TICKS_MS, judgedMs - 6 * MINUTE_MS);
    this.#judge.take(this.ticks.filter(({ computedAtMs }) => computedAtMs >= sinceMs));
    for (const cursor of this.cursors.values()) this.#judge.open(cursor);
    this.begins = true;
  }
}

const kinds = fc.constantFrom<AlertKind>("above", "below", "moved");
const thresholdOf = (kind: AlertKind, figure: number): string =>
  kind === "moved" ? String(0.2 + (figure % 10) / 10) : String(3_990 + (figure % 21));

const step = fc.record({
  seconds: fc.oneof({ weight: 10, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 200 }) }),
  move: fc.option(
    fc.oneof(
      { weight: 10, arbitrary: fc.integer({ min: -300, max: 300 }) },
      { weight: 1, arbitrary: fc.integer({ min: -6_000, max: 6_000 }) },
    ),
  ),
  owner: fc.option(
    fc.record({
      does: fc.constantFrom("make", "make", "change", "delete"),
      kind: kinds,
      figure: fc.nat(1_000),
      once: fc.boolean(),
      isLive: fc.boolean(),
    }),
    { freq: 3 },
  ),
  run: fc.oneof({ weight: 8, arbitrary: fc.constant("none") }, fc.constantFrom("begins", "ends", "withdrawn")),
  notices: fc.boolean(),
  judge: fc.oneof({ weight: 6, arbitrary: fc.constant("judges") }, fc.constantFrom("is lost", "restarts after")),
});

test("no event is missed, none comes twice, and none comes later than the moment that its judge stores", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => {
      const service = new Service();
      let cents = 400_000;
      let noticedMs = START;
      service.publish("4000");
      service.judge({ isLost: false, notices: true });
      for (const { seconds, move, owner, run, notices, judge } of steps) {
        service.nowMs += seconds * SECOND_MS;
        if (run === "begins") service.beginRun();
        if (run === "ends" || run === "withdrawn") service.endRun(run === "withdrawn");
        if (move !== null) {
          cents = Math.max(100_000, cents + move);
          service.publish(new Decimal(cents).div(100).toFixed());
        }
        // A judge notices what owners changed every second; here it may sleep for a minute.
        const isDue = notices || service.nowMs - noticedMs >= MINUTE_MS;
        if (isDue || service.begins || judge === "is lost") noticedMs = service.nowMs;
        service.look(isDue || service.begins || judge === "is lost");
        service.judge({ isLost: judge === "is lost", notices: isDue });
        if (judge === "is lost") service.judge({ isLost: false, notices: true });
        expect(service.stored.toSorted()).toEqual(service.expected.toSorted());
        if (judge === "restarts after") service.restart();
        if (!owner) continue;
        const { does, kind, figure, once, isLive } = owner;
        if (does === "make") service.make({ kind, threshold: thresholdOf(kind, figure), once }, isLive ? "live" : "delayed");
        if (does === "change") service.change(figure, (of) => thresholdOf(of, figure));
        if (does === "delete") service.delete(figure);
      }
      service.look(true);
      service.judge({ isLost: false, notices: true });
      service.nowMs += KEEP_TICKS_MS - MINUTE_MS;
      service.look(true);
      service.judge({ isLost: false, notices: true });
      expect(service.stored.toSorted()).toEqual(service.expected.toSorted());
    }),
    { numRuns: process.env.TEST_DEPTH === "deep" ? 5_000 : 150 },
  );
});
