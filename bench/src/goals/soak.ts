/** SOAK: an hour of the default process on live-shaped feeds: memory, open files, what the disk gains, and that nothing is lost. */
import { lstatSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS } from "@assay/contract";
import { openStore } from "@assay/db";
import { sql } from "drizzle-orm";
import type { Bench, BenchContext } from "../bench.ts";
import { openLiveMarket } from "../fixtures/live-market.ts";
import { mixedLoad, untilAnswered } from "../measure/mixed-load.ts";
import { slopePerHour } from "../measure/statistics.ts";
import { mintKey, type Service, startService } from "../ours/service.ts";

const MIB = 1_048_576;
const SAMPLE_MS = 10_000;
/** Until every feed was read, and the first checkpoint has been made. */
const SETTLE_MS = 6 * MINUTE_MS;
/** A few callers, so that what serves them is in use. */
const LOAD = { clients: 2, followers: 5, perSecond: 2 };

interface Sample {
  readonly residentMiB: number;
  readonly openFiles: number;
  readonly diskMiB: number;
  /** The part of the database's log, which is reused. */
  readonly walMiB: number;
}

/** What a folder takes on the disk. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce((sum, entry) => {
    // A file may be removed while the folder is read.
    const status = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    return sum + (status?.isFile() ? status.blocks * 512 : 0);
  }, 0);

const sampleOf = (service: Service, folder: string): Sample => ({
  residentMiB: service.residentMiB(),
  openFiles: service.openFiles(),
  diskMiB: bytesBelow(folder) / MIB,
  walMiB: bytesBelow(join(folder, "db/pg_wal")) / MIB,
});

const lineOf = (minutes: number, { residentMiB, openFiles, diskMiB, walMiB }: Sample): string =>
  `SOAK: ${minutes.toFixed(0)} min: ${residentMiB.toFixed(0)} MiB resident, ${openFiles} files open, ` +
  `${diskMiB.toFixed(1)} MiB on disk, ${walMiB.toFixed(0)} MiB of it the log`;

/** Rows and size of each table, of the stopped process. */
const tablesOf = async (folder: string): Promise<{ name: string; rows: number; kib: number }[]> => {
  const store = await openStore({ dataDir: folder });
  try {
    const names = await store.db.execute(sql`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by pg_total_relation_size(oid) desc limit 8`);
    const found: { name: string; rows: number; kib: number }[] = [];
    const { rows } = names as unknown as { rows: { name: string }[] }; // as the query names them
    for (const { name } of rows) {
      const counted = await store.db.execute(
        sql`select count(*)::int as rows, (pg_total_relation_size(${name}::regclass) / 1024)::int as kib from ${sql.identifier(name)}`,
      );
      const [row] = (counted as unknown as { rows: { rows: number; kib: number }[] }).rows; // as the query names them
      if (row) found.push({ name, ...row });
    }
    return found;
  } finally {
    await store.close();
  }
};

const soakFor = async ({ report }: BenchContext, forMs: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const market = await openLiveMarket();
  const settings = { ...market.settings, DATA_DIR: folder, LOG_LEVEL: "warn" };
  try {
    const key = await mintKey(settings, "realtime_pro");
    const service = await startService("start", settings);
    await untilAnswered(service.url, key);
    const samples: Sample[] = [];
    const startedMs = performance.now();
    const minutes = (): number => (performance.now() - startedMs) / MINUTE_MS;
    const sampling = setInterval(() => {
      const sample = sampleOf(service, folder);
      if (performance.now() - startedMs >= Math.min(SETTLE_MS, forMs / 2)) samples.push(sample);
      if (Math.floor(minutes()) % 5 === 0 && minutes() % 1 < SAMPLE_MS / MINUTE_MS)
        process.stderr.write(`${lineOf(minutes(), sample)}\n`);
    }, SAMPLE_MS);
    const cpuMs = service.cpuMs();
    const load = await mixedLoad({ url: service.url, key, forMs, ...LOAD });
    clearInterval(sampling);
    const cpu = (service.cpuMs() - cpuMs) / load.seconds / 10;
    const status = (await (await fetch(`${service.url}/v1/status`)).json()) as { scrapers: Record<string, { status: string }> }; // as the contract declares it
    await service.stop();
    const tables = await tablesOf(folder);

    const of = (figure: keyof Sample): number[] => samples.map((sample) => sample[figure]);
    const span = (figures: readonly number[]): string =>
      `${(figures[0] ?? 0).toFixed(0)} at the start, ${(figures.at(-1) ?? 0).toFixed(0)} at the end, at most ${Math.max(...figures).toFixed(0)}`;
    const slope = (figures: readonly number[]): number => slopePerHour(figures, SAMPLE_MS);
    const secondHalf = (figures: readonly number[]): number[] => figures.slice(figures.length >> 1);
    const feeds = Object.values(status.scrapers);
    const raw =
      `${load.seconds.toFixed(0)} s, ${feeds.filter(({ status: each }) => each === "ok").length} of ${feeds.length} feeds well, ` +
      `${load.requests} requests, ${LOAD.followers} followers, ${load.faults.length} faults; ${cpu.toFixed(1)} % of a core`;
    const memory = of("residentMiB");
    const goal = { atMost: 300 };
    report({ id: "SOAK", what: "resident memory at the end", figure: memory.at(-1) ?? Number.NaN, unit: "MiB", goal, raw });
    report({ id: "SOAK", what: "memory, slope an hour", figure: slope(memory), unit: "MiB", raw: span(memory) });
    const late = secondHalf(memory);
    report({ id: "SOAK", what: "memory, slope an hour of the second half", figure: slope(late), unit: "MiB", raw: span(late) });
    const files = of("openFiles");
    report({ id: "SOAK", what: "open files, slope an hour", figure: slope(files), unit: "files", raw: span(files) });
    const kept = samples.map(({ diskMiB, walMiB }) => diskMiB - walMiB);
    const biggest = tables.map(({ name, rows, kib }) => `${name} ${rows} rows ${kib} KiB`).join(", ");
    report({
      id: "SOAK",
      what: "disk, gain a day without the log",
      figure: slope(kept) * 24,
      unit: "MiB",
      raw: `${span(kept)}; ${biggest}`,
    });
    report({
      id: "SOAK",
      what: "the database's log, gain a day",
      figure: slope(of("walMiB")) * 24,
      unit: "MiB",
      raw: span(of("walMiB")),
    });
    if (load.faults.length > 0) throw new Error(`${load.faults.length} faults: ${load.faults.slice(0, 5).join("; ")}`);
  } finally {
    await market.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** The soak. */
export const soak: Bench = {
  ids: ["SOAK"],
  isLong: true,
  run: (context) => soakFor(context, context.minutes * MINUTE_MS),
};
