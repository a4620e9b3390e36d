/** Reads Parquet and CSV with DuckDB, an implementation independent of ours. */
import { DuckDBInstance } from "@duckdb/node-api";

/** A bar as DuckDB returns it, with every figure as text. */
export interface ForeignBar {
  readonly bar_start: string;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string;
  readonly volume: string | null;
  readonly is_closed: boolean;
}

export const askDuckDb = async (query: string): Promise<Record<string, unknown>[]> => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    const reader = await connection.runAndReadAll(query);
    return reader.getRowObjectsJson() as Record<string, unknown>[]; // JSON values by column name
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

/** Reads the bars of a Parquet file, in file order. */
export const readParquetBars = async (path: string): Promise<ForeignBar[]> =>
  (await askDuckDb(
    `select strftime(bar_start, '%Y-%m-%dT%H:%M:%SZ') as bar_start, open::varchar as open, high::varchar as high, low::varchar as low,
       close::varchar as close, volume::varchar as volume, is_closed from read_parquet('${path}')`,
  )) as unknown as ForeignBar[]; // the query's columns

export const parquetColumns = async (path: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await askDuckDb(`describe select * from read_parquet('${path}')`)).map((row) => [
      String(row["column_name"]),
      String(row["column_type"]),
    ]),
  );
