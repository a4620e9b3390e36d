/**
 * A writer that is killed fifty times between the commit of an event and its delivery: every event arrives at least once, always with
 * one id, and the events are those of a plain replay of the ticks that were published.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openStore, readNewestTicks, readTicksSince, type Store } from "@assay/db";
import { everyDelivery, putAlert, type StoredDelivery } from "@assay/db/testing";
import { dec, fraction, Judge, type NumberedAlert, type Tick } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "./harness/files.ts";
import { claimRedis, createDatabase, hasServers, type OwnDatabase, type OwnRedis, sayWhySkipped } from "./harness/servers.ts";
import { type Service, type Settings, spawnEntry, untilReady, WRITER } from "./harness/service.ts";

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 600_000 });

const KILLS = 50;
const METALS = ["XAU-USD-SPOT", "XAG-USD-SPOT"] as const;
/** Percentages that a simulated metal moves by every few seconds. */
const MOVES = ["0.01", "0.02", "0.03", "0.05"] as const;

/** What the receiver was sent: bodies by id, in the order of their arrival. */
class Receiver {
  readonly bodies = new Map<string, Set<string>>();
  requests = 0;
  /** Called at the next request, which is then never answered. */
  onNext: (() => void) | null = null;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        const id = String(request.headers["webhook-id"]);
        this.requests += 1;
        const known = this.bodies.get(id) ?? new Set();
        this.bodies.set(id, known.add(body));
        const onNext = this.onNext;
        this.onNext = null;
        if (onNext) onNext();
        else response.writeHead(204).end();
      });
      request.on("error", () => undefined);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`; // it listens on a port
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const replay = (alerts: readonly NumberedAlert[], ticks: readonly Tick[]): string[] => {
  const rateBeside = (_: unknown, __: string, atMs: number) => ({
    ...fraction("1"),
    rate: dec("1"),
    source: "identity",
    role: "identity" as const,
    observedAtMs: atMs,
    freshUntilMs: atMs,
    isStale: false,
  });
  return alerts.flatMap((alert) => {
    const judge = new Judge({ rateBeside, isOpen: () => true, beliefOf: () => undefined });
    const own = ticks.filter(({ instrument, seq }) => instrument === alert.symbol && seq >= alert.seenSeq);
    const [seen, ...since] = own;
    if (!seen) return [];
    judge.take([seen]);
    judge.put(alert, "live", seen.computedAtMs);
    return since.flatMap((tick) => {
      judge.take([tick]);
      return judge.advance(tick.computedAtMs).map(({ type, seq }) => `${alert.id} ${type} ${seq}`);
    });
  });
};

const sayOf = ({ alertId, type, seq }: StoredDelivery): string => `${alertId} ${type} ${seq}`;

sayWhySkipped("alerts over fifty crashes");

describe.runIf(hasServers)("alerts", () => {
  let database: OwnDatabase;
  let redis: OwnRedis;
  let store: Store;
  let settings: Settings;
  let writer: Service;
  const receiver = new Receiver();
  let url: string;

  const startWriter = async (): Promise<void> => {
    writer = await untilReady(spawnEntry(WRITER, settings));
  };

  beforeAll(async () => {
    const folder = await temporaryFolder();
    url = await receiver.listen();
    database = await createDatabase();
    redis = await claimRedis();
    settings = {
      DATA_DIR: folder.path,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      WRITER_ID: "only",
      WRITER_LEASE_TTL_MS: "1000",
      RETAIN_TICKS_HOURS: "24",
      WEBHOOK_HOSTS: new URL(url).origin,
      DISABLE: "download",
    };
    await startWriter();
    store = await openStore({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await writer?.stop("SIGKILL");
    receiver.close();
    await store?.close();
    await Promise.all([database?.drop(), redis?.release()]);
  });

  it("arrive at least once, with one id each, and are those of a plain replay", async () => {
    // The writer is ready to serve its figures before it has caught up with the past.
    const isCurrent = async () => (await readNewestTicks(store)).some(({ computedAtMs }) => Date.now() - computedAtMs < 2_000);
    await expect.poll(isCurrent, { timeout: 120_000 }).toBe(true);
    const newest = await readNewestTicks(store);
    const alerts: NumberedAlert[] = [];
    for (const symbol of METALS)
      for (const threshold of MOVES) {
        const seenSeq = newest.find(({ instrument }) => instrument === symbol)?.seq ?? 0;
        const alert = { id: `al_${symbol}_${threshold}`, symbol, kind: "moved", threshold, windowSeconds: 60, seenSeq } as const;
        alerts.push(await putAlert(store, alert, { id: "ep_1", orgId: "org_1", tier: "realtime_pro", url }));
      }

    for (let kills = 0; kills < KILLS; kills += 1) {
      // In the middle of a delivery every other time, and else as soon as an event is stored.
      if (kills % 2 === 0) {
        await new Promise<void>((resolve) => {
          receiver.onNext = resolve;
        });
      } else {
        const before = (await everyDelivery(store)).length;
        await expect
          .poll(async () => (await everyDelivery(store)).length, { timeout: 60_000, interval: 2 })
          .toBeGreaterThan(before);
      }
      await writer.stop("SIGKILL");
      await startWriter();
    }

    // Others come meanwhile.
    const made = new Set((await everyDelivery(store)).map(({ id }) => id));
    const undelivered = async () =>
      (await everyDelivery(store)).filter(({ id, status }) => made.has(id) && status !== "delivered");
    await expect.poll(undelivered, { timeout: 300_000, interval: 1_000 }).toEqual([]);
    await writer.stop("SIGTERM");
    const stored = await everyDelivery(store);
    const ticks = (await readTicksSince(store, 0)).toSorted((left, right) => left.seq - right.seq);
    console.info(
      `${KILLS} kills, ${ticks.length} ticks, ${stored.length} events, ${receiver.requests} requests of ${receiver.bodies.size} ids`,
    );
    // A slow machine sees fewer prices between two kills.
    expect(stored.length).toBeGreaterThan(KILLS / 2);
    expect(stored.map(sayOf).toSorted()).toEqual(replay(alerts, ticks).toSorted());
    expect(new Set(stored.map(sayOf)).size).toBe(stored.length);
    // What was still on its way at the end is not stored as delivered, and comes with the next writer.
    const delivered = stored.filter(({ status }) => status === "delivered");
    expect(delivered.filter(({ id }) => !receiver.bodies.has(id))).toEqual([]);
    expect([...receiver.bodies.keys()].filter((id) => !stored.some((row) => row.id === id))).toEqual([]);
    for (const { id, payload } of delivered) expect([...(receiver.bodies.get(id) ?? [])]).toEqual([payload]);
  });
});
