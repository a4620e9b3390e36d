/** P12: hours out of minutes, against DuckDB over the same rows, text out. */
import { aggregateBars, type BarRow, simulatedBars } from "@assay/pricing";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Bench } from "../bench.ts";
import { median } from "../measure/statistics.ts";

const DAYS = 365;
const ROUNDS = 9;
const UNTIL_MS = Date.UTC(2026, 10, 1);

/** The rows are those of the store, figures as decimal text; so are the hours. */
const QUERY = `
  select epoch_ms(time_bucket(interval '1 hour', bar_start)) as start, first(open order by bar_start) as open,
    max(high::decimal(18,6))::varchar as high, min(low::decimal(18,6))::varchar as low, last(close order by bar_start) as close,
    sum(volume::decimal(18,2))::varchar as volume
  from minutes group by 1 order by 1`;

const minutesOf = (): BarRow[] => [...simulatedBars("GC", "1m", UNTIL_MS - DAYS * 86_400_000, UNTIL_MS, 1)];

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
    const ours: number[] = [];
    const theirs: number[] = [];
    let hours = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      let startedMs = performance.now();
      hours = aggregateBars(minutes, "1h", UNTIL_MS).length;
      ours.push(performance.now() - startedMs);
      startedMs = performance.now();
      const rows = (await connection.runAndReadAll(QUERY)).getRows().length;
      theirs.push(performance.now() - startedMs);
      if (rows !== hours) throw new Error(`${rows} hours instead of ${hours}`);
    }
    connection.closeSync();
    instance.closeSync();
    report({
      id: "P12",
      what: `${hours} hours out of ${minutes.length} minutes, against DuckDB over the same rows, text out`,
      figure: median(ours) / median(theirs),
      unit: "×",
      goal: { atMost: 0.3 },
      raw: `${median(ours).toFixed(1)} against ${median(theirs).toFixed(1)} ms`,
    });
  },
};
