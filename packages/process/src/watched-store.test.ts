/** What a database outage leaves in the log. */
import { openStore, type Store, StoreQueryError, StoreUnavailableError } from "@assay/db";
import { RedisAwayError } from "@assay/live";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "./logger.ts";
import { EngineCalls } from "./telemetry/engine-calls.ts";
import { watchStore } from "./watched-store.ts";

describe("a watched store", () => {
  let real: Store;
  let store: Store;
  let lines: Record<string, unknown>[];
  let calls: EngineCalls;
  const away = async (): Promise<never> => {
    throw new StoreUnavailableError("the database does not answer: cut");
  };
  const log = createLogger({ level: "info", name: "api", stream: { write: (line) => lines.push(JSON.parse(line)) } });
  /** Calls by how they ended. */
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
    store = watchStore(real, { log, clock: () => 1_000_000, around: calls.of("pglite", null) });
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
    expect(lines[0]).toMatchObject({ level: "warn", engine: "database", reason: "the database does not answer: cut" });
    expect(lines[1]).toMatchObject({ level: "info", failures: 19 });
    expect(JSON.stringify(lines)).not.toMatch(/\.ts:\d/);
  });

  test("is not considered unavailable because a statement is refused", async () => {
    await expect(store.run((db) => db.execute("select nothing from nowhere"))).rejects.toBeInstanceOf(StoreQueryError);
    expect(said()).toEqual([]);
    expect(ended()).toEqual({ ok: 0, refused: 1, unavailable: 0 });
  });

  test("counts each call by how it ended", async () => {
    await store.ping();
    await store.run(away).catch(() => undefined);
    expect(ended()).toEqual({ ok: 1, refused: 0, unavailable: 1 });
  });
});

test("the log keeps what does not belong to an outage, and has that too at debug", () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line).level) };
  const info = createLogger({ level: "info", name: "api", stream });
  info.error({ err: new Error("a fault of ours") }, "a request failed");
  info.error({ err: new RedisAwayError("Redis is unavailable") }, "failed to renew the lease");
  expect(lines).toEqual(["error"]);
  createLogger({ level: "debug", name: "api", stream }).error({ err: new RedisAwayError("Redis is unavailable") }, "failed");
  expect(lines).toEqual(["error", "debug"]);
});
