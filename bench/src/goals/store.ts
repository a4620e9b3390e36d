/** P9 and P10: reading a long series cold, and writing in batches, compared with the driver. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openStore, readEncodedBars, upsertBars } from "@assay/db";
import type { BarRow } from "@assay/pricing";
import { BarArena } from "@assay/services";
import postgres from "postgres";
import type { Bench, BenchContext } from "../bench.ts";
import { dailyBars, makeBarsDatabase, makeDatabase, SERIES } from "../fixtures/bars-database.ts";
import { median } from "../measure/statistics.ts";
import { drizzlePage } from "../references/bars-servers.ts";

/** A round of ours takes a few milliseconds, so it needs many to be compiled, and to have its share of collections. */
const READ_ROUNDS = 60;
const WARM_UP_ROUNDS = 40;
const ROWS = 10_000;
const WRITE_ROUNDS = 7;
const WRITE_ROWS = 200_000;

/** CPU this process uses for some work, in milliseconds. */
const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const readCold = async (databaseUrl: string, { report }: BenchContext): Promise<void> => {
  const store = await openStore({ databaseUrl });
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const newestMs = dailyBars().at(-ROWS)?.barStartMs ?? 0;
  // Sequentially: interleaved, each would collect the other's garbage.
  const rounds = async (work: () => Promise<unknown>): Promise<number[]> => {
    const figures: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + READ_ROUNDS; round += 1) figures.push(await cpuOf(work));
    return figures.slice(WARM_UP_ROUNDS);
  };
  const ours = await rounds(async () => {
    const { bytes, startsMs, lengths } = await readEncodedBars(store, SERIES.symbol, SERIES.interval, newestMs);
    return BarArena.load(bytes, startsMs, lengths);
  });
  const rows = await rounds(() => drizzlePage(client, ROWS));
  report({
    id: "P9",
    what: "10000 bars cold from PostgreSQL into memory, Node CPU against drizzle rows",
    figure: median(ours) / median(rows),
    unit: "×",
    goal: { atMost: 0.12 },
    raw: `${median(ours).toFixed(2)} against ${median(rows).toFixed(2)} ms`,
  });
  await client.end();
  await store.close();
};

/** Minutes for the given number of rows. */
const minutes = (round: number): BarRow[] => {
  const startMs = Date.UTC(2000 + round, 0, 1);
  return Array.from({ length: WRITE_ROWS }, (_, index) => ({
    symbol: "GC",
    interval: "1m",
    barStartMs: startMs + index * 60_000,
    open: "4003.20",
    high: "4004.10",
    low: "4002.90",
    close: `40${String(index % 90).padStart(2, "0")}.50`,
    volume: String(index % 977),
    isClosed: true,
    sourceId: "bench",
  }));
};

const copyLine = (row: BarRow): string =>
  `${row.symbol}\t${row.interval}\t${new Date(row.barStartMs).toISOString()}\t${row.open}\t${row.high}\t${row.low}\t${row.close}\t${row.volume}\tt\t${row.sourceId}\n`;

const write = async (databaseUrl: string, { report }: BenchContext): Promise<void> => {
  const store = await openStore({ databaseUrl });
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const ours: number[] = [];
  const copied: number[] = [];
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now();
    await work();
    return WRITE_ROWS / ((performance.now() - startedMs) / 1000);
  };
  for (let round = 0; round < WRITE_ROUNDS; round += 1) {
    const rows = minutes(round);
    await client`truncate bars`;
    ours.push(await timed(() => upsertBars(store, rows)));
    await client`truncate bars`;
    copied.push(
      await timed(async () => {
        const sink =
          await client`copy bars (symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id) from stdin`.writable();
        const blocks = function* (): Generator<string> {
          for (let start = 0; start < rows.length; start += 1_000)
            yield rows
              .slice(start, start + 1_000)
              .map(copyLine)
              .join("");
        };
        await pipeline(Readable.from(blocks()), sink);
      }),
    );
  }
  report({
    id: "P10",
    what: "batch upsert, rows per second against the driver's COPY",
    figure: median(ours.map((own, round) => own / (copied[round] ?? Number.NaN))),
    unit: "×",
    goal: { atLeast: 0.65 },
    raw: `${median(ours).toFixed(0)} against ${median(copied).toFixed(0)} rows/s, primary key in place`,
  });
  await client.end();
  await store.close();
};

/** The store benchmarks. */
export const store: Bench = {
  ids: ["P9", "P10"],
  run: async (context) => {
    if (context.databaseUrl === null) return context.skip("P9, P10", "no PostgreSQL server answers");
    if (context.wants("P9")) {
      const database = await makeBarsDatabase(context.databaseUrl);
      await readCold(database.url, context).finally(database.drop);
    }
    if (context.wants("P10")) {
      const database = await makeDatabase(context.databaseUrl);
      await write(database.url, context).finally(database.drop);
    }
  },
};
