/** Alerts of a running writer: what the last term left unjudged is judged and delivered by the next, however late it comes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_CATALOG, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { type Store, writeMoment } from "@assay/db";
import { emptyTables, everyDelivery, putAlert, testEngines } from "@assay/db/testing";
import { type Live, openMemoryLive } from "@assay/live";
import { fakeClock, seededRandom } from "@assay/ports/virtual";
import type { FxObservation, Tick } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { receivers } from "../alerts/receiver.ts";
import { inProcess } from "../testing/in-process.ts";
import { LOOPBACK } from "../testing/loopback.ts";
import { Writer } from "../writer.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:30Z");
/** When the next term begins. */
const NOW_MS = FRIDAY_MS + 41 * MINUTE_MS;
const GOLD = "XAU-USD-SPOT";
const log = { info: () => undefined, warn: vi.fn(), fault: vi.fn(), feed: () => undefined, archives: () => undefined };

const tickAt = (seq: number, price: string, computedAtMs: number): Tick => ({
  instrument: GOLD,
  seq,
  price,
  conf: "0.5",
  basis: "primary",
  sources: [],
  divergenceBps: null,
  computedAtMs,
  freshUntilMs: computedAtMs + MINUTE_MS,
});

const euroAt = (rate: string, observedAtMs: number): FxObservation => ({
  kind: "fx",
  source: "fx-feed",
  role: "live",
  base: "USD",
  rates: { EUR: rate },
  observedAtMs,
  freshForMs: 3 * MINUTE_MS,
});

describe.each(testEngines)("a writer on $name", (engine) => {
  let store: Store;
  let live: Live;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
    live = openMemoryLive({ clock: () => NOW_MS });
    log.fault.mockClear();
  });
  afterEach(() => live.close());
  afterAll(() => store.close());

  it("delivers what crossed in the last moment of a term that ended 41 minutes ago, at the rate of then", async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => bodies.push(body));
      request.on("end", () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
    const alert = { id: "al_1", symbol: "XAU-EUR-SPOT", threshold: "3600", seenSeq: 1 };
    await putAlert(store, alert, { id: "ep_1", orgId: "org_1", tier: "pro", url });

    const before = { token: 1, holder: "before" };
    const ticks = [tickAt(1, "3999", FRIDAY_MS - SECOND_MS), tickAt(2, "4001", FRIDAY_MS)];
    const fx = [
      euroAt("0.9", FRIDAY_MS - SECOND_MS),
      euroAt("0.8", FRIDAY_MS + 20 * MINUTE_MS),
      euroAt("0.8", FRIDAY_MS + 40 * MINUTE_MS),
    ];
    await writeMoment(store, before, { ticks, bars: [], fx });

    const writer = Writer.start({
      store,
      live,
      clock: fakeClock(NOW_MS),
      replay: null,
      simulated: null,
      marketHours: true,
      archives: null,
      log,
      polled: [],
      progress: silentProgress,
      threads: inProcess,
      random: seededRandom(1),
      webhooks: { post: receivers(LOOPBACK), catalog: DEFAULT_CATALOG },
      onStuck: () => undefined,
      holder: "one",
      leaseTtlMs: 600_000,
    });
    await writer.ready;
    await expect.poll(async () => (await everyDelivery(store)).map(({ status }) => status)).toEqual(["delivered"]);
    expect(bodies.map((body) => JSON.parse(body).data)).toEqual([
      {
        alert_id: "al_1",
        name: "al_1",
        symbol: "XAU-EUR-SPOT",
        threshold: "3600",
        price: "3600.90",
        computed_at: "2026-11-20T12:00:30Z",
        seq: 2,
      },
    ]);
    const figures = Object.fromEntries(writer.readings().map(({ name, labels, value }) => [labels?.outcome ?? name, value]));
    expect(figures).toMatchObject({ assay_alerts: 1, delivered: 1 });
    await writer.close();
    server.close();
    expect(log.fault).not.toHaveBeenCalled();
  }, 60_000);
});
