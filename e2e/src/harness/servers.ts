/** A PostgreSQL database and a Redis of a suite's own, on the servers the environment names. */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { createClient } from "redis";

/** The servers, when suites may use them. */
export const DATABASE_SERVER: string | undefined = process.env.TEST_DATABASE_URL || undefined;
export const REDIS_SERVER: string | undefined = process.env.TEST_REDIS_URL || undefined;

/** Whether suites over shared engines can run. */
export const hasServers = DATABASE_SERVER !== undefined && REDIS_SERVER !== undefined;

/** Says why suites do not run, where they do not. */
export const sayWhySkipped = (what: string): void => {
  const missing = [
    ...(DATABASE_SERVER === undefined ? ["TEST_DATABASE_URL"] : []),
    ...(REDIS_SERVER === undefined ? ["TEST_REDIS_URL"] : []),
  ];
  if (missing.length > 0)
    console.info(`${what}: skipped, because ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set`);
};

/** A database of a suite's own. */
export interface OwnDatabase {
  readonly url: string;
  /** For looking into it, and for nothing else. */
  readonly sql: postgres.Sql;
  drop(): Promise<void>;
}

/** Makes an empty database. */
export const createDatabase = async (server: string = DATABASE_SERVER ?? ""): Promise<OwnDatabase> => {
  const name = `assay_e2e_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const administer = async (statement: string): Promise<void> => {
    const client = postgres(server, { max: 1, onnotice: () => undefined });
    await client.unsafe(statement).finally(() => client.end());
  };
  await administer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 2, onnotice: () => undefined });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end();
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
};

/** A logical database of Redis of a suite's own. */
export interface OwnRedis {
  readonly url: string;
  /** The events processes tell each other, in order. */
  events(): Promise<Record<string, unknown>[]>;
  /** Loses everything, as a restart without persistence does. */
  loseAll(): Promise<void>;
  release(): Promise<void>;
}

const LOGICAL_DATABASES = 16;
const MARK = "assay-e2e:in-use-until";
/** No suite runs longer; what a killed one left may be thrown away then. */
const HELD_MS = 15 * 60_000;

const openLogical = (server: string, index: number) => {
  const url = new URL(server);
  url.pathname = `/${index}`;
  return {
    url: url.href,
    connecting: createClient({ url: url.href })
      .on("error", () => undefined)
      .connect(),
  };
};

/** Claims a logical database that holds nothing, or only what a suite that was killed has left. */
export const claimRedis = async (server: string = REDIS_SERVER ?? ""): Promise<OwnRedis> => {
  for (let index = LOGICAL_DATABASES - 1; index > 0; index -= 1) {
    const { url, connecting } = openLogical(server, index);
    const client = await connecting;
    const mark = await client.get(MARK);
    if (mark !== null && Number(mark) < Date.now()) await client.flushDb();
    const isFree = (await client.dbSize()) === 0;
    if (isFree && (await client.set(MARK, String(Date.now() + HELD_MS), { condition: "NX" })) === "OK") {
      return {
        url,
        events: async () =>
          ((await client.xRange("assay:events", "-", "+")) ?? []).flatMap((entry) =>
            entry ? [JSON.parse(entry.message.event ?? "{}")] : [],
          ),
        loseAll: async () => {
          // The mark survives: the database is still this suite's.
          await client
            .multi()
            .flushDb()
            .set(MARK, String(Date.now() + HELD_MS))
            .exec();
        },
        release: async () => {
          await client.flushDb();
          await client.close();
        },
      };
    }
    await client.close();
  }
  throw new Error("Redis has no empty logical database left for this suite");
};
