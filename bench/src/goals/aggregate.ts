/** P12: aggregates minutes into hours, compared with DuckDB over the same rows, text out. */
import { aggregateBars, type BarRow } from "@assay/pricing";
import { simulatedBars } from "@assay/simulator";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Goal } from "../goal.ts";
import { cpuMsOfWork } from "../measure/process.ts";
import { median } from "../measure/statistics.ts";

const DAYS = 365;
const ROUNDS = 9;
const UNTIL_MS = Date.UTC(2026, 10, 1);
const ROWS_AT_ONCE = 10_000;

const TABLE =
  "create table minutes (bar_start timestamp, open varchar, high varchar, low varchar, close varchar, volume varchar)";

/** The rows are those of the store, with figures as decimal text; the hours too. */
const QUERY = `
  select epoch_ms(time_bucket(interval '1 hour', bar_start)) as start, first(open order by bar_start) as open,
    max(high::decimal(18,6))::varchar as high, min(low::decimal(18,6))::varchar as low, last(close order by bar_start) as close,
    sum(volume::decimal(18,2))::varchar as volume
  from minutes group by 1 order by 1`;

const valuesOf = ({ barStartMs, open, high, low, close, volume }: BarRow): string =>
  `(epoch_ms(${barStartMs}::bigint), ${open}, ${high}, ${low}, ${close}, ${volume ?? "null"})`;

/** Each text in its own memory, as a driver returns it, not a slice of its source. */
const minutesOf = (): BarRow[] =>
  JSON.parse(JSON.stringify([...simulatedBars("GC", "1m", UNTIL_MS - DAYS * 86_400_000, UNTIL_MS, 1)]));

/** The goal of aggregation. */
export const aggregate: Goal = {
  id: "P12",
  what: "a year of minutes to hours",
  floor: "DuckDB",
  run: async () => {
    const minutes = minutesOf();
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(TABLE);
    for (let start = 0; start < minutes.length; start += ROWS_AT_ONCE) {
      const rows = minutes.slice(start, start + ROWS_AT_ONCE).map(valuesOf);
      await connection.run(`insert into minutes values ${rows.join(",")}`);
    }
    const ours: number[] = [];
    const theirs: number[] = [];
    let hours = 0;
    let rows = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const aggregated = (): void => {
        hours = aggregateBars(minutes, "1h", UNTIL_MS).length;
      };
      const queried = async (): Promise<void> => {
        rows = (await connection.runAndReadAll(QUERY)).getRows().length;
      };
      // DuckDB works in this process as well, on as many threads as it wants.
      ours.push(await cpuMsOfWork(aggregated));
      theirs.push(await cpuMsOfWork(queried));
      if (rows !== hours) throw new Error(`${rows} hours instead of ${hours}`);
    }
    connection.closeSync();
    instance.closeSync();
    return [
      {
        what: `${hours} hours out of ${minutes.length} minutes, against DuckDB over the same rows, text out`,
        value: median(ours) / median(theirs),
        unit: "×",
        bound: { atMost: 0.3 },
        raw: `${median(ours).toFixed(1)} against ${median(theirs).toFixed(1)} ms of CPU, over all threads`,
      },
    ];
  },
};
