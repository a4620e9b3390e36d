/** The folder of the data, the wait for a database, and what its outages leave in the log. */
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store, StoreQueryError, StoreUnavailableError } from "@assay/db";
import { type Log, RedisAwayError } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "./logger.ts";
import { makeDataFolder, untilItAnswers, untilRead, type WaitOptions, watchStore } from "./store.ts";
import { EngineCalls } from "./telemetry/durations.ts";

describe("the data folder", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-data-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

  test("is made for its owner alone", async () => {
    await makeDataFolder(join(folder, "new/data"));
    expect(await modeOf(join(folder, "new/data"))).toBe("700");
  });

  test("stays as the operator made it", async () => {
    await chmod(folder, 0o750);
    await makeDataFolder(folder);
    expect(await modeOf(folder)).toBe("750");
  });
});

describe("a start before its database", () => {
  const lines: string[] = [];
  const note = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  let nowMs = 0;
  const waiting: WaitOptions = {
    log,
    clock: Object.assign(
      withClock(machineTime, () => nowMs),
      {
        sleep: async (ms: number) => {
          nowMs += ms;
        },
      },
    ),
    withinMs: Number.POSITIVE_INFINITY,
  };

  beforeEach(() => {
    lines.length = 0;
    nowMs = 0;
  });

  const answersAfter = (tries: number) => async (): Promise<string> => {
    tries -= 1;
    if (tries >= 0) throw new StoreUnavailableError("refused", "unreachable");
    return "open";
  };

  test("says so once however often it tries, and once when it is over", async () => {
    expect(await untilItAnswers(answersAfter(30), waiting)).toBe("open");
    expect(lines).toEqual([
      'the database is unavailable; waiting for it {"engine":"database","class":"unreachable","reason":"refused"}',
      'the database is available {"engine":"database","seconds":30,"failures":29}',
    ]);
  });

  test("says nothing when the database answers", async () => {
    expect(await untilItAnswers(answersAfter(0), waiting)).toBe("open");
    expect(lines).toEqual([]);
  });

  test("gives up after its time, and at once without any", async () => {
    await expect(untilItAnswers(answersAfter(100), { ...waiting, withinMs: 5_000 })).rejects.toThrow(StoreUnavailableError);
    expect(nowMs).toBe(5_000);
    await expect(untilItAnswers(answersAfter(1), { ...waiting, withinMs: 0 })).rejects.toThrow(StoreUnavailableError);
    expect(nowMs).toBe(5_000);
  });

  test("does not wait for a database that refuses", async () => {
    const refuse = () => Promise.reject(new StoreUnavailableError("no such user", "login_refused"));
    await expect(untilItAnswers(refuse, waiting)).rejects.toThrow("no such user");
    expect(lines).toEqual([]);
  });
});

test("what a start reads is read again until the database answers, and no refusal twice", async () => {
  const clock = { sleep: async () => undefined };
  let reads = 0;
  const slow = async () => {
    reads += 1;
    if (reads < 4) throw new StoreUnavailableError("no answer within 5000 ms", "timeout");
    return "rows";
  };
  expect(await untilRead(slow, clock)).toBe("rows");
  const refused = () => Promise.reject(new StoreQueryError("no such table", "42P01"));
  await expect(untilRead(refused, clock)).rejects.toThrow("no such table");
});

describe("a watched store", () => {
  let real: Store;
  let store: Store;
  let lines: Record<string, unknown>[];
  let calls: EngineCalls;
  let nowMs: number;
  const away = async (): Promise<never> => {
    throw new StoreUnavailableError("the database does not answer: cut", "unreachable");
  };
  const log = createLogger({ level: "info", name: "api", stream: { write: (line) => lines.push(JSON.parse(line)) } });
  const ended = () =>
    Object.fromEntries(
      calls.read().map(({ labels, counts }) => [labels["error_type"] ?? "ok", counts.reduce((sum, count) => sum + count, 0)]),
    );
  const said = () => lines.map(({ msg }) => msg);

  beforeAll(async () => {
    real = await openStore({ temporary: true });
  });
  beforeEach(() => {
    lines = [];
    calls = new EngineCalls();
    nowMs = 1_000_000;
    store = watchStore(real, { log, clock: () => nowMs, around: calls.of("pglite", null) });
  });
  afterAll(() => real.close());

  test("logs an outage when it begins and when it is over, and nothing of what fails meanwhile", async () => {
    for (let call = 0; call < 20; call += 1) {
      const error = await store.run(away).catch((thrown: unknown) => thrown);
      log.error({ err: error }, "the database does not respond");
      log.warn({ err: new Error("cannot settle", { cause: error }) }, "failed to settle usage");
    }
    await store.ping();
    expect(said()).toEqual(["the database is unavailable; retrying", "the database is available again"]);
    expect(lines[0]).toMatchObject({
      level: "warn",
      engine: "database",
      class: "unreachable",
      reason: "the database does not answer: cut",
    });
    expect(lines[1]).toMatchObject({ level: "info", failures: 19 });
    expect(JSON.stringify(lines)).not.toMatch(/\.ts:\d/);
  });

  test("says that a full disk has room again once no write has failed for half a minute, whatever is read meanwhile", async () => {
    const full = () => Promise.reject(new StoreUnavailableError("no space left", "disk_full"));
    for (let second = 0; second < 40; second += 1) {
      if (second < 10) await store.run(full).catch(() => undefined);
      await store.ping();
      expect(store.refusesWrites()).toBe(second < 39);
      if (second < 38) expect(said()).toEqual(["the database is unavailable; retrying"]);
      nowMs += 1_000;
    }
    expect(said()).toEqual(["the database is unavailable; retrying", "the database is available again"]);
  });

  test("is not considered unavailable because a statement is refused", async () => {
    await expect(store.run((db) => db.execute("select nothing from nowhere"))).rejects.toBeInstanceOf(StoreQueryError);
    expect(said()).toEqual([]);
    expect(ended()).toEqual({ ok: 0, refused: 1 });
  });

  test("counts each call by how it ended", async () => {
    await store.ping();
    await store.run(away).catch(() => undefined);
    expect(ended()).toEqual({ ok: 1, refused: 0, unreachable: 1 });
  });
});

test("the log keeps what does not belong to an outage, and has that too at debug", () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line).level) };
  const info = createLogger({ level: "info", name: "api", stream });
  info.error({ err: new Error("a fault of ours") }, "a request failed");
  info.error({ err: new RedisAwayError("Redis is unavailable", "unreachable") }, "failed to renew the lease");
  expect(lines).toEqual(["error"]);
  createLogger({ level: "debug", name: "api", stream }).error(
    { err: new RedisAwayError("Redis is unavailable", "unreachable") },
    "failed",
  );
  expect(lines).toEqual(["error", "debug"]);
});
