/** Statements that the embedded engine keeps prepared. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Engine } from "./engine.ts";

describe("a prepared statement", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await Engine.open("memory://");
    await engine.exec("create table kept (id int primary key, note text)");
  });
  afterAll(() => engine.close());

  const insert = (id: number, note: string | null) =>
    engine.query("insert into kept values ($1, $2) returning id, note", [id, note]);
  const keptNow = async () =>
    (await engine.query("select statement from pg_prepared_statements where name <> ''")).rows.map(
      (row) => Object.values(row as object)[0],
    );

  it("is kept from its third run on, and returns its rows", async () => {
    for (let id = 10; id < 13; id += 1) {
      expect(await keptNow()).not.toContainEqual(expect.stringContaining("insert"));
      expect((await insert(id, null)).rows).toEqual([{ id, note: null }]);
    }
    expect(await keptNow()).toContainEqual(expect.stringContaining("insert"));
    expect((await insert(1, 'a "quoted" é')).rows).toEqual([{ id: 1, note: 'a "quoted" é' }]);
    expect((await insert(2, null)).rows).toEqual([{ id: 2, note: null }]);
  });

  it.each([
    ["select $1::int where $2::boolean", [1, true], [[1]]],
    ["select $1::int where $2::boolean", [1, false], []],
    ["select $1::bytea = '\\x6869'", [new Uint8Array([104, 105])], [[true]]],
    ["select $1::jsonb ->> 'a'", [{ a: "é" }], [["é"]]],
    ["select $1::timestamptz = '2026-02-28T12:00:00Z'", [new Date("2026-02-28T12:00:00Z")], [[true]]],
    ["select array_length($1::text[], 1)", ["{a,b}"], [[2]]],
    ["select $1::text is null", [null], [[true]]],
  ])("answers %s with %j as it does when it is not kept", async (text, params, rows) => {
    for (let run = 0; run < 4; run += 1) expect((await engine.query(text, [...params], { rowMode: "array" })).rows).toEqual(rows);
    expect(await keptNow()).toContain(text);
  });

  it("runs again after it was refused, and leaves nothing of the refusal to what follows", async () => {
    await insert(3, "first");
    await expect(insert(3, "again")).rejects.toMatchObject({ code: "23505" });
    expect((await engine.query("select note from kept where id = 3")).rows).toEqual([{ note: "first" }]);
    expect((await insert(4, "next")).rows).toEqual([{ id: 4, note: "next" }]);
  });

  it("is refused each time when it is not SQL", async () => {
    for (const _ of Array(5)) await expect(engine.query("selec 1", [])).rejects.toMatchObject({ code: "42601" });
    expect((await engine.query("select 1 as one", [])).rows).toEqual([{ one: 1 }]);
  });

  it("waits for a transaction in progress, and is not part of it", async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    await engine.transaction(async (transaction) => {
      waiting = insert(5, "outside");
      await transaction.query("insert into kept values (6, 'inside')");
      await transaction.rollback();
    });
    await waiting;
    expect((await engine.query("select id from kept where id in (5, 6)")).rows).toEqual([{ id: 5 }]);
  });

  it("runs unkept when very many are kept already", async () => {
    for (let turn = 0; turn < 4; turn += 1)
      for (let text = 0; text < 70; text += 1)
        expect((await engine.query(`select $1::text || '${text}' as said`, [turn])).rows).toEqual([{ said: `${turn}${text}` }]);
    expect(await keptNow()).toHaveLength(64);
  });
});
