/** P9: a long series of bars from PostgreSQL into memory, CPU against reading it as rows of drizzle. */
import { openStore, readEncodedBars, schema, upsertBars } from "@assay/db";
import { BarArena } from "@assay/services";
import { simulatedBars } from "@assay/simulator";
import { and, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type Goal, NotMeasured } from "../goal.ts";
import { cpuMsOfWork } from "../measure/process.ts";
import { median } from "../measure/statistics.ts";

const DEFAULT_SERVER = "postgres://postgres@127.0.0.1:5432/test";
const SERIES = { symbol: "XAU-USD-SPOT", interval: "1d" } as const;
const FROM_MS = Date.UTC(1996, 0, 1);
const TO_MS = Date.UTC(2026, 10, 1);
const ROWS = 10_000;
/** A round of ours takes a few milliseconds, so it needs many to be compiled, and to have its share of collections. */
const WARM_UP_ROUNDS = 40;
const ROUNDS = 60;

const clientOf = (url: string): postgres.Sql => postgres(url, { max: 1, connect_timeout: 3, onnotice: () => undefined });

/** Uses a database of its own on a server. */
const withDatabase = async <Result>(use: (url: string) => Promise<Result>): Promise<Result> => {
  const server = process.env["TEST_DATABASE_URL"] ?? DEFAULT_SERVER;
  const name = `assay_bench_${process.pid}`;
  const admin = clientOf(server);
  try {
    await admin.unsafe(`create database ${name}`).catch((error: unknown) => {
      throw new NotMeasured("no PostgreSQL server answers", { cause: error });
    });
    const url = new URL(server);
    url.pathname = `/${name}`;
    return await use(url.href).finally(() => admin.unsafe(`drop database ${name} with (force)`));
  } finally {
    await admin.end({ timeout: 1 });
  }
};

const drizzlePage = (client: postgres.Sql) => {
  const { bars } = schema;
  const ofSeries = and(eq(bars.symbol, SERIES.symbol), eq(bars.interval, SERIES.interval));
  return drizzle(client).select().from(bars).where(ofSeries).orderBy(desc(bars.barStartMs)).limit(ROWS);
};

/** Of rounds one after another: interleaved with others, each would collect the others' garbage. */
const medianCpuMs = async (work: () => Promise<unknown>): Promise<number> => {
  const rounds: number[] = [];
  while (rounds.length < WARM_UP_ROUNDS + ROUNDS) rounds.push(await cpuMsOfWork(work));
  return median(rounds.slice(WARM_UP_ROUNDS));
};

/** The goal of a series that is not in memory yet. */
export const barsCold: Goal = {
  id: "P9",
  what: `${ROWS} bars from PostgreSQL that are not in memory yet`,
  floor: "rows of drizzle",
  run: () =>
    withDatabase(async (databaseUrl) => {
      const store = await openStore({ databaseUrl });
      const client = clientOf(databaseUrl);
      const bars = [...simulatedBars(SERIES.symbol, SERIES.interval, FROM_MS, TO_MS, 1)];
      await upsertBars(store, bars);
      const fromMs = bars.at(-ROWS)?.barStartMs ?? 0;
      const ours = await medianCpuMs(async () => {
        const { bytes, startsMs, lengths } = await readEncodedBars(store, SERIES.symbol, SERIES.interval, fromMs);
        return BarArena.load(bytes, startsMs, lengths);
      });
      const rows = await medianCpuMs(() => drizzlePage(client));
      await client.end();
      await store.close();
      return [
        {
          what: `${ROWS} bars cold from PostgreSQL into memory, Node CPU against drizzle rows`,
          value: ours / rows,
          unit: "×",
          bound: { atMost: 0.12 },
          raw: `${ours.toFixed(2)} against ${rows.toFixed(2)} ms`,
        },
      ];
    }),
};
