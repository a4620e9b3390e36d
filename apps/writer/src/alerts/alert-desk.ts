/**
 * Judges alerts in a term, after each moment was committed and published: a moment's own prices never wait for them, but the next
 * moment does. Events, alert states and the position are one write behind the fence: a term that ends before it loses nothing, since
 * the next one judges the stored ticks again, and one that ends after it repeats nothing.
 */
import { formatClockReading, formatTimestamp, MINUTE_MS, SECOND_MS, type TierCatalog, type WebhookEvent } from "@assay/contract";
import {
  type AlertJudgement,
  type JudgedEvent,
  type JudgedStanding,
  newId,
  readAlertCursors,
  readAlertNews,
  readAlertOwners,
  readFiringsOn,
  readPendingEvents,
  readTicksSince,
  StaleTokenError,
  type Store,
  type StoredAlert,
  type WriterToken,
  writeAlertJudgement,
  writeRetractions,
} from "@assay/db";
import type { Random } from "@assay/ports";
import {
  type AlertEvent,
  type AlertStanding,
  type Instrument,
  Judge,
  type JudgeMarket,
  KEEP_TICKS_MS,
  PAUSED_MEMORY,
  PRICE_SYMBOLS,
  readPriceSymbol,
  type Tick,
  type WithdrawnSeqs,
} from "@assay/pricing";
import type { WriterLog } from "../writer-log.ts";
import { mergeEvents } from "./merging.ts";
import { Roster } from "./roster.ts";

/** How often the position is stored while nothing else is: a takeover judges what is after it again. */
const STORE_CURSORS_MS = 30 * SECOND_MS;
/** A window was stored this long before the position at most, as they take turns. */
const WINDOW_AGE_MS = 15 * MINUTE_MS;
/** A run may have been withdrawn this long before the position that was stored with it. */
const RETRACTED_MS = 10 * MINUTE_MS;

interface AlertDeskParts {
  readonly store: Store;
  readonly writer: WriterToken;
  readonly market: JudgeMarket;
  readonly random: Random;
  readonly catalog: Pick<TierCatalog, "tiers">;
  readonly log: Pick<WriterLog, "fault">;
}

/** What is to be written: it grows while the store cannot be reached. */
interface Waiting {
  readonly standings: Map<string, JudgedStanding>;
  events: JudgedEvent[];
}

const instrumentIn = (symbol: string): Instrument | null => {
  const reading = readPriceSymbol(symbol);
  return reading.kind === "known" ? reading.entry.instrument : null;
};

const payloadOf = ({ alert, type, price, computedAtMs, seq, reason, moved }: AlertEvent, nowMs: number): string => {
  const { id, name, symbol, threshold } = alert;
  const named = { alert_id: id, name, symbol };
  const shown = { price, computed_at: formatTimestamp(computedAtMs), seq };
  const data =
    type === "price.stale" || type === "price.fresh"
      ? { ...named, ...(reason && { stale_reason: reason }), ...shown }
      : {
          ...named,
          threshold: threshold ?? "",
          ...shown,
          ...(moved && { reference_price: moved.reference, change_percent: moved.percent }),
        };
  return JSON.stringify({ type, timestamp: formatClockReading(nowMs), data });
};

/** The body of the event that takes another one back: the same data. */
const retractionOf = (payload: string, nowMs: number): string => {
  const { data }: WebhookEvent = JSON.parse(payload); // written by `payloadOf`
  return JSON.stringify({ type: "price.withdrawn", timestamp: formatClockReading(nowMs), data });
};

/** Judges alerts while there are any; without one it only asks for changes. */
export class AlertDesk {
  readonly #parts: AlertDeskParts;
  readonly #roster: Roster;
  readonly #waiting: Waiting = { standings: new Map(), events: [] };
  #judge: Judge | null = null;
  #revision = 0;
  /** Of the rights that were read last. */
  #rights = -1;
  #cursorsMs = Number.NEGATIVE_INFINITY;
  /** The number of the last tick of the last run that was withdrawn, as far as it is known. */
  readonly #withdrawn = new Map<Instrument, number>();
  /** Runs whose events are to be taken back. */
  #runs: WithdrawnSeqs[] = [];

