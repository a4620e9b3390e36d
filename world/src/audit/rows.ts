/** What is committed, read by SQL alone; of what is never changed, what is new since the last look. */
import type { Store } from "@assay/db";
import { Decimal } from "decimal.js";
import { sql } from "drizzle-orm";

export const GOLD = "XAU-USD-SPOT";

export interface TickRow {
  readonly seq: number;
  readonly atMs: number;
  readonly price: string;
  /** The token of the fence when it was committed, and the order of commits. */
  readonly token: number;
  readonly place: number;
  /** The rates that stood beside it. */
  readonly rates: Rates | undefined;
}

/** Units of each currency for a dollar. */
type Rates = Readonly<Record<string, readonly [rate: string, origin: number]>>;

export interface BarRow {
  readonly interval: string;
  readonly startMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly isClosed: boolean;
}

/** An event in the outbox. */
export interface EventRow {
  readonly id: string;
  readonly alert: string;
  readonly type: string;
  readonly seq: number | null;
}

/** Notes under which token every tick is committed, in which order, and with which rates. */
const WITNESS = [
  "create table if not exists world_commits (place bigserial primary key, instrument text, seq bigint, token bigint)",
  `create or replace function world_note() returns trigger language plpgsql as $$
  begin
    insert into world_commits (instrument, seq, token) select new.instrument, new.seq, token from writer_fence;
    return null;
  end $$`,
  "create or replace trigger world_noted after insert on ticks for each row execute function world_note()",
];

/** A price as it is shown. */
export const shown = (price: string | Decimal): string => new Decimal(price).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);

/** Rows of gold. */
export class Rows {
  readonly #store: Store;
  readonly ticks: TickRow[] = [];
  readonly #rates = new Map<number, Rates>();
  bars: readonly BarRow[] = [];
  /** The numbers, first and last, of runs that were withdrawn. */
  withdrawn: readonly (readonly [number, number])[] = [];
  /** Whether some ticks are hidden until their price is believed. */
  isHiding = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Makes the store note what it commits. */
  static async attach(store: Store): Promise<void> {
    for (const statement of WITNESS) await store.run((db) => db.execute(sql.raw(statement)));
  }

  /** Reads what is new, in one statement. */
  async refresh(): Promise<void> {
    const [row] = await this.read<{ document: Document }>(`select json_build_object(
      'ticks', (select json_agg(json_build_array(seq, extract(epoch from computed_at) * 1000, payload->>'price', token, place,
        (payload->>'rateSet')::float8) order by place)
        from ticks join world_commits using (instrument, seq)
        where instrument = '${GOLD}' and place > ${this.ticks.at(-1)?.place ?? 0}),
      'rates', (select json_agg(json_build_array(id, document->'rates') order by id) from rate_sets where id > ${Math.max(0, ...this.#rates.keys())}),
      'bars', (select json_agg(json_build_array(interval, extract(epoch from bar_start) * 1000, open::text, high::text, low::text,
        close::text, is_closed) order by bar_start) from bars where symbol = '${GOLD}'),
      'beliefs', (select json_agg(document) from beliefs where instrument = '${GOLD}')) as document`);
    const { ticks, rates, bars, beliefs } = row?.document ?? {};
    for (const [id, table] of rates ?? []) this.#rates.set(id, table);
    for (const [seq, atMs, price, token, place, set] of ticks ?? [])
      this.ticks.push({ seq, atMs: Number(atMs), price, token, place, rates: this.#rates.get(set) });
    this.bars = (bars ?? []).map(([interval, startMs, open, high, low, close, isClosed]) => ({
      interval,
      startMs: Number(startMs),
      open,
      high,
      low,
      close,
      isClosed,
    }));
    this.withdrawn = (beliefs ?? []).flatMap((belief) => belief.withdrawn.map(({ fromSeq, toSeq }) => [fromSeq, toSeq] as const));
    this.isHiding = (beliefs ?? []).some(({ hidden }) => hidden);
  }

  isWithdrawn(seq: number): boolean {
    return this.withdrawn.some(([from, to]) => seq >= from && seq <= to);
  }

  /** By their numbers. */
  get inOrder(): TickRow[] {
    return [...this.ticks].sort((a, b) => a.seq - b.seq);
  }

  /** Everything that alerts have reported. */
  events(): Promise<EventRow[]> {
    return this.read(`select id, alert_id as alert, type, coalesce(seq, (payload::json->'data'->>'seq')::bigint)::float8 as seq
      from deliveries where alert_id is not null`);
  }

  async read<Row>(query: string): Promise<Row[]> {
    const result = await this.#store.run((db) => db.execute(sql.raw(query)));
    return (result as unknown as { rows: Row[] }).rows; // PGlite's Results
  }
}

interface Document {
  readonly ticks?: readonly (readonly [number, number, string, number, number, number])[] | null;
  readonly rates?: readonly (readonly [number, Rates])[] | null;
  readonly bars?: readonly (readonly [string, number, string, string, string, string, boolean])[] | null;
  readonly beliefs?:
    | readonly { readonly hidden: boolean; readonly withdrawn: readonly { readonly fromSeq: number; readonly toSeq: number }[] }[]
    | null;
}
