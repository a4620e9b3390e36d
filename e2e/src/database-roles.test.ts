/** The shipped database roles: what each may do with every table, and what it may not. */
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRoles, type DatabaseRoles, ROLES, type Role } from "./harness/deployment.ts";
import { createDatabase, DATABASE_SERVER, type OwnDatabase } from "./harness/servers.ts";
import { MIGRATE, runEntry } from "./harness/service.ts";

if (DATABASE_SERVER === undefined) console.info("database roles: skipped, because TEST_DATABASE_URL is not set");

const MARKET =
  "archives bars beliefs day_pairs dealer_quotes feed_runs fx_tables history_gaps imports rate_sets settlements source_records surfaces ticks writer_fence".split(
    " ",
  );
const marketFor = (rights: string): Record<string, string> => Object.fromEntries(MARKET.map((table) => [table, rights]));

/** What triggers write with the owner's rights. */
const LEDGER = Object.fromEntries(
  "bars_past corrections fx_tables_past revisions settlements_past".split(" ").map((table) => [table, "r"]),
);

const ALERTS = {
  organisations: "R",
  api_keys: "R",
  alerts: "rwd",
  endpoints: "rwd",
  alert_revision: "r",
  alert_cursors: "rawd",
  deliveries: "rawd",
};

/** The whole rights of each role: `r` select, `a` insert, `w` update, `d` delete; on some columns only in capitals. */
const RIGHTS: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  api: {
    ...marketFor("r"),
    ...LEDGER,
    organisations: "rW",
    api_keys: "raW",
    usage_daily: "raw",
    idempotency_keys: "raw",
    service_secrets: "ra",
    alerts: "raw",
    endpoints: "raW",
    deliveries: "rAW",
    alert_revision: "rw",
  },
  stream: { ...marketFor("r"), ...LEDGER, organisations: "r", api_keys: "rW", usage_daily: "raw" },
  writer: { ...marketFor("rawd"), ...LEDGER, idempotency_keys: "Rd", ...ALERTS },
};

const LETTERS = { select: "r", insert: "a", update: "w", delete: "d", truncate: "D", references: "x", trigger: "t" } as const;

describe.skipIf(DATABASE_SERVER === undefined)(
  "the roles of deploy/postgres/roles.sql",
  { meta: { needs: "TEST_DATABASE_URL is not set" } },
  () => {
    let database: OwnDatabase;
    let roles: DatabaseRoles;
    beforeAll(async () => {
      database = await createDatabase();
      expect(await runEntry(MIGRATE, { DATABASE_URL: database.url })).toMatchObject({ code: 0, stderr: "" });
      roles = await createRoles(database);
    });
    afterAll(async () => {
      await roles?.drop();
      await database?.drop();
    });

    const as = async <T>(role: Role, work: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
      const sql = postgres(roles.urls[role], { max: 1, onnotice: () => undefined });
      try {
        return await work(sql);
      } finally {
        await sql.end();
      }
    };

    it.each(ROLES)("give %s these rights on the tables and no others, so that a new table needs a decision", async (role) => {
      const user = new URL(roles.urls[role]).username;
      const checks = Object.entries(LETTERS).map(([right, letter]) => {
        const onSome = ["select", "insert", "update"].includes(right)
          ? `when has_any_column_privilege('${user}', c.oid, '${right}') then '${letter.toUpperCase()}'`
          : "";
        return `case when has_table_privilege('${user}', c.oid, '${right}') then '${letter}' ${onSome} else '' end`;
      });
      const rows = await database.sql.unsafe<{ name: string; rights: string }[]>(
        `select relname as name, ${checks.join(" || ")} as rights from pg_class c
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') order by relname`,
      );
      const held = Object.fromEntries(rows.filter(({ rights }) => rights !== "").map(({ name, rights }) => [name, rights]));
      expect(held).toEqual(RIGHTS[role]);
      // Whoever inserts a bar takes the number of a COPY in the owner's name.
      const named = new Set(["copies", ...Object.values(RIGHTS).flatMap((tables) => Object.keys(tables))]);
      expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
    });

    it.each(ROLES)("do not let %s make or change a table, schema, role or database", async (role) => {
      for (const statement of [
        "create table mine (id int)",
        "create schema mine",
        "create temporary table mine (id int)",
        "create role mine",
        "create database mine",
        "alter table ticks add column mine int",
        "drop table ticks",
        "truncate ticks",
        "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 0)",
        "copy ticks to program 'cat'",
        "select pg_read_file('/etc/hostname')",
      ])
        await expect(
          as(role, (sql) => sql.unsafe(statement)),
          statement,
        ).rejects.toMatchObject({ code: "42501" });
    });

    it.each<[Role, string]>([
      ["api", "insert into ticks (instrument, seq, computed_at, payload) values ('XAU-USD-SPOT', 1, now(), '{}')"],
      ["api", "update bars set close = 1"],
      ["api", "update writer_fence set token = token + 1"],
      ["api", "insert into organisations (id, name, tier, created_at) values ('o', 'Mine', 'realtime_pro', now())"],
      ["api", "update organisations set tier = 'realtime_pro'"],
      ["api", "update api_keys set key_hash = key_hash"],
      ["api", "delete from api_keys"],
      ["api", "delete from usage_daily"],
      ["api", "update endpoints set url = 'https://elsewhere.example/'"],
      ["api", "update deliveries set payload = '{}'"],
      ["api", "insert into deliveries (id, alert_id, seq) values ('forged', 'alert', 1)"],
      ["api", "update service_secrets set value = ''"],
      ["stream", "select value from service_secrets"],
      ["stream", "select sealed from idempotency_keys"],
      ["stream", "update api_keys set revoked_at = null"],
      ["stream", "insert into bars select * from bars"],
      ["writer", "update bars_past set close = 1"],
      ["writer", "delete from corrections"],
      ["writer", "update revisions set recorded_at = 'epoch'"],
      ["writer", "select revise()"],
      ["writer", "select key_hash from api_keys"],
      ["writer", "select * from organisations"],
      ["writer", "select value from service_secrets"],
      ["writer", "select sealed from idempotency_keys"],
      ["writer", "update usage_daily set calls = 0"],
    ])("refuse %s: %s", async (role, statement) => {
      await expect(as(role, (sql) => sql.unsafe(statement))).rejects.toMatchObject({ code: "42501" });
    });

    it("can be applied again after an upgrade", () => roles.apply());

    it.each(["stream", "writer"] as const)(
      "differ from the owner's: a process of role %s refuses a database without tables, in one line",
      async (role) => {
        const empty = await createDatabase();
        try {
          const address = new URL(roles.urls[role]);
          address.pathname = new URL(empty.url).pathname;
          const { code, stderr } = await runEntry(role, { DATABASE_URL: address.href, REDIS_URL: "redis://127.0.0.1:1" });
          expect(code).toBe(1);
          expect(stderr.trim().split("\n")).toHaveLength(1);
          expect(stderr).toMatch(/^DATABASE_URL is .*`assay migrate`/);
        } finally {
          await empty.drop();
        }
      },
    );
  },
);
