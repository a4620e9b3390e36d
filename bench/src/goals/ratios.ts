/** R1: 25 years of ratios, cold and from memory, compared with the same quotients through the bare driver. */
import { openStore, upsertBars } from "@assay/db";
import { MarketView } from "@assay/services";
import { simulatedBars } from "@assay/simulator";
import postgres from "postgres";
import type { Bench, BenchContext } from "../bench.ts";
import { makeBarsDatabase } from "../fixtures/bars-database.ts";
import { median } from "../measure/statistics.ts";

const FROM_MS = Date.UTC(2001, 10, 1);
const TO_MS = Date.UTC(2026, 9, 31);
const ROUNDS = 15;

/** The quotients as PostgreSQL rounds them: half away from zero, which is half up for prices. */
const QUERY = `select json_agg(point)::text as body from (
  select to_char(n.bar_start at time zone 'UTC', 'YYYY-MM-DD') as date, round(n.close / d.close, 4)::text as ratio,
    n.close::text as numerator_close, d.close::text as denominator_close
  from bars n join bars d on d.symbol = 'XAG-USD-SPOT' and d.interval = '1d' and d.bar_start = n.bar_start and d.is_closed
  where n.symbol = 'XAU-USD-SPOT' and n.interval = '1d' and n.is_closed and n.bar_start between $1 and $2
  order by n.bar_start desc) as point`;

const timed = async (work: () => Promise<void>): Promise<number> => {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
};

const measure = async (databaseUrl: string, { report }: BenchContext): Promise<void> => {
  const store = await openStore({ databaseUrl });
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    await upsertBars(store, [...simulatedBars("XAG-USD-SPOT", "1d", Date.UTC(1996, 0, 1), TO_MS + 86_400_000, 1)]);
    const page = async (view: MarketView): Promise<void> => {
      const points = await view.ratios.pointsOf("gold-silver");
      Buffer.from(points.slice(points.page(FROM_MS, TO_MS, 10_000)));
    };
    const bySql = () =>
      timed(async () => void (await client.unsafe(QUERY, [new Date(FROM_MS), new Date(TO_MS)], { prepare: true })));
    const kept = new MarketView({ store, keepsHours: false });
    await page(kept);
    const times: { readonly cold: number; readonly warm: number; readonly sql: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const cold = await timed(() => page(new MarketView({ store, keepsHours: false })));
      times.push({ cold, warm: await timed(() => page(kept)), sql: await bySql() });
    }
    const of = (figure: "cold" | "warm" | "sql"): number => median(times.map((each) => each[figure]));
    const what = "25 years of ratios, time against the same SQL through the driver";
    const raw = `${of("cold").toFixed(1)} / ${of("warm").toFixed(2)} / ${of("sql").toFixed(1)} ms (first / from memory / SQL)`;
    const ratio = (figure: "cold" | "warm"): number => median(times.map((each) => each[figure] / each.sql));
    report({ id: "R1", what: `${what}: from memory`, figure: ratio("warm"), unit: "×", goal: { atMost: 2 }, raw });
    report({ id: "R1", what: `${what}: the first time, every day since 1996`, figure: ratio("cold"), unit: "×", raw });
  } finally {
    await client.end();
    await store.close();
  }
};

/** The ratios benchmark. */
export const ratios: Bench = {
  ids: ["R1"],
  run: async (context) => {
    if (context.databaseUrl === null) return context.skip("R1", "no PostgreSQL server answers");
    const database = await makeBarsDatabase(context.databaseUrl);
    try {
      await measure(database.url, context);
    } finally {
      await database.drop();
    }
  },
};
