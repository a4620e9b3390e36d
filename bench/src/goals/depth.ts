/** D1 to D3: pages at any depth of the store, and imports compared with psql's COPY. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BAR_SYMBOLS } from "@assay/contract";
import { openStore, readBars, type Store } from "@assay/db";
import { BarBook } from "@assay/services";
import postgres from "postgres";
import type { Bench, BenchContext } from "../bench.ts";
import { makeDatabase } from "../fixtures/bars-database.ts";
import { median } from "../measure/statistics.ts";
import { ASSAY } from "../ours/service.ts";

/** Behind the newest minute. */
const DEEP_UNTIL_MS = Date.UTC(2026, 10, 1);

/** Fills the table of bars with minutes up to the same last one; what is there stays. */
const fillMinutes = async (client: postgres.Sql, rows: number): Promise<void> => {
  const each = Math.ceil(rows / BAR_SYMBOLS.length);
  const from = new Date(DEEP_UNTIL_MS - each * 60_000).toISOString();
  const until = new Date(DEEP_UNTIL_MS - 60_000).toISOString();
  const price = (level: string): string => `${level} + n % 977 * 0.05`;
  await client.unsafe(`
    insert into bars
    select symbol, '1m', start, ${price("3991.80")}, ${price("3995.80")}, ${price("3981.80")}, ${price("3991.90")},
      case when symbol like '%SPOT' then null else n % 353 end, true, 'bench'
    from unnest(array[${BAR_SYMBOLS.map((symbol) => `'${symbol}'`).join(",")}]) as symbol,
      generate_series('${from}'::timestamptz, '${until}'::timestamptz, interval '1 minute') with ordinality as minute (start, n)
    on conflict do nothing`);
  // Otherwise the server does this while pages are measured.
  await client.unsafe("vacuum (analyze) bars");
  await client.unsafe("checkpoint");
};

const run = promisify(execFile);
const DEPTHS = [200_000, 2_000_000];
/** Takes minutes to fill. */
const DEEPEST = 20_000_000;
const PAGES = 200;
const COLD_STARTS = 5;
const IMPORT_ROWS = 1_000_000;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

const pageAt = async (store: Store, toMs: number): Promise<number> => {
  const figures: number[] = [];
  for (let round = 0; round < PAGES; round += 1) {
    figures.push(await timed(() => readBars(store, { symbol: "GC", interval: "1m", fromMs: 0, toMs, limit: 100 })));
  }
  return median(figures);
};

/** The first page of a freshly started process, and its memory afterwards. */
const coldPage = async (store: Store): Promise<{ ms: number; held: number }> => {
  const book = new BarBook(store);
  const query = {
    symbol: "GC",
    interval: "1m",
    fromMs: DEEP_UNTIL_MS - 30 * 86_400_000,
    toMs: DEEP_UNTIL_MS,
    limit: 100,
  } as const;
  const ms = await timed(() => book.page({ ...query, asOfMs: Number.POSITIVE_INFINITY }));
  return { ms, held: book.heldOf("GC", "1m") };
};

