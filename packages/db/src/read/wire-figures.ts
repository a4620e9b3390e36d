/** Figures in wire form, formatted by the database: rounded half up, with decimals by magnitude. */
import { type SQL, sql } from "drizzle-orm";

/** A price column, rounded: two decimals from 100 up, four below 100, six below one. */
export const wirePrice = (column: string): SQL =>
  sql.raw(`round(${column}, case when abs(${column}) >= 100 then 2 when abs(${column}) >= 1 then 4 else 6 end)`);

/** The start of a bar; bars start on whole seconds, so no fraction is printed. */
export const wireStart = sql`to_char(bar_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
