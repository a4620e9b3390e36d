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
    engine.queryPrepared("insert into kept values ($1::text::int, $2) returning id, note", [id, note]);

  it("runs with other parameters each time, and returns its rows", async () => {
    expect((await insert(1, 'a "quoted" é')).rows).toEqual([{ id: 1, note: 'a "quoted" é' }]);
    expect((await insert(2, null)).rows).toEqual([{ id: 2, note: null }]);
    expect((await engine.queryPrepared("select 1 where $1::text::int = 0", [1])).rows).toEqual([]);
  });

  it("runs again after it was refused, and leaves nothing of the refusal to what follows", async () => {
    await insert(3, "first");
    await expect(insert(3, "again")).rejects.toMatchObject({ code: "23505" });
    expect((await engine.query("select note from kept where id = 3")).rows).toEqual([{ note: "first" }]);
    expect((await insert(4, "next")).rows).toEqual([{ id: 4, note: "next" }]);
  });

  it("is refused each time when it is not SQL", async () => {
    for (const _ of [1, 2]) await expect(engine.queryPrepared("selec 1", [])).rejects.toMatchObject({ code: "42601" });
    expect((await engine.queryPrepared("select 1 as one", [])).rows).toEqual([{ one: 1 }]);
  });

  it("waits for a transaction in progress, and is not part of it", async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    await engine.transaction(async (transaction) => {
      waiting = insert(5, "outside");
      await transaction.query("insert into kept values (6, 'inside')");
      await transaction.rollback();
    });
    await waiting;
    expect((await engine.query("select id from kept where id > 4")).rows).toEqual([{ id: 5 }]);
  });

  it("runs unkept when very many are kept already", async () => {
    for (let turn = 0; turn < 2; turn += 1)
      for (let text = 0; text < 70; text += 1)
        expect((await engine.queryPrepared(`select $1::text || '${text}' as said`, [turn])).rows).toEqual([
          { said: `${turn}${text}` },
        ]);
    const { rows } = await engine.query("select count(*)::int as count from pg_prepared_statements where name <> ''");
    expect(rows).toEqual([{ count: 64 }]);
  });
});
