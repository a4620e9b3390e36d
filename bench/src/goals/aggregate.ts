/** P12: aggregates minutes into hours, compared with DuckDB over the same rows, text out. */
import { aggregateBars, type BarRow } from "@assay/pricing";
import { simulatedBars } from "@assay/simulator";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Bench } from "../bench.ts";
import { median } from "../measure/statistics.ts";

const DAYS = 365;
const ROUNDS = 9;
const UNTIL_MS = Date.UTC(2026, 10, 1);

/** The rows are those of the store, with figures as decimal text; the hours too. */
const QUERY = `
  select epoch_ms(time_bucket(interval '1 hour', bar_start)) as start, first(open order by bar_start) as open,
    max(high::decimal(18,6))::varchar as high, min(low::decimal(18,6))::varchar as low, last(close order by bar_start) as close,
    sum(volume::decimal(18,2))::varchar as volume
  from minutes group by 1 order by 1`;

/** Each text in its own memory, as a driver returns it, not a slice of its source. */
const minutesOf = (): BarRow[] =>
  JSON.parse(JSON.stringify([...simulatedBars("GC", "1m", UNTIL_MS - DAYS * 86_400_000, UNTIL_MS, 1)]));

/** The duration of some work; both sides run in this process, DuckDB on as many threads as it wants. */
interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const costOf = async (work: () => Promise<void>): Promise<Cost> => {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - startedMs };
};

const of = (costs: readonly Cost[], kind: keyof Cost): number => median(costs.map((cost) => cost[kind]));

/** The benchmark. */
export const aggregate: Bench = {
  ids: ["P12"],
  run: async ({ report }) => {
    const minutes = minutesOf();
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(
      "create table minutes (bar_start timestamp, open varchar, high varchar, low varchar, close varchar, volume varchar)",
    );
    for (let start = 0; start < minutes.length; start += 10_000) {
      const rows = minutes
        .slice(start, start + 10_000)
        .map(
          (bar) =>
            `(epoch_ms(${bar.barStartMs}::bigint), ${bar.open}, ${bar.high}, ${bar.low}, ${bar.close}, ${bar.volume ?? "null"})`,
        );
      await connection.run(`insert into minutes values ${rows.join(",")}`);
    }
    const ours: Cost[] = [];
    const theirs: Cost[] = [];
    let hours = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(
        await costOf(async () => {
          hours = aggregateBars(minutes, "1h", UNTIL_MS).length;
        }),
      );
      let rows = 0;
      theirs.push(
        await costOf(async () => {
          rows = (await connection.runAndReadAll(QUERY)).getRows().length;
        }),
      );
      if (rows !== hours) throw new Error(`${rows} hours instead of ${hours}`);
    }
    connection.closeSync();
    instance.closeSync();
    report({
      id: "P12",
      what: `${hours} hours out of ${minutes.length} minutes, against DuckDB over the same rows, text out`,
      figure: of(ours, "cpuMs") / of(theirs, "cpuMs"),
      unit: "×",
      goal: { atMost: 0.3 },
      raw:
        `${of(ours, "cpuMs").toFixed(1)} against ${of(theirs, "cpuMs").toFixed(1)} ms of CPU, over all threads; ` +
        `${of(ours, "wallMs").toFixed(1)} against ${of(theirs, "wallMs").toFixed(1)} ms by the clock`,
    });
  },
};
