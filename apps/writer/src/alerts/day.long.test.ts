/** A day of the simulated market with ten alerts, and a receiver that is down for its middle third: everything arrives, once judged. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_CATALOG, HOUR_MS, MINUTE_MS, SECOND_MS, type TierName } from "@assay/contract";
import { type Store, writeMoment } from "@assay/db";
import { everyDelivery, openEmbeddedStore, putAlert, type StoredDelivery } from "@assay/db/testing";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import {
  compose,
  EMPTY_FX,
  type FxState,
  fxRate,
  Judge,
  type JudgeMarket,
  type NumberedAlert,
  retainFx,
  type Tick,
  withFx,
} from "@assay/pricing";
import { simulatedFx, simulatedQuotes, simulatedSources } from "@assay/simulator";
import { afterAll, expect, test, vi } from "vitest";
import { LOOPBACK } from "../testing/loopback.ts";
import { AlertDesk } from "./alert-desk.ts";
import { DeliveryDesk } from "./delivery-desk.ts";
import { openReceivers } from "./receiver.ts";

vi.setConfig({ testTimeout: 900_000 });

const START_MS = Date.UTC(2026, 10, 18);
const STEP_MS = 10 * SECOND_MS;
const DAY_STEPS = 8_640;
const WRITER = { token: 1, holder: "writer" };
const INSTRUMENTS = ["XAU-USD-SPOT", "XAG-USD-SPOT"] as const;
const SOURCES = new Map(simulatedSources.map((info) => [info.key, info]));

class Market implements JudgeMarket {
  #fx: FxState = EMPTY_FX;

  rateBeside(_: unknown, currency: string, atMs: number) {
    return fxRate(this.#fx, currency, atMs);
  }

  isOpen(): boolean {
    return true;
  }

  beliefOf(): undefined {
    return undefined;
  }

  next(seq: number, atMs: number): Tick[] {
    this.#fx = retainFx(withFx(this.#fx, simulatedFx(atMs, 1)), atMs - 30 * MINUTE_MS);
    return INSTRUMENTS.flatMap((instrument): Tick[] => {
      const price = compose(instrument, simulatedQuotes(instrument, atMs, 1), SOURCES, atMs);
      return price ? [{ ...price, seq }] : [];
    });
  }
}

type Wanted = Pick<NumberedAlert, "symbol" | "kind" | "threshold" | "once"> & {
  readonly windowSeconds?: number;
  readonly tier?: TierName;
};

/** Thresholds around where the day begins. */
const tenAlerts = (gold: number, silver: number): Wanted[] => [
  { symbol: "XAU-USD-SPOT", kind: "above", threshold: (gold * 1.001).toFixed(2), once: false },
  { symbol: "XAU-USD-SPOT", kind: "above", threshold: (gold * 1.004).toFixed(2), once: true },
  { symbol: "XAU-USD-SPOT", kind: "below", threshold: (gold * 0.999).toFixed(2), once: false },
  { symbol: "XAU-USD-SPOT", kind: "below", threshold: (gold * 0.996).toFixed(2), once: true },
  { symbol: "XAU-USD-SPOT", kind: "moved", threshold: "0.3", windowSeconds: 3_600, once: false },
  { symbol: "XAU-EUR-SPOT", kind: "moved", threshold: "0.3", windowSeconds: 3_600, once: false },
  { symbol: "XAG-USD-SPOT", kind: "moved", threshold: "0.5", windowSeconds: 3_600, once: false },
  { symbol: "XAG-USD-SPOT", kind: "above", threshold: (silver * 1.002).toFixed(4), once: false },
  { symbol: "XAU-USD-SPOT", kind: "moved", threshold: "0.3", windowSeconds: 3_600, once: false, tier: "free" },
  { symbol: "XAU-USD-SPOT", kind: "stale", threshold: null, once: false },
];

let store: Store;
let delivery: DeliveryDesk | undefined;
afterAll(async () => {
  await delivery?.end();
  await store?.close();
});