const pages = async (store: Store, client: postgres.Sql, { report, isDeep }: BenchContext): Promise<void> => {
  const depths = isDeep ? [...DEPTHS, DEEPEST] : DEPTHS;
  const millions = depths.map((rows) => rows / 1_000_000);
  const deepest = `${millions.at(-1)} M rows`;
  const newest: number[] = [];
  const cold: number[] = [];
  let oldest = 0;
  let held = 0;
  for (const rows of depths) {
    await fillMinutes(client, rows);
    newest.push(await pageAt(store, DEEP_UNTIL_MS));
    oldest = await pageAt(store, DEEP_UNTIL_MS - (rows / 7 - 200) * 60_000);
    const starts: number[] = [];
    for (let start = 0; start < COLD_STARTS; start += 1) {
      const { ms, held: bars } = await coldPage(store);
      starts.push(ms);
      held = bars;
    }
    cold.push(median(starts));
  }
  const of = (figures: readonly number[]): number => (figures.at(-1) ?? 0) / (figures[0] ?? 1);
  const raw = (figures: readonly number[]): string =>
    `${figures.map((ms) => ms.toFixed(2)).join(" / ")} ms at ${millions.join(" / ")} M rows`;
  const flat = { unit: "×", goal: { atMost: 1.5 } } as const;
  report({ id: "D1", what: `100 bars from the store, ${deepest} against 0.2 M`, figure: of(newest), ...flat, raw: raw(newest) });
  const walked = `${oldest.toFixed(2)} against ${newest.at(-1)?.toFixed(2)} ms`;
  report({
    id: "D1",
    what: `the oldest page against the newest, ${deepest}`,
    figure: oldest / (newest.at(-1) ?? 1),
    ...flat,
    raw: walked,
  });
  const holds = `${raw(cold)}; ${held} bars held`;
  report({
    id: "D2",
    what: `first page of a new process, ${deepest} against ${millions.at(-2)} M`,
    figure: (cold.at(-1) ?? 0) / (cold.at(-2) ?? 1),
    unit: "×",
    // Two hundred thousand are not yet the thirty days that a process holds.
    ...(isDeep ? flat : {}),
    raw: holds,
  });
};

const writeCsv = async (path: string): Promise<void> => {
  const file = createWriteStream(path);
  file.write("bar_start,open,high,low,close,volume,is_closed\n");
  let lines: string[] = [];
  for (let index = 0; index < IMPORT_ROWS; index += 1) {
    const level = (base: number): string => (base + (index % 977) * 0.05).toFixed(2);
    const start = new Date(Date.UTC(2006, 0, 2) + index * 60_000).toISOString().slice(0, 19);
    lines.push(`${start}Z,${level(591.8)},${level(595.8)},${level(581.8)},${level(591.9)},${index % 353},true\n`);
    if (lines.length < 20_000) continue;
    if (!file.write(lines.join(""))) await once(file, "drain");
    lines = [];
  }
  file.end(lines.join(""));
  await once(file, "close");
};

const imports = async (serverUrl: string, folder: string, { report }: BenchContext): Promise<void> => {
  const path = join(folder, "minutes.csv");
  await writeCsv(path);
  const ours: number[] = [];
  const copied: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const database = await makeDatabase(serverUrl);
    try {
      const env = { ...process.env, DATABASE_URL: database.url };
      const options = ["--symbol", "GC", "--interval", "1m", "--no-aggregate", path];
      ours.push(await timed(() => run(process.execPath, [ASSAY, "import", ...options], { env, maxBuffer: 1 << 24 })));
      const client = postgres(database.url, { max: 1, onnotice: () => undefined });
      await client`truncate bars`;
      await client`alter table bars alter symbol set default 'GC', alter interval set default '1m', alter source_id set default 'b'`;
      await client.end();
      const copy = `\\copy bars(bar_start, open, high, low, close, volume, is_closed) from '${path}' csv header`;
      copied.push(await timed(() => run("psql", [database.url, "-qc", copy])));
    } finally {
      await database.drop();
    }
  }
  const rate = (ms: number): string => `${Math.round(IMPORT_ROWS / ms)} k rows/s`;
  report({
    id: "D3",
    what: "import of a million minutes, checked, as a command, against psql's copy of the same file",
    figure: median(copied) / median(ours),
    unit: "×",
    goal: { atLeast: 0.5 },
    raw: `${rate(median(ours))} against ${rate(median(copied))}, primary key in place`,
  });
};

/** The benchmarks of depth. */
export const depth: Bench = {
  ids: ["D1", "D2", "D3"],
  run: async (context) => {
    const { databaseUrl, wants } = context;
    if (databaseUrl === null) return context.skip("D1 to D3", "no PostgreSQL server answers");
    const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
    try {
      if (wants("D3")) await imports(databaseUrl, folder, context);
      if (!wants("D1") && !wants("D2")) return;
      const database = await makeDatabase(databaseUrl);
      const store = await openStore({ databaseUrl: database.url });
      const client = postgres(database.url, { max: 1, onnotice: () => undefined });
      try {
        await pages(store, client, context);
      } finally {
        await client.end();
        await store.close();
        await database.drop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
