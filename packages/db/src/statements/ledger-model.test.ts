/** The ledger against a plain list of all that was ever committed, on every engine: whoever writes, and whatever is restored. */
import { createHash } from "node:crypto";
import type { BarRow } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replaceBars, upsertBars } from "../bars/write.ts";
import { writeMoment } from "../market/moment.ts";
import { dropSettlements } from "../market/settlements.ts";
import { setAhead } from "../open/ahead.ts";
import { renumber } from "../records/renumber.ts";
import { rowsOf, type Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { barRow, fxTable, minutes, NOON_MS, settlementRow } from "../testing/rows.ts";
import { claimFence, readFenceToken } from "./fence.ts";
import { readKnownAt, readLedgerHead, standingRows } from "./ledger.ts";

const SYMBOL = "XAU-USD-SPOT";
const MINUTE = 60_000;
/** Later than every bar of these tests. */
const BEGIN_MS = NOON_MS + 1_000 * MINUTE;

const KINDS = [
  ...(["import", "late source", "replace", "moment", "withdraw", "copy", "settle", "unsettle", "rates"] as const),
  ...(["older insert", "older update", "older delete", "older rates", "rates removed"] as const),
  ...(["takeover", "backup", "restore"] as const),
];

/** One write: what kind it is, which minutes or days it is about, and what it makes of them. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly places: readonly number[];
  readonly figure: number;
  readonly isClosed: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...KINDS),
    places: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 4 }),
    // Few figures, so that many writes repeat what is stored.
    figure: fc.integer({ min: 1, max: 3 }),
    isClosed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 16 },
);

/** What the ledger is of, and each row as a text. */
const KEPT = [
  {
    table: "bars",
    line: sql`concat_ws(' ', extract(epoch from bar_start)::int8, open, high, low, close, volume)`,
    where: sql`symbol = ${SYMBOL} and is_closed`,
  },
  { table: "settlements", line: sql`settlement_date || ' ' || observed_at || ' ' || price`, where: sql`symbol = 'GC'` },
  { table: "fx_tables", line: sql`observed_at || ' ' || (rates::text)`, where: sql`role = 'reference'` },
] as const;

/** All that a backup has of it. */
const STORED = [
  ...["bars", "bars_past", "settlements", "settlements_past", "fx_tables", "fx_tables_past"],
  ...["corrections", "revisions", "writer_fence"],
];

/** What is to be answered for an instant, and what was corrected by then. */
interface History {
  readonly states: readonly { readonly atMs: number; readonly rows: string }[];
  readonly changes: readonly string[];
  /** When live rates were last stored. */
  readonly ranAtMs: number;
}

const UNKNOWN = "unknown";
const startOf = (line: string): number => Number(line.split(" ")[0]) * 1_000;

describe.each(testEngines)("the ledger on $name", (engine) => {
  let store: Store;
  let nowMs: number;
  let token: number;
  const epochs = new Set<number>();
  beforeEach(async () => {
    nowMs = BEGIN_MS;
    store = await engine.open(() => nowMs);
  });
  afterEach(() => store.close());

  const run = (query: SQL) => store.run((db) => rowsOf<Record<string, string>>(db, query));
  /** As a process does that knows no ledger: its clock is the database's. */
  const runAsOlder = (statement: string) =>
    run(sql.raw(`do $$ begin perform ${setAhead(nowMs).slice("select ".length)}; ${statement}; end $$`));
  const barsOf = ({ places, figure, isClosed }: Step): BarRow[] =>
    places.map((place) => barRow({ barStartMs: NOON_MS + place * MINUTE, close: String(4000 + figure), isClosed }));
  const settlementsOf = ({ places, figure, isClosed }: Step) =>
    places.map((place) =>
      settlementRow({
        settlementDate: `2026-11-1${place}`,
        // A restated figure is a row of its own, or the same one once more.
        observedAtMs: settlementRow().observedAtMs + (isClosed ? 0 : figure),
        price: String(4000 + figure),
      }),
    );
  const ratesOf = ({ places, figure }: Step) =>
    places.map((place) =>
      fxTable({ source: "ecb", role: "reference", base: "EUR", rates: { USD: `1.${figure}` }, observedAtMs: NOON_MS + place }),
    );
  const startsOf = ({ places }: Step) => places.map((place) => `to_timestamp(${NOON_MS / 1000 + place * 60})`).join(", ");
  const removedOf = ({ places }: Step) =>
    places.slice(2).map((place) => ({ interval: "1m" as const, barStartMs: NOON_MS + place * MINUTE }));

  const write = async (step: Step): Promise<unknown> => {
    const writer = { token, holder: "writer" };
    const nothing = { ticks: [], bars: [], fx: [] };
    const [bars, removed] = [barsOf(step), removedOf(step)];
    switch (step.kind) {
      case "import":
        return upsertBars(store, bars);
      case "late source":
        return upsertBars(store, bars, { writer, reason: "late_source" });
      case "replace":
        return replaceBars(store, SYMBOL, removed, bars.slice(0, 2));
      case "moment":
        // With the live rates of the moment, which have no past.
        return writeMoment(store, writer, { ...nothing, bars, fx: [fxTable({ observedAtMs: nowMs })] });
      case "withdraw":
        return writeMoment(store, writer, {
          ...nothing,
          withdrawnBars: [{ symbol: SYMBOL, removed, restored: bars.slice(0, 2) }],
        });
      case "copy":
        return upsertBars(store, minutes(600, { close: String(4000 + step.figure) }).slice(100), { writer });
      case "settle":
        return writeMoment(store, writer, { ...nothing, settlements: settlementsOf(step) });
      case "unsettle":
        return dropSettlements(
          store,
          writer,
          settlementsOf(step).map(({ settlementDate }) => settlementDate),
        );
      case "rates":
        return writeMoment(store, writer, { ...nothing, fx: ratesOf(step) });
      case "takeover": {
        token += 1;
        await claimFence(store, token, "writer");
        const late = { token: token - 1, holder: "frozen" };
        const all = { ticks: [], bars, fx: ratesOf(step), settlements: settlementsOf(step) };
        return expect(writeMoment(store, late, all)).rejects.toThrow();
      }
      default:
        return writeAsOlder(step);
    }
  };

  const writeAsOlder = (step: Step): Promise<unknown> => {
    const [starts, close] = [startsOf(step), 4000 + step.figure];
    const isOurs = `symbol = '${SYMBOL}' and bar_start in (${starts})`;
    switch (step.kind) {
      case "older insert":
        return runAsOlder(`
          insert into bars as stored (symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id)
          select '${SYMBOL}', '1m', starts, 1, 1, 1, ${close}, null, ${step.isClosed}, 'older' from unnest(array[${starts}]) as starts
          on conflict (symbol, interval, bar_start) do update set close = excluded.close, is_closed = excluded.is_closed
          where excluded.is_closed or not stored.is_closed`);
      case "older update":
        return runAsOlder(`update bars set close = ${close}, is_closed = true where ${isOurs}`);
      case "older rates":
        return runAsOlder(`
          insert into fx_tables (source, base, observed_at, role, fresh_for_ms, rates)
          select 'ecb', 'EUR', starts, 'reference', 1, '{"USD":"1.${step.figure}"}' from unnest(array[${starts}]) as starts
          on conflict (source, base, observed_at) do update set rates = excluded.rates`);
      case "rates removed":
        return runAsOlder(`delete from fx_tables where observed_at in (${starts})`);
      default:
        return runAsOlder(`delete from bars where ${isOurs}`);
    }
  };

  /** As a dump does: rows as they are, past the triggers. */
  const backUp = async (): Promise<void> => {
    await run(sql`create schema kept`);
    for (const table of STORED) await run(sql.raw(`create table kept.${table} as table ${table}`));
  };
  const restore = (): Promise<unknown> => {
    const each = STORED.map((table) => `delete from ${table}; insert into ${table} table kept.${table};`);
    return run(sql.raw(`do $$ begin set local session_replication_role = replica; ${each.join(" ")} end $$`));
  };
  const dropBackup = () => run(sql`drop schema if exists kept cascade`);
  afterEach(dropBackup);

  const linesOf = async (from: (part: (typeof KEPT)[number]) => SQL): Promise<string> => {
    const parts = KEPT.map((part) =>
      run(sql`select string_agg(${part.line}, E'\n' order by ${part.line}) as lines from ${from(part)}`),
    );
    return (await Promise.all(parts)).map(([row]) => row?.lines ?? "").join("\n\n");
  };
  const rowsNow = () => linesOf(({ table, where }) => sql`${sql.raw(table)} where ${where}`);
  const rowsAt = async (atMs: number): Promise<string> => {
    const known = await readKnownAt(store, atMs);
    if (!known.isKnown) return UNKNOWN;
    return linesOf(({ table, where }) => sql`${standingRows(table, known.state.revision, where)} as stood`);
  };

  /** Goes back to a backup. It knows the time up to its newest revision, and up to a minute before its newest live rates. */
  const goBack = async (to: History, { states }: History): Promise<History> => {
    await restore();
    const { recordedAtMs } = await readLedgerHead(store);
    await renumber(store, nowMs);
    const { epoch } = await readLedgerHead(store);
    expect(epochs.has(epoch)).toBe(false);
    epochs.add(epoch);
    token = (await readFenceToken(store)) + 1;
    await claimFence(store, token, "writer");
    const knownToMs = Math.max(recordedAtMs, to.ranAtMs - MINUTE);
    return { ...to, states: states.map(({ atMs, rows }) => ({ atMs, rows: atMs > knownToMs ? UNKNOWN : rows })) };
  };

  const changesBetween = (before: string, after: string): string[] => {
    const barsIn = (rows: string) => (rows.split("\n\n")[0] ?? "").split("\n").filter((line) => line !== "");
    const left = new Set(barsIn(after));
    return barsIn(before).filter((line) => !left.has(line));
  };

  test("answers for every instant what was stored then, whoever wrote since, and lists what changed of the bars", async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      await emptyTables(store);
      await dropBackup();
      token = 1;
      epochs.clear();
      const nothing = await rowsNow();
      let history: History = { states: [], changes: [], ranAtMs: 0 };
      let kept: History | null = null;
      let before = nothing;
      for (const step of all) {
        nowMs += MINUTE;
        history = { ...history, states: [...history.states, { atMs: nowMs - 1, rows: before }] };
        if (step.kind === "backup") {
          await dropBackup();
          await backUp();
          kept = history;
        } else if (step.kind === "restore") {
          if (kept) history = await goBack(kept, history);
        } else await write(step);
        if (step.kind === "moment") history = { ...history, ranAtMs: nowMs };
        // COPY and older processes record by the database's clock, some milliseconds later.
        nowMs += MINUTE;
        const rows = await rowsNow();
        const changed = step.kind === "restore" ? [] : changesBetween(before, rows);
        history = { ...history, states: [...history.states, { atMs: nowMs, rows }], changes: [...history.changes, ...changed] };
        before = rows;
        expect(await rowsAt(nowMs)).toBe((await readLedgerHead(store)).revision === 0 && rows === nothing ? UNKNOWN : rows);
      }
      for (const { atMs, rows } of history.states) {
        const answer = await rowsAt(atMs);
        // Before the first revision there was nothing.
        if (answer !== UNKNOWN || rows !== nothing) expect(answer, String(atMs - BEGIN_MS)).toBe(rows);
      }
      const entries = await run(sql`select entry, digest from corrections order by number`);
      const starts: number[] = [];
      let previous: string | null = null;
      for (const { entry = "", digest = "" } of entries) {
        const named = JSON.parse(entry) as { bar_start: string | null; previous: string | null }; // as the trigger writes it
        expect([named.previous, createHash("sha256").update(entry).digest("hex")]).toEqual([previous, digest]);
        if (named.bar_start !== null) starts.push(Date.parse(named.bar_start));
        previous = digest;
      }
      expect(starts.toSorted()).toEqual(history.changes.map(startOf).toSorted());
    });
    await fc.assert(property, { numRuns: process.env.TEST_DEPTH === "deep" ? 100 : 6 });
  }, 600_000);
});
