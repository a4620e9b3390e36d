/** Compares the declared tables with the migrated ones, on every engine. */
import { getTableColumns, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf, type Store } from "../store.ts";
import { testEngines } from "../testing/engines.ts";
import { formatInstant, parseInstant } from "./columns.ts";
import * as schema from "./index.ts";

const tables = Object.values(schema);

describe.each(testEngines)("the schema on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  const read = <Row>(query: ReturnType<typeof sql>) => store.run((db) => rowsOf<Row>(db, query));

  test("declares exactly the tables the migrations make", async () => {
    const made = await read<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public' order by table_name`,
    );
    expect(made.map((table) => table.name)).toEqual(tables.map((table) => getTableConfig(table).name).toSorted());
  });

  test.each(tables.map((table) => getTableConfig(table).name))("declares the columns and the key of %s", async (name) => {
    const table = tables.find((each) => getTableConfig(each).name === name);
    if (!table) throw new Error(name);
    const columns = await read<{ name: string; type: string; required: boolean }>(sql`
      select column_name as name, data_type as type, is_nullable = 'NO' as required
      from information_schema.columns where table_schema = 'public' and table_name = ${name} order by column_name`);
    const declared = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      required: column.notNull,
    }));
    expect(columns).toEqual(declared.toSorted((a, b) => (a.name < b.name ? -1 : 1)));

    const keys = await read<{ name: string }>(sql`
      select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = ${name}::text::regclass and indisprimary order by array_position(indkey, attnum)`);
    const config = getTableConfig(table);
    const key = config.primaryKeys[0]?.columns ?? config.columns.filter((column) => column.primary);
    expect(keys.map((column) => column.name)).toEqual(key.map((column) => column.name));
  });

  test("reads an instant back to the millisecond in whatever zone the session is", async () => {
    for (const zone of ["UTC", "Asia/Kolkata", "America/New_York"]) {
      const ms = Date.UTC(2026, 9, 25, 1, 30, 0, 7);
      const text = await read<{ at: string }>(sql`
        select ${formatInstant(ms)}::timestamptz::text as at
        from (select set_config('TimeZone', ${zone}, true) as zone) as session where session.zone is not null`);
      expect(text[0]?.at.endsWith("+00")).toBe(zone === "UTC");
      expect(parseInstant(text[0]?.at ?? "")).toBe(ms);
    }
  });
});

describe("instants", () => {
  test("come back from the text PostgreSQL prints", () => {
    const years = { min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        const printed = date.toISOString().replace("T", " ").replace("Z", "+00");
        expect(parseInstant(printed)).toBe(date.getTime());
      }),
    );
  });

  test.each(["infinity", "", "2026-11-20", "2026-13-01 00:00:00+00"])("are not read from %j", (text) => {
    expect(() => parseInstant(text)).toThrow(RangeError);
  });
});
