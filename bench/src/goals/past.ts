/** P22: series of 10,000 days, requests whose answer nobody asked for before, and what the ledger takes on the disk. */
import { openStore, upsertBars, writeMoment } from "@assay/db";
import { simulatedFxReference } from "@assay/simulator";
import postgres from "postgres";
import type { Bench, BenchContext } from "../bench.ts";
import { dailyBars, makeBarsDatabase, makeDatabase } from "../fixtures/bars-database.ts";
import { startPart } from "../measure/child.ts";
import { type Loader, loadOnce } from "../measure/compare.ts";
import { requestOf } from "../measure/same-bytes.ts";
import { median } from "../measure/statistics.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";

const WINDOW = "from=1996-01-01&to=2026-10-31&limit=10000";
const seriesIn = (currency: string): string => `/v1/series?symbol=XAU-${currency}-SPOT&unit=gram&${WINDOW}`;
const BARS = `/v1/bars?symbol=XAU-USD-SPOT&interval=1d&${WINDOW}`;
const CURRENCIES = ["EUR", "JPY", "GBP", "INR", "CHF", "SEK", "CAD"];
const FIRST_ASKS = 15;
const TABLES_AT_ONCE = 100;

/** Adds the reference rates of every weekday that has bars. */
const addRates = async (databaseUrl: string): Promise<void> => {
  const store = await openStore({ databaseUrl }, { now: () => Date.now() - 3_600_000 });
  const days = dailyBars()
    .map(({ barStartMs }) => barStartMs)
    .filter((dayMs) => ![0, 6].includes(new Date(dayMs).getUTCDay()));
  for (let start = 0; start < days.length; start += TABLES_AT_ONCE) {
    const fx = days.slice(start, start + TABLES_AT_ONCE).map((dayMs) => simulatedFxReference(dayMs + 15 * 3_600_000, 1));
    await writeMoment(store, { token: 1, holder: "bench" }, { ticks: [], bars: [], fx });
  }
  await store.close();
};

const timed = async ({ url, key }: ApiReady, path: string): Promise<number> => {
  const startedMs = performance.now();
  const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return performance.now() - startedMs;
};

const requests = async (databaseUrl: string, { report }: BenchContext): Promise<void> => {
  const settings: ApiSettings = { store: { databaseUrl } };
  const api = await startPart<ApiReady>("assay-api", settings);
  const loader: Loader = await startPart("load", null);
  const firsts: number[] = [];
  for (const currency of CURRENCIES) firsts.push(await timed(api.ready, seriesIn(currency)));
  report({
    id: "P22",
    what: "a series of 10000 in a currency that nobody asked for since the start",
    figure: median(firsts.slice(1)),
    unit: "ms",
    raw: `${firsts.map((ms) => ms.toFixed(0)).join(", ")} ms; the first of them reads the closes too`,
  });
  const target = { child: api, port: api.ready.port, request: requestOf(seriesIn("EUR"), api.ready.key) };
  await loadOnce(loader, target, { connections: 4 }, 500);
  const rounds = [];
  for (let round = 0; round < 5; round += 1) rounds.push(await loadOnce(loader, target, { connections: 4 }, 1_000));
  report({
    id: "P22",
    what: "series of 10000 at 4 connections, p99",
    figure: median(rounds.map(({ p99Ms }) => p99Ms)),
    unit: "ms",
    goal: { atMost: 10 },
    raw: `${median(rounds.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} µs CPU a page`,
  });
  const asked = async (path: string, from: number): Promise<number> => {
    const figures: number[] = [];
    for (let ask = 0; ask < FIRST_ASKS; ask += 1) {
      const knownAt = new Date(Date.now() - (from + ask) * 1_000).toISOString();
      figures.push(await timed(api.ready, `${path}&known_at=${knownAt}`));
    }
    return median(figures);
  };
  const now = await timed(api.ready, BARS);
  const pages = {
    bars: await asked(BARS, 100),
    hundred: await asked(BARS.replace("limit=10000", "limit=100"), 200),
    series: await asked(seriesIn("EUR"), 300),
  };
  report({
    id: "P22",
    what: "bars of 10000 with a known_at that nobody asked for before",
    figure: pages.bars,
    unit: "ms",
    raw: `the first page of now took ${now.toFixed(0)} ms; with known_at 100 bars take ${pages.hundred.toFixed(1)} ms, a series of 10000 ${pages.series.toFixed(0)} ms`,
  });
  await Promise.all([api.stop(), loader.stop()]);
};

const LEDGER = ["bars_past", "settlements_past", "fx_tables_past", "corrections", "revisions"];

/** Each correction in a statement of its own, which is the most it takes. */
const storage = async (serverUrl: string, { report }: BenchContext): Promise<void> => {
  const database = await makeDatabase(serverUrl);
  const client = postgres(database.url, { max: 1, onnotice: () => undefined });
  try {
    const store = await openStore({ databaseUrl: database.url });
    const sizeOf = async (tables: readonly string[]): Promise<number> => {
      const [row] = await client.unsafe(
        `select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest(array['${tables.join("','")}']) as name`,
      );
      return Number(row?.["bytes"]);
    };
    const empty = await sizeOf(LEDGER);
    const bars = dailyBars().slice(0, 4_000);
    await upsertBars(store, bars);
    const [before, revisions] = [await sizeOf(LEDGER), await sizeOf(["revisions"])];
    for (const [place, bar] of bars.entries()) await upsertBars(store, [{ ...bar, close: `${1_000 + place}.25` }]);
    const bytes = (await sizeOf(LEDGER)) - before;
    report({
      id: "P22",
      what: "storage of a correction in a revision of its own",
      figure: bytes / bars.length / 1_024,
      unit: "KiB",
      isCount: true,
      raw: `${(bytes / bars.length).toFixed(0)} bytes, ${(((await sizeOf(["revisions"])) - revisions) / bars.length).toFixed(0)} of them the revision's; an empty ledger takes ${(empty / 1_024).toFixed(0)} KiB`,
    });
    await store.close();
  } finally {
    await client.end();
    await database.drop();
  }
};

/** The benchmarks of the past. */
export const past: Bench = {
  ids: ["P22"],
  run: async (context) => {
    if (context.databaseUrl === null) return context.skip("P22", "no PostgreSQL server answers");
    const database = await makeBarsDatabase(context.databaseUrl);
    try {
      await addRates(database.url);
      await requests(database.url, context);
    } finally {
      await database.drop();
    }
    await storage(context.databaseUrl, context);
  },
};
