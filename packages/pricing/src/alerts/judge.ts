/**
 * Judges all alerts on the ticks that were published: each alert on each tick after the one it has seen, in order, live or 15
 * minutes late. What it does follows from the ticks, the rates and the beliefs alone, so that another judge continues from stored
 * standings as if there had been one.
 */
import { MINUTE_MS, SECOND_MS } from "@assay/contract";
import { type BeliefState, isShown } from "../belief/belief-state.ts";
import { freshAsBelieved } from "../belief/doubt.ts";
import { type Instrument, readPriceSymbol } from "../conventions/symbols.ts";
import type { FxRate } from "../fx/cross.ts";
import { presentCrossed } from "../number/present.ts";
import { staleness } from "../spot/standing-price.ts";
import { afresh } from "./afresh.ts";
import type { Alert, AlertEvent, AlertStanding, JudgeView, WithdrawnSeqs } from "./alert.ts";
import { figureOf, moveTo } from "./figures.ts";
import { DELAY_OF } from "./rights.ts";
import { type JudgedTick, TickMemory } from "./tick-memory.ts";
import { type JudgedPrice, Watch } from "./watch.ts";

/** The kinds that are judged on prices, and what they report. */
const FIRED = { above: "price.above", below: "price.below", moved: "price.moved" } as const;

/** What is known of the market besides its ticks. */
export interface JudgeMarket {
  /** Units of a currency for one USD as they stood beside a tick; whether they are stale is judged at an instant. */
  rateBeside(tick: JudgedTick, currency: string, atMs: number): FxRate | null;
  isOpen(atMs: number): boolean;
  beliefOf(instrument: Instrument): BeliefState | undefined;
}

export interface AlertCursor {
  readonly instrument: Instrument;
  readonly view: JudgeView;
  /** The newest tick that every alert of the view was judged on. */
  readonly seq: number;
  /** Up to when, epoch milliseconds. */
  readonly atMs: number;
  /** Of the owners' changes that it was judged with: an alert with a later one may have been judged on less. */
  readonly revision: number;
}

/** An alert with the number of its owner's last change. */
export interface NumberedAlert extends Alert {
  readonly revision: number;
}

/** The alerts on a symbol, as one view sees it. */
interface Group {
  readonly symbol: string;
  readonly currency: string;
  /** By id: those on prices, and those on staleness. */
  readonly priced: Map<string, Watch>;
  readonly aging: Map<string, Watch>;
}

/** An instrument in one view: its symbols are judged together. */
interface Line {
  readonly instrument: Instrument;
  readonly view: JudgeView;
  readonly groups: Map<string, Group>;
  /** Where its alerts continue from, when another judge had them before. */
  readonly opened: Pick<AlertCursor, "seq" | "revision">;
  seq: number;
  atMs: number;
}

interface Place {
  readonly line: Line;
  readonly group: Group;
  readonly watch: Watch;
  /** When it began again, in its view: what was stale before is none of its. */
  readonly againMs: number;
  storedAtMs: number;
}

/** How far the clock of whoever made an alert may be ahead of the judge's. */
const CLOCKS_APART_MS = MINUTE_MS;
/** How often a window that only moves is stored, in milliseconds: a takeover needs the ticks since. */
const STORE_WINDOW_MS = 5 * MINUTE_MS;
/** The most windows stored at once for that reason. */
const MAX_WINDOWS = 100;

export class Judge {
  readonly #market: JudgeMarket;
  readonly #ticks = new TickMemory();
  readonly #lines = new Map<string, Line>();
  readonly #places = new Map<string, Place>();
  /** Alerts whose standing is other than the stored one. */
  readonly #changed = new Set<string>();
  #revision = 0;

  constructor(market: JudgeMarket) {
    this.#market = market;
  }

  take(ticks: readonly JudgedTick[]): void {
    this.#ticks.add(ticks);
  }

  /** Continues a view where it was judged last. */
  open(cursor: AlertCursor): void {
    const { instrument, view, seq, atMs } = cursor;
    this.#lines.set(`${view} ${instrument}`, { instrument, view, groups: new Map(), opened: cursor, seq, atMs });
  }

  get size(): number {
    return this.#places.size;
  }

