/** A suite's own PostgreSQL database and Redis database, on the servers named in the environment. */
import { createTestDatabase } from "@assay/db/testing";
import { createClient } from "@redis/client";
import postgres from "postgres";

export const DATABASE_SERVER: string | undefined = process.env.TEST_DATABASE_URL || undefined;
const REDIS_SERVER: string | undefined = process.env.TEST_REDIS_URL || undefined;

/** Whether suites over shared engines can run. */
export const hasServers = DATABASE_SERVER !== undefined && REDIS_SERVER !== undefined;

/** Why suites do not run, when they do not. */
export const sayWhySkipped = (what: string): void => {
  const missing = [
    ...(DATABASE_SERVER === undefined ? ["TEST_DATABASE_URL"] : []),
    ...(REDIS_SERVER === undefined ? ["TEST_REDIS_URL"] : []),
  ];
  if (missing.length > 0)
    console.info(`${what}: skipped, because ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set`);
};

export interface OwnDatabase {
  readonly url: string;
  /** A connection for inspection only. */
  readonly sql: postgres.Sql;
  drop(): Promise<void>;
}

export const createDatabase = async (server: string = DATABASE_SERVER ?? ""): Promise<OwnDatabase> => {
  const { url, drop } = await createTestDatabase(server);
  const sql = postgres(url, { max: 2, onnotice: () => undefined });
  return { url, sql, drop: () => sql.end().then(drop) };
};

/** A suite's own logical database of Redis. */
export interface OwnRedis {
  readonly url: string;
  /** The events published between processes, in order. */
  events(): Promise<Record<string, unknown>[]>;
  /** Deletes everything, as a restart without persistence does. */
  loseAll(): Promise<void>;
  release(): Promise<void>;
}

type Reading = Pick<ReturnType<typeof createClient>, "xRange">;

const eventsOf = async (client: Reading): Promise<Record<string, unknown>[]> =>
  ((await client.xRange("assay:events", "-", "+")) ?? []).flatMap((entry) =>
    entry ? [JSON.parse(String(entry.message.event ?? "{}"))] : [],
  );

/** The events published on a server, in order. */
export const redisEvents = async (url: string): Promise<Record<string, unknown>[]> => {
  const client = createClient({ url }).on("error", () => undefined);
  await client.connect();
  try {
    return await eventsOf(client);
  } finally {
    client.destroy();
  }
};

const LOGICAL_DATABASES = 16;
const MARK = "assay-e2e:in-use-until";
/** No suite runs longer; data of a killed one may be deleted after this. */
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

/** Claims a logical database that is empty, or contains only data of a killed suite. */
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
        events: () => eventsOf(client),
        loseAll: async () => {
          // The mark survives: the database still belongs to this suite.
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