test("ten alerts over a day, with a receiver that is down for the middle third", async () => {
  let nowMs = START_MS;
  const arrivedMs = new Map<string, number>();
  let requests = 0;
  const isDown = (): boolean => nowMs >= START_MS + 8 * HOUR_MS && nowMs < START_MS + 16 * HOUR_MS;
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    requests += 1;
    if (!isDown() && !arrivedMs.has(id)) arrivedMs.set(id, nowMs);
    request.resume().on("end", () => response.writeHead(isDown() ? 503 : 204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port

  store = await openEmbeddedStore();
  const log = { warn: vi.fn(), fault: vi.fn() };
  const market = new Market();
  const random = seededRandom(1);
  const openDesk = (): AlertDesk => new AlertDesk({ store, writer: WRITER, market, random, catalog: DEFAULT_CATALOG, log });
  let desk = openDesk();
  const post = openReceivers({ hosts: LOOPBACK });
  delivery = new DeliveryDesk({
    store,
    writer: WRITER,
    clock: withClock(machineTime, () => nowMs),
    log,
    catalog: DEFAULT_CATALOG,
    post,
    random,
  });
  const send = async (): Promise<void> => {
    delivery?.wake();
    await delivery?.settled();
  };

  // One judge that sees everything, beside those that take over from each other.
  const plain = new Judge(market);
  const expected: string[] = [];
  const judge = async (desk: AlertDesk): Promise<void> => {
    await desk.judge(nowMs);
    expected.push(...plain.advance(nowMs).map(({ alert, type, seq }) => `${alert.id} ${type} ${seq}`));
  };

  const alerts: NumberedAlert[] = [];
  for (let step = 0; step < DAY_STEPS; step += 1) {
    nowMs = START_MS + step * STEP_MS;
    const ticks = market.next(step + 1, nowMs);
    await writeMoment(store, WRITER, { ticks, bars: [], fx: [] });
    if (step === 0) {
      const [gold, silver] = ticks.map(({ price }) => Number(price));
      for (const [index, { tier = "pro", ...wanted }] of tenAlerts(gold ?? 0, silver ?? 0).entries()) {
        const endpoint = { id: `ep_${tier}`, orgId: `org_${tier}`, tier, url };
        const seenSeq = tier === "free" ? 0 : 1;
        const own = { id: `al_${index + 1}`, ...wanted, windowSeconds: wanted.windowSeconds ?? null, seenSeq };
        const alert = await putAlert(store, own, endpoint);
        alerts.push(alert);
        plain.take(ticks);
        plain.put(alert, tier === "free" ? "delayed" : "live", nowMs);
      }
    }
    plain.take(ticks);
    // A takeover every hour.
    if (step % 360 === 359) desk = openDesk();
    else desk.committed(ticks);
    await judge(desk);
    await send();
  }
  const judgedMs = nowMs;
  for (; nowMs < judgedMs + 32 * HOUR_MS; nowMs += 10 * MINUTE_MS) {
    if (nowMs < judgedMs + HOUR_MS) await judge(desk);
    await send();
  }
  server.close();

  const rows = await everyDelivery(store);
  const of = (id: string): StoredDelivery[] => rows.filter(({ alertId }) => alertId === id);
  console.table(
    alerts.map(({ id, symbol, kind, threshold }) => {
      const own = of(id);
      const waits = own.map((row) => (arrivedMs.get(row.id) ?? Number.NaN) - Date.parse(JSON.parse(row.payload).timestamp));
      return {
        alert: id,
        symbol,
        kind,
        threshold,
        events: own.length,
        delivered: own.filter(({ status }) => status === "delivered").length,
        tries: own.reduce((sum, { tries }) => sum + tries, 0),
        "at once": waits.filter((ms) => ms < STEP_MS).length,
        "longest wait, minutes": Math.round(Math.max(0, ...waits) / MINUTE_MS),
      };
    }),
  );
  console.info(`${rows.length} events, ${requests} requests, a takeover every hour`);

  expect(rows.length).toBeGreaterThan(20);
  const judged = rows.map(({ alertId, type, payload }) => `${alertId} ${type} ${JSON.parse(payload).data.seq}`);
  expect(judged.toSorted()).toEqual(expected.toSorted());
  expect(rows.filter(({ status }) => status !== "delivered")).toEqual([]);
  expect([...arrivedMs.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  expect(log.fault).not.toHaveBeenCalled();
});
