/** Published ticks, and the belief states that decide which of them may be shown. */
import type { DecimalText } from "@assay/contract";
import type { BeliefState, Instrument, Tick } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { instantWithin } from "../statements/ledger.ts";
import { unnest, unnestJson } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

/** Every instrument with ticks, as `series`, like `WALK_SERIES`: a start asks several times. */
const WALK_INSTRUMENTS = sql`
  with recursive series as (
    (select instrument from ticks order by instrument limit 1)
    union all
    select next.instrument from series cross join lateral (
      select instrument from ticks where ticks.instrument > series.instrument order by instrument limit 1
    ) as next
  )`;

const inOrder = (left: Tick, right: Tick): number => {
  if (left.computedAtMs !== right.computedAtMs) return left.computedAtMs - right.computedAtMs;
  return left.instrument < right.instrument ? -1 : left.instrument > right.instrument ? 1 : left.seq - right.seq;
};

/**
 * Reads the ticks from an instant on and, for each instrument, the newest before it, so that there is a price as of that instant
 * even over a weekend.
 * @returns oldest first by time of computation
 */
export const readTicksSince = (store: Store, sinceMs: number): Promise<Tick[]> =>
  store.run(async (db) => {
    const since = formatInstant(sinceMs);
    const rows = await rowsOf<{ payload: Tick }>(
      db,
      sql`
        ${WALK_INSTRUMENTS}
        select before.payload from series cross join lateral (
          select payload from ticks where ticks.instrument = series.instrument and computed_at < ${since}::timestamptz
          order by computed_at desc, seq desc limit 1
        ) as before
        union all
        select payload from ticks where computed_at >= ${since}::timestamptz`,
    );
    // Sorting thousands of documents in the embedded engine takes longer than reading them.
    return rows.map((row) => row.payload).sort(inOrder);
  });

/** The newest tick of each instrument, oldest first. */
export const readNewestTicks = (store: Store): Promise<Tick[]> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ payload: Tick }>(
      db,
      sql`
        ${WALK_INSTRUMENTS}
        select payload from series cross join lateral (
          select computed_at, payload from ticks where ticks.instrument = series.instrument order by seq desc limit 1
        ) as newest
        order by computed_at, instrument`,
    );
    return rows.map((row) => row.payload);
  });

/**
 * Reads the newest stored tick of an instrument that is not after an instant.
 * @param belowSeq only ticks with a lower number; any by default
 * @returns null when none is stored
 */
export const readTickAt = async (
  store: Store,
  instrument: Instrument,
  atMs: number,
  belowSeq = Number.MAX_SAFE_INTEGER,
): Promise<Tick | null> => {
  const [row] = await store.run((db) =>
    rowsOf<{ payload: Tick }>(
      db,
      sql`
        select payload from ticks
        where instrument = ${instrument} and seq < ${belowSeq} and computed_at <= ${instantWithin(atMs)}
        order by seq desc limit 1`,
    ),
  );
  return row?.payload ?? null;
};

/** The last sequence number of each instrument; the next tick gets one more. Empty before the first tick. */
export const readLastSeqs = (store: Store): Promise<Map<Instrument, number>> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ instrument: Instrument; seq: number }>(
      db,
      sql`
        ${WALK_INSTRUMENTS}
        select instrument, (select max(seq) from ticks where ticks.instrument = series.instrument)::float8 as seq from series`,
    );
    return new Map(rows.map((row) => [row.instrument, row.seq]));
  });

export const readBeliefs = async (store: Store): Promise<Map<Instrument, BeliefState>> => {
  const rows = await store.run((db) => rowsOf<{ document: string }>(db, sql`select document::text from beliefs`));
  const states = rows.map(({ document }): BeliefState => JSON.parse(document)); // written by our own writer in this shape
  return new Map(states.map((state) => [state.instrument, state]));
};

/**
 * The insert of a moment's ticks, to run behind the fence; empty for no ticks. A duplicate sequence number fails the whole
 * statement, because no number may be published twice.
 */
export const insertOfTicks = (ticks: readonly Tick[]): SQL[] =>
  ticks.length === 0
    ? []
    : [
        sql`
          insert into ticks (instrument, seq, computed_at, payload)
          select
            ${unnest(ticks, (tick) => tick.instrument, "text")},
            ${unnest(ticks, (tick) => tick.seq, "bigint")},
            ${unnest(ticks, (tick) => formatInstant(tick.computedAtMs), "timestamptz")},
            ${unnestJson(ticks)}
          from fence`,
      ];

/** The upsert of a moment's belief states, to run behind the fence; empty for no states. */
export const upsertOfBeliefs = (states: readonly BeliefState[]): SQL[] =>
  states.length === 0
    ? []
    : [
        sql`
          insert into beliefs (instrument, document)
          select ${unnest(states, (state) => state.instrument, "text")}, ${unnestJson(states)}
          from fence
          on conflict (instrument) do update set document = excluded.document`,
      ];

export interface LookBack {
  readonly instrument: Instrument;
  /** Exclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Of each step of this length the lowest and the highest are read: nothing else can be an extreme. */
  readonly stepMs: number;
  /** Runs that are not looked at, both ends inclusive. */
  readonly without: readonly { readonly fromSeq: number; readonly toSeq: number }[];
}

export interface PastTick {
  readonly seq: number;
  readonly price: DecimalText;
  readonly atMs: number;
}

/** Reads the extremes of an instrument's stored ticks, oldest first. */
export const readTickExtremes = (store: Store, { instrument, fromMs, toMs, stepMs, without }: LookBack): Promise<PastTick[]> =>
  store.run((db) => {
    const extreme = (order: SQL) => sql`
      (select distinct on (step) seq, price, at from recent order by step, price::numeric ${order}, seq)`;
    return rowsOf(
      db,
      sql`
        with recent as (
          select seq, payload->>'price' as price, extract(epoch from computed_at) * 1000 as at,
            floor(extract(epoch from computed_at) * 1000 / ${String(stepMs)}::text::numeric) as step
          from ticks
          where instrument = ${instrument} and computed_at > ${formatInstant(fromMs)}::timestamptz
            and computed_at <= ${instantWithin(toMs)} and not exists (
              select from (select
                ${unnest(without, ({ fromSeq }) => fromSeq, "bigint")} as from_seq,
                ${unnest(without, ({ toSeq }) => toSeq, "bigint")} as to_seq
              ) as run where ticks.seq between run.from_seq and run.to_seq)
        )
        select seq::float8 as seq, price, at::float8 as "atMs" from (${extreme(sql`asc`)} union ${extreme(sql`desc`)}) as extremes
        order by seq`,
    );
  });