  constructor(parts: AlertDeskParts) {
    this.#parts = parts;
    this.#roster = new Roster(parts.catalog);
  }

  get size(): number {
    return this.#judge?.size ?? 0;
  }

  committed(ticks: readonly Tick[]): void {
    this.#judge?.take(ticks);
  }

  /**
   * Judges what was committed up to now, by the alerts as their owners have them, and may have them, now.
   * @throws StaleTokenError when a newer writer has taken over
   */
  async judge(nowMs: number): Promise<void> {
    try {
      const { changes, rights } = await readAlertNews(this.#parts.store, this.#revision);
      const judge = this.#judge ?? (changes.length > 0 ? await this.#open(changes, nowMs) : null);
      if (!judge) return;
      await this.#readOwners(changes, rights);
      const events = [...this.#take(judge, changes, nowMs), ...this.#advance(judge, nowMs)];
      this.#note(judge, events, nowMs);
      await this.#write(judge, nowMs);
      await this.#retract(nowMs);
    } catch (error) {
      if (error instanceof StaleTokenError) throw error;
      this.#parts.log.fault(error, "failed to judge alerts; retrying");
    }
  }

  /** Again when one of them may have changed, or is new. */
  async #readOwners(changes: readonly StoredAlert[], rights: number): Promise<void> {
    if (rights === this.#rights && changes.every(({ orgId }) => this.#roster.knows(orgId))) return;
    this.#roster.own(await readAlertOwners(this.#parts.store));
    this.#rights = rights;
  }

  /** Continues where the last term ended. */
  async #open(alerts: readonly StoredAlert[], nowMs: number): Promise<Judge> {
    const { store, market } = this.#parts;
    const judge = new Judge(market);
    const used = new Set(alerts.map(({ symbol }) => instrumentIn(symbol)));
    const cursors = (await readAlertCursors(store)).filter(({ instrument }) => used.has(instrument));
    const judgedMs = Math.min(nowMs, ...cursors.map(({ atMs }) => atMs));
    judge.take(await readTicksSince(store, Math.min(nowMs - KEEP_TICKS_MS, judgedMs - WINDOW_AGE_MS)));
    for (const cursor of cursors) {
      const { instrument } = cursor;
      judge.open(cursor);
      const withdrawn = market.beliefOf(instrument)?.withdrawn ?? [];
      const known = withdrawn.findLast(({ atMs }) => atMs < judgedMs - RETRACTED_MS);
      this.#withdrawn.set(instrument, known?.toSeq ?? 0);
    }
    this.#judge = judge;
    return judge;
  }

  #take(judge: Judge, changes: readonly StoredAlert[], nowMs: number): AlertEvent[] {
    this.#revision = Math.max(this.#revision, ...changes.map(({ revision }) => revision));
    this.#roster.change(changes);
    return this.#roster.place(nowMs).flatMap(({ alert, view, isChanged, isAfresh, isPausing }) => {
      if (isChanged) this.#waiting.standings.delete(alert.id);
      if (view !== null) return judge.put(alert, view, nowMs, isAfresh);
      judge.remove(alert.id);
      const { state, hasFired, seenSeq } = alert;
      if (isPausing) this.#stands(alert.id, { state, hasFired, seenSeq, memory: PAUSED_MEMORY }, null);
      return [];
    });
  }

  #advance(judge: Judge, nowMs: number): AlertEvent[] {
    for (const instrument of new Set(judge.cursors.map((cursor) => cursor.instrument)))
      for (const run of this.#newRuns(instrument)) {
        judge.withdraw(run);
        this.#runs.push(run);
      }
    return judge.advance(nowMs);
  }

  /** The runs that were withdrawn since this was asked last; of an instrument without alerts before, those that come. */
  #newRuns(instrument: Instrument): WithdrawnSeqs[] {
    const withdrawn = this.#parts.market.beliefOf(instrument)?.withdrawn ?? [];
    const newest = withdrawn.at(-1)?.toSeq ?? 0;
    const known = this.#withdrawn.get(instrument) ?? newest;
    this.#withdrawn.set(instrument, newest);
    return withdrawn.filter(({ toSeq }) => toSeq > known).map(({ fromSeq, toSeq }) => ({ instrument, fromSeq, toSeq }));
  }

  #note(judge: Judge, events: readonly AlertEvent[], nowMs: number): void {
    const fired = new Set<string>();
    for (const event of events) {
      const { type, seq, alert } = event;
      fired.add(alert.id);
      const isAging = type === "price.stale" || type === "price.fresh";
      this.#waiting.events.push({
        id: newId("delivery", this.#parts.random),
        alertId: alert.id,
        seq: isAging ? null : seq,
        type,
        payload: payloadOf(event, nowMs),
      });
    }
    if (events.length > 0) this.#waiting.events = [...mergeEvents(this.#waiting.events).kept];
    for (const [id, standing] of judge.takeChanged(nowMs)) this.#stands(id, standing, fired.has(id) ? nowMs : null);
  }

  #stands(id: string, standing: AlertStanding, firedMs: number | null): void {
    const { standings } = this.#waiting;
    this.#roster.stands(id, standing);
    const firedAtMs = firedMs ?? standings.get(id)?.firedAtMs ?? null;
    standings.set(id, { ...standing, id, revision: this.#roster.revisionOf(id), firedAtMs });
  }

  async #write(judge: Judge, nowMs: number): Promise<void> {
    const { store, writer } = this.#parts;
    const { standings } = this.#waiting;
    if (standings.size === 0 && nowMs - this.#cursorsMs < STORE_CURSORS_MS) return;
    const { cursors } = judge;
    if (standings.size + cursors.length === 0) return;
    const written = { standings: [...standings.values()], ...(await this.#merged()), cursors, atMs: nowMs };
    await writeAlertJudgement(store, writer, written);
    standings.clear();
    this.#waiting.events = [];
    this.#cursorsMs = nowMs;
  }

  /** What waits to be written, beside what waits to be sent of the same alerts. */
  async #merged(): Promise<Pick<AlertJudgement, "events" | "dropped">> {
    const { events } = this.#waiting;
    if (events.length === 0) return { events, dropped: [] };
    const own = new Map(events.map((event) => [event.id, event]));
    const stored = await readPendingEvents(this.#parts.store, [...new Set(events.map(({ alertId }) => alertId))]);
    const { kept, dropped } = mergeEvents([...stored.filter(({ id }) => !own.has(id)), ...events]);
    return {
      events: kept.flatMap(({ id, payload }) => {
        const event = own.get(id);
        return event ? [{ ...event, payload }] : [];
      }),
      dropped: dropped.map(({ id }) => id),
    };
  }

  /** Takes back what fired at ticks that were withdrawn. */
  async #retract(nowMs: number): Promise<void> {
    const { store, writer } = this.#parts;
    for (let run = this.#runs[0]; run; run = this.#runs[0]) {
      const { instrument, fromSeq, toSeq } = run;
      const symbols = PRICE_SYMBOLS.filter((entry) => entry.instrument === instrument).map(({ symbol }) => symbol);
      const fired = await readFiringsOn(store, { symbols, fromSeq, toSeq });
      const retractions = fired.map(({ id, payload }) => ({
        id: newId("delivery", this.#parts.random),
        of: id,
        payload: retractionOf(payload, nowMs),
      }));
      if (retractions.length > 0) await writeRetractions(store, writer, retractions, nowMs);
      this.#runs.shift();
    }
  }
}
