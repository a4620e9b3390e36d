/** D1 to D4: pages at any depth of the store, imports compared with psql's COPY, archives with DuckDB's. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CsvArchive, ParquetArchive } from "@assay/archives";
import { openStore, readBars, type Store, walkArchiveBars } from "@assay/db";
import { BarBook } from "@assay/services";
import { DuckDBInstance } from "@duckdb/node-api";
import postgres from "postgres";
import type { Bench, BenchContext } from "../bench.ts";
import { makeDatabase } from "../fixtures/bars-database.ts";
import { DEEP_UNTIL_MS, fillMinutes } from "../fixtures/deep-history.ts";
import { median } from "../measure/statistics.ts";
import { ASSAY } from "../ours/service.ts";

const run = promisify(execFile);
const DEPTHS = [200_000, 2_000_000];
/** Takes minutes to fill. */
const DEEPEST = 20_000_000;
const PAGES = 200;
const COLD_STARTS = 5;
const IMPORT_ROWS = 1_000_000;
/** The archives' store contains a whole year of minutes. */
const YEAR = 2025;
const ARCHIVE_ROWS = 7 * 1_000_000;

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

const archives = async (store: Store, folder: string, { report }: BenchContext): Promise<void> => {
  const window = {
    symbol: "GC",
    interval: "1m",
    fromMs: Date.UTC(YEAR, 0, 1),
    untilMs: Date.UTC(YEAR + 1, 0, 1),
    limit: 10_000,
  } as const;
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const ours: number[] = [];
  const encoded: number[] = [];
  const theirs: number[] = [];
  let rows = 0;
  for (let round = 0; round < 3; round += 1) {
    rows = 0;
    let encodingMs = 0;
    const parquet = new ParquetArchive();
    const csv = new CsvArchive();
    ours.push(
      await timed(async () => {
        for await (const batch of walkArchiveBars(store, window)) {
          const startedMs = performance.now();
          parquet.add(batch);
          csv.add(batch);
          encodingMs += performance.now() - startedMs;
          rows += batch.rows;
        }
        parquet.finish();
      }),
    );
    encoded.push(encodingMs);
    const text = join(folder, "year.csv");
    if (round === 0) {
      await writeFile(text, csv.finish());
      await connection.run(
        `create table year as select * from read_csv('${text}', columns = {bar_start: 'timestamptz', open: 'decimal(18,6)',
         high: 'decimal(18,6)', low: 'decimal(18,6)', close: 'decimal(18,6)', volume: 'decimal(38,9)', is_closed: 'boolean'})`,
      );
    }
    theirs.push(await timed(() => connection.run(`copy year to '${join(folder, "year.parquet")}' (format parquet)`)));
  }
  connection.closeSync();
  instance.closeSync();
  report({
    id: "D4",
    what: `a year of minutes (${rows} bars) from PostgreSQL into Parquet and CSV, against DuckDB's copy of a table to Parquet`,
    figure: median(ours) / median(theirs),
    unit: "×",
    raw: `${median(ours).toFixed(0)} ms, of which ${median(encoded).toFixed(0)} encoding, against ${median(theirs).toFixed(0)} ms`,
  });
};

/** The benchmarks of depth. */
export const depth: Bench = {
  ids: ["D1", "D2", "D3", "D4"],
  run: async (context) => {
    const { databaseUrl, wants } = context;
    if (databaseUrl === null) return context.skip("D1 to D4", "no PostgreSQL server answers");
    const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
    try {
      if (wants("D3")) await imports(databaseUrl, folder, context);
      if (!wants("D1") && !wants("D2") && !wants("D4")) return;
      const database = await makeDatabase(databaseUrl);
      const store = await openStore({ databaseUrl: database.url });
      const client = postgres(database.url, { max: 1, onnotice: () => undefined });
      try {
        if (wants("D1") || wants("D2")) await pages(store, client, context);
        if (wants("D4")) {
          await fillMinutes(client, ARCHIVE_ROWS);
          await archives(store, folder, context);
        }
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