  /** How far each view with alerts was judged. */
  get cursors(): AlertCursor[] {
    const used = [...this.#lines.values()].filter(({ groups }) => groups.size > 0);
    return used.map(({ instrument, view, seq, atMs }) => ({ instrument, view, seq, atMs, revision: this.#revision }));
  }

  /**
   * Adds an alert, or replaces it by what its owner made of it, and judges it on what its view has seen since.
   * @param isAfresh judges it as if it was made now: it was paused
   */
  put({ revision, ...stored }: NumberedAlert, view: JudgeView, nowMs: number, isAfresh = false): AlertEvent[] {
    this.remove(stored.id);
    this.#revision = Math.max(this.#revision, revision);
    const reading = readPriceSymbol(stored.symbol);
    // The catalogue no longer has it; the alert waits until it does.
    if (reading.kind !== "known") return [];
    const { instrument, currency } = reading.entry;
    const line = this.#lineOf(instrument, view, nowMs);
    const isAgain = isAfresh || this.#isAhead(line, stored);
    const againMs = isAgain ? nowMs - DELAY_OF[view] : Number.NEGATIVE_INFINITY;
    const alert = isAgain ? this.#afresh(stored, line, currency, againMs) : stored;
    const group = line.groups.get(alert.symbol) ?? { symbol: alert.symbol, currency, priced: new Map(), aging: new Map() };
    line.groups.set(alert.symbol, group);
    const watch = new Watch(alert);
    (alert.kind === "stale" ? group.aging : group.priced).set(alert.id, watch);
    this.#places.set(alert.id, { line, group, watch, againMs, storedAtMs: nowMs });
    if (isAgain) this.#changed.add(alert.id);
    if (alert.kind === "stale") return [];
    // A judge before this one may have ended just as a run was withdrawn.
    for (const run of this.#market.beliefOf(instrument)?.withdrawn ?? [])
      if (watch.withdraw({ instrument, ...run })) this.#changed.add(alert.id);
    // A state is stored with every change, and so holds up to the cursor; a window is stored now and then.
    const isJudged = alert.kind !== "moved" && revision <= line.opened.revision;
    const fromSeq = isJudged ? Math.max(watch.seenSeq, line.opened.seq) : watch.seenSeq;
    return this.#catchUp(line, { ...group, priced: new Map([[alert.id, watch]]) }, fromSeq);
  }

  /** Whether it was judged on prices that its view is yet to see: its owner saw them live until now. */
  #isAhead({ instrument, view, atMs }: Line, { seenSeq }: Alert): boolean {
    if (view === "live") return false;
    const seen = this.#ticks.of(instrument)[this.#ticks.indexAfter(instrument, seenSeq - 1)];
    return seen?.seq === seenSeq && seen.computedAtMs > atMs + CLOCKS_APART_MS;
  }

  /** On the price that the view shows by now, to which its line may still have to come. */
  #afresh(alert: Alert, { instrument, seq: judgedSeq }: Line, currency: string, atMs: number): Alert {
    const belief = this.#market.beliefOf(instrument);
    const seq = Math.max(judgedSeq, this.#ticks.newest(instrument, atMs)?.seq ?? 0);
    const tick = this.#ticks.newest(instrument, atMs, (each) => each <= seq && isShown(belief, each)) ?? null;
    const rate = tick && this.#market.rateBeside(tick, currency, atMs);
    const runSeq = belief?.probation?.fromSeq ?? Number.POSITIVE_INFINITY;
    return afresh(alert, { seq, tick, rate, runSeq, stale: staleness(tick, rate, atMs, this.#market.isOpen(atMs)) });
  }

  remove(id: string): void {
    const place = this.#places.get(id);
    if (!place) return;
    const { line, group } = place;
    group.priced.delete(id);
    group.aging.delete(id);
    if (group.priced.size + group.aging.size === 0) line.groups.delete(group.symbol);
    this.#places.delete(id);
    this.#changed.delete(id);
  }

  #lineOf(instrument: Instrument, view: JudgeView, nowMs: number): Line {
    const name = `${view} ${instrument}`;
    const known = this.#lines.get(name);
    if (known) return known;
    const atMs = nowMs - DELAY_OF[view];
    const seq = this.#ticks.newest(instrument, atMs)?.seq ?? 0;
    const line: Line = { instrument, view, groups: new Map(), opened: { seq: 0, revision: 0 }, seq, atMs };
    this.#lines.set(name, line);
    return line;
  }

  #catchUp(line: Line, group: Group, fromSeq: number): AlertEvent[] {
    const events: AlertEvent[] = [];
    const ticks = this.#ticks.of(line.instrument);
    for (let index = this.#ticks.indexAfter(line.instrument, fromSeq); index < ticks.length; index += 1) {
      const tick = ticks[index];
      if (!tick || tick.seq > line.seq) break;
      this.#price(line, group, tick, events);
    }
    return events;
  }

  /** Judges every view on what it has come to see by now. */
  advance(nowMs: number): AlertEvent[] {
    const events: AlertEvent[] = [];
    for (const line of this.#lines.values()) this.#follow(line, nowMs - DELAY_OF[line.view], events);
    this.#ticks.prune(nowMs);
    return events;
  }

  #follow(line: Line, untilMs: number, events: AlertEvent[]): void {
    const ticks = this.#ticks.of(line.instrument);
    for (let index = this.#ticks.indexAfter(line.instrument, line.seq); index < ticks.length; index += 1) {
      const tick = ticks[index];
      if (!tick || tick.computedAtMs > untilMs) break;
      // Between two ticks the older one may have gone stale: as a judge of the second before would have seen.
      if (tick.computedAtMs - SECOND_MS > line.atMs) this.#age(line, tick.computedAtMs - SECOND_MS, events);
      line.seq = tick.seq;
      for (const group of line.groups.values()) this.#price(line, group, tick, events);
      this.#age(line, tick.computedAtMs, events);
    }
    this.#age(line, untilMs, events);
    line.atMs = Math.max(line.atMs, untilMs);
  }

  /** Judges the alerts of a group on a tick, unless it is hidden, unconfirmed or stale. */
  #price(line: Line, group: Group, tick: JudgedTick, events: AlertEvent[]): void {
    if (group.priced.size === 0) return;
    const { seq, computedAtMs: atMs } = tick;
    const belief = this.#market.beliefOf(line.instrument);
    if (!isShown(belief, seq)) return;
    const isOnProbation = belief?.probation != null && seq >= belief.probation.fromSeq;
    if (isOnProbation && belief.probation?.untilMs === null) return;
    const rate = this.#market.rateBeside(tick, group.currency, atMs);
    if (!rate || staleness(tick, rate, atMs, this.#market.isOpen(atMs)).isStale) return;
    const price = presentCrossed(tick.price, rate);
    const runSeq = isOnProbation ? (belief.probation?.fromSeq ?? null) : null;
    const judged: JudgedPrice = { seq, figure: figureOf(price), atMs, runSeq };
    for (const watch of group.priced.values()) {
      const outcome = watch.price(judged);
      if (outcome === null) continue;
      this.#changed.add(watch.rule.id);
      const { kind } = watch.rule;
      if (outcome === "changes" || kind === "stale") continue;
      const moved = outcome.reference === null ? {} : { moved: moveTo(price, outcome.reference) };
      events.push({ alert: watch.rule, type: FIRED[kind], seq, price, computedAtMs: atMs, ...moved });
    }
  }

  /**
   * Judges whether the symbols of a line are stale at an instant, by the tick that is shown then. When a market opens, its first
   * price has as long to come as a price stays fresh.
   */
  #age(line: Line, atMs: number, events: AlertEvent[]): void {
    for (const group of line.groups.values()) {
      if (group.aging.size === 0) continue;
      const belief = this.#market.beliefOf(line.instrument);
      const tick = this.#ticks.newest(line.instrument, atMs, (seq) => seq <= line.seq && isShown(belief, seq));
      if (!tick) continue;
      const rate = this.#market.rateBeside(tick, group.currency, atMs);
      const shown = rate ?? this.#market.rateBeside(tick, group.currency, tick.computedAtMs);
      // Nothing was published in this currency.
      if (!shown) continue;
      const stale = staleness(freshAsBelieved(belief, tick), rate, atMs, this.#market.isOpen(atMs));
      const hasJustOpened = !this.#market.isOpen(atMs - (tick.freshUntilMs - tick.computedAtMs));
      if (stale.isStale && hasJustOpened) continue;
      for (const watch of group.aging.values()) {
        if (atMs < (this.#places.get(watch.rule.id)?.againMs ?? atMs)) continue;
        const outcome = watch.age(stale, tick.seq, atMs);
        if (outcome === null) continue;
        this.#changed.add(watch.rule.id);
        if (outcome === "changes") continue;
        const price = presentCrossed(tick.price, shown);
        events.push({ alert: watch.rule, ...outcome, seq: tick.seq, price, computedAtMs: tick.computedAtMs });
      }
    }
  }

  /** Takes back what was judged on ticks that have been withdrawn. */
  withdraw(run: WithdrawnSeqs): void {
    for (const { line, watch } of this.#places.values())
      if (line.instrument === run.instrument && watch.withdraw(run)) this.#changed.add(watch.rule.id);
  }

  /** The standings that differ from the stored ones; they count as stored from now on. */
  takeChanged(nowMs: number): ReadonlyMap<string, AlertStanding> {
    let windows = 0;
    for (const [id, { watch, storedAtMs }] of this.#places) {
      if (!watch.isDirty || nowMs - storedAtMs < STORE_WINDOW_MS || this.#changed.has(id)) continue;
      this.#changed.add(id);
      windows += 1;
      if (windows === MAX_WINDOWS) break;
    }
    const standings = new Map<string, AlertStanding>();
    for (const id of this.#changed) {
      const place = this.#places.get(id);
      if (!place) continue;
      place.storedAtMs = nowMs;
      place.watch.clean();
      standings.set(id, place.watch.standing);
    }
    this.#changed.clear();
    return standings;
  }
}
