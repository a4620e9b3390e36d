/** A Redis that becomes a replica while processes are connected to it, as in a failover behind DNS or a proxy. */
import { MINUTE_MS } from "@assay/contract";
import { type BusGap, type Live, type MarketEvent, openLive } from "@assay/live";
import { openWire, type Wire } from "@assay/live/testing/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./harness/eventually.ts";
import { missingServers, type OwnRedisServer, startOwnRedis } from "./harness/own-servers.ts";

const missing = missingServers().filter((program) => program === "redis-server");
if (missing.length > 0) console.info("a demoted Redis: skipped, because redis-server is not installed");

const replaced = (symbol: string) => ({ kind: "bars-replaced", symbol }) as MarketEvent; // any symbol will do here

describe.skipIf(missing.length > 0)("a Redis that is demoted to a replica", { meta: { needs: "redis-server" } }, () => {
  let old: OwnRedisServer;
  let promoted: OwnRedisServer;
  let wire: Wire;
  let live: Live;
  const lines: string[] = [];
  const heard: (MarketEvent | BusGap)[] = [];

  beforeAll(async () => {
    old = await startOwnRedis();
    promoted = await startOwnRedis("--replicaof", "127.0.0.1", new URL(old.url).port);
    await eventually(
      "the replica follows",
      () => promoted.command("INFO", "replication"),
      (info) => String(info).includes("master_link_status:up"),
    );
    wire = await openWire(old.url, 6_379);
    const note = (_fields: object, message: string): void => void lines.push(message);
    live = await openLive({
      redisUrl: wire.url,
      clock: Date.now,
      logger: { debug: () => {}, info: note, warn: note, error: note },
    });
    await live.bus.subscribe((event) => heard.push(event), { onGap: (gap) => heard.push(gap) });
  });
  afterAll(async () => {
    await live?.close();
    await wire?.close();
    await Promise.all([old?.remove(), promoted?.remove()]);
  });

  it("refuses writes while the address still leads to it, and the status can tell", async () => {
    expect(await live.lease.acquire("a", MINUTE_MS, 0)).toMatchObject({ token: 1 });
    await live.bus.publish(replaced("1"));
    await eventually(
      "the event is heard",
      async () => heard.length,
      (count) => count === 1,
    );
    await eventually(
      "the replica has it",
      () => promoted.command("GET", "assay:events:tail"),
      (tail) => tail !== null,
    );
    await promoted.command("REPLICAOF", "NO", "ONE");
    await old.command("REPLICAOF", "127.0.0.1", new URL(promoted.url).port);
    await expect(live.bus.publish(replaced("2"))).rejects.toThrow("READONLY");
    expect(live.outage()).toBe("read_only");
  });

  it("is left as soon as the address leads to the new one: writes arrive there, and the bus is read from there", async () => {
    wire.point(promoted.url);
    await eventually(
      "writes are taken",
      () =>
        live.bus.publish(replaced("3")).then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    expect((await live.lease.current())?.holder).toBe("a");
    await eventually(
      "the event is heard",
      async () => heard,
      (events) => events.some((event) => "symbol" in event && event.symbol === "3"),
    );
    // What was refused is missing, and said to be.
    expect(heard).toEqual([replaced("1"), { reason: "missed" }, replaced("3")]);
    // Nobody reads the old one any more: without it nothing changes.
    await old.kill();
    await live.bus.publish(replaced("4"));
    await eventually(
      "the event is heard",
      async () => heard.at(-1),
      (event) => event !== undefined && "symbol" in event && event.symbol === "4",
    );
    expect(lines[0]).toBe("redis is unavailable; retrying");
  });
});
