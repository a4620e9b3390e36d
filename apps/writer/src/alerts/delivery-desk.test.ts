/** The outbox on its way: real receivers, signatures, retries, and that nobody holds up another. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DAY_MS, DEFAULT_CATALOG, DELAY_MS, HOUR_MS, type TierName } from "@assay/contract";
import { claimFence, type Store, suspendAlerts, writeAlertJudgement } from "@assay/db";
import {
  changeEndpoint,
  changeTier,
  emptyTables,
  endKeys,
  everyDelivery,
  putAlert,
  readEndpoint,
  redeliver,
  TEST_SECRET,
  testEngines,
} from "@assay/db/testing";
import { machineTime, withClock } from "@assay/ports";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LOOPBACK } from "../testing/loopback.ts";
import { GIVE_UP_AFTER_MS } from "./attempts.ts";
import { DeliveryDesk } from "./delivery-desk.ts";
import { openReceivers } from "./receiver.ts";

const WRITER = { token: 7, holder: "writer-a" };
const OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** An endpoint's server, and what came. */
interface Receiver {
  readonly url: string;
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** The most requests that were open at once. */
  most: number;
}

const servers: Server[] = [];

const receiver = async (answer: (response: ServerResponse) => void): Promise<Receiver> => {
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    made.most = Math.max(made.most, open);
    response.on("close", () => {
      open -= 1;
    });
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      made.requests.push({ headers: request.headers, body });
      answer(response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const made: Receiver = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: [], most: 0 }; // it listens on a port
  return made;
};

const accepts = (response: ServerResponse): void => {
  response.writeHead(204).end();
};

describe.each(testEngines)("deliveries on $name", (engine) => {
  let store: Store;
  let nowMs = Date.UTC(2026, 10, 16, 14);
  const log = { warn: vi.fn(), fault: vi.fn() };
  const desks: DeliveryDesk[] = [];

  const openDesk = (): DeliveryDesk => {
    const post = openReceivers({ hosts: LOOPBACK, timeoutMs: 2_000 });
    const desk = new DeliveryDesk({
      store,
      writer: WRITER,
      clock: withClock(machineTime, () => nowMs),
      log,
      catalog: DEFAULT_CATALOG,
      post,
      random: () => 0.5,
    });
    desks.push(desk);
    return desk;
  };

  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
    log.warn.mockClear();
    log.fault.mockClear();
  });
  afterEach(async () => {
    for (const desk of desks.splice(0)) await desk.end();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterAll(() => store.close());

  /** Events of an endpoint in the outbox, numbered from `from`. */
  const queue = async (
    name: string,
    { url }: Receiver,
    count: number,
    tier: TierName = "realtime_pro",
    from = 0,
    alert: { readonly symbol?: string } = {},
    orgId = `org_${name}`,
  ): Promise<void> => {
    const { revision } = await putAlert(store, { id: `al_${name}`, ...alert }, { id: `ep_${name}`, orgId, tier, url });
    const computed_at = new Date(nowMs - (tier === "free" ? DELAY_MS : 0)).toISOString();
    await writeAlertJudgement(store, WRITER, {
      standings: [{ id: `al_${name}`, revision, state: "waiting", hasFired: true, seenSeq: 1, memory: null, firedAtMs: nowMs }],
      events: Array.from({ length: count }, (_, place) => from + place).map((index) => ({
        id: `msg_${name}_${index}`,
        alertId: `al_${name}`,
        seq: index,
        type: "price.above",
        payload: JSON.stringify({ type: "price.above", data: { computed_at, index } }),
      })),
      cursors: [],
      atMs: nowMs,
    });
  };

  const statuses = async () => (await everyDelivery(store)).map(({ status }) => status);
  const settled = (count: number) =>
    expect.poll(async () => (await statuses()).filter((status) => status === "delivered").length).toBe(count);

  test("are signed as Standard Webhooks, over the very text that was stored", async () => {
    const good = await receiver(accepts);
    await queue("a", good, 1);
    openDesk().wake();
    await settled(1);
    const [request] = good.requests;
    const headers = { ...request?.headers } as Record<string, string>; // none is repeated
    const [stored] = await everyDelivery(store);
    expect(request?.body).toBe(stored?.payload);
    expect(headers).toMatchObject({ "webhook-id": "msg_a_0", "webhook-timestamp": String(nowMs / 1_000) });
    vi.useFakeTimers({ now: nowMs, toFake: ["Date"] });
    expect(new Webhook(TEST_SECRET).verify(request?.body ?? "", headers)).toMatchObject({ data: { index: 0 } });
    expect(() => new Webhook(OTHER_SECRET).verify(request?.body ?? "", headers)).toThrow();
    vi.useRealTimers();
  });

  test("are signed by both secrets for a day after a rotation", async () => {
    const good = await receiver(accepts);
    await queue("a", good, 1);
    await changeEndpoint(store, "ep_a", { secret: OTHER_SECRET, previousSecret: TEST_SECRET, previousUntilMs: nowMs + DAY_MS });
    openDesk().wake();
    await settled(1);
    const headers = { ...good.requests[0]?.headers } as Record<string, string>; // none is repeated
    vi.useFakeTimers({ now: nowMs, toFake: ["Date"] });
    for (const secret of [TEST_SECRET, OTHER_SECRET])
      expect(new Webhook(secret).verify(good.requests[0]?.body ?? "", headers)).toMatchObject({ data: { index: 0 } });
    vi.useRealTimers();
  });

  /** A receiver that answers nothing until it is let go. */
  const holding = async () => {
    let held: ServerResponse[] | null = [];
    const made = await receiver((response) => (held ? held.push(response) : accepts(response)));
    const letGo = (): void => {
      const answers = held ?? [];
      held = null;
      for (const response of answers) accepts(response);
    };
    return { made, letGo };
  };

  test("that wait for their turn go nowhere once their endpoint was deleted", async () => {
    const { made, letGo } = await holding();
    await queue("a", made, 6);
    const desk = openDesk();
    desk.wake();
    await expect.poll(() => made.requests.length).toBe(2);
    await changeEndpoint(store, "ep_a", { deletedAtMs: nowMs, secret: "" });
    letGo();
    await expect.poll(statuses).toEqual(["delivered", "delivered", ...Array(4).fill("failed")]);
    await desk.settled();
    expect(made.requests).toHaveLength(2);
    expect((await everyDelivery(store)).slice(2)).toMatchObject(Array(4).fill({ lastError: "deleted", tries: 0 }));
  });

  test("that wait for their turn are signed by the secrets of the moment they are sent", async () => {
    const { made, letGo } = await holding();
    await queue("a", made, 6);
    const desk = openDesk();
    desk.wake();
    await expect.poll(() => made.requests.length).toBe(2);
    await changeEndpoint(store, "ep_a", { secret: OTHER_SECRET, previousSecret: TEST_SECRET, previousUntilMs: nowMs + DAY_MS });
    letGo();
    await settled(6);
    const signatures = made.requests.map(({ headers }) => String(headers["webhook-signature"]).split(" ").length);
    expect(signatures).toEqual([1, 1, 2, 2, 2, 2]);
  });

  test.each([
    ["no living key", "no_key", () => endKeys(store, "org_a", nowMs)],
    ["suspended alerts", "suspended", () => suspendAlerts(store, "org_a", nowMs)],
    ["a tier without the symbol", "tier", () => changeTier(store, "org_a", "free"), { symbol: "XAG-USD-SPOT" }],
  ])("to an owner with %s are not sent, and say so", async (_, lastError, change, alert: { symbol?: string } = {}) => {
    const good = await receiver(accepts);
    await queue("a", good, 2, "realtime_pro", 0, alert);
    await change();
    openDesk().wake();
    await expect.poll(() => everyDelivery(store)).toMatchObject(Array(2).fill({ status: "failed", lastError, tries: 0 }));
    expect(good.requests).toEqual([]);
    expect(await readEndpoint(store, "ep_a")).toMatchObject({ failingSinceMs: null });
  });

  test("to an owner with a tier of fewer alerts are sent for the oldest", async () => {
    const good = await receiver(accepts);
    for (const name of ["a", "b", "c", "d"]) await queue(name, good, 1, "realtime_pro", 0, {}, "org_all");
    await changeTier(store, "org_all", "free");
    nowMs += DELAY_MS;
    openDesk().wake();
    await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered", "failed"]);
    expect((await everyDelivery(store))[3]).toMatchObject({ lastError: "limit" });
  });

  test("to an owner who sees prices later by now wait until it sees theirs", async () => {
    const good = await receiver(accepts);
    await queue("a", good, 1);
    await changeTier(store, "org_a", "free");
    const desk = openDesk();
    desk.wake();
    await desk.settled();
    nowMs += DELAY_MS - 1;
    desk.wake();
    await desk.settled();
    expect(good.requests).toEqual([]);
    nowMs += 1;
    desk.wake();
    await settled(1);
    expect(await everyDelivery(store)).toMatchObject([{ tries: 1, lastError: null }]);
  });

  test("that fail come again with the same id, when they are due and not before", async () => {
    let isDown = true;
    const flaky = await receiver((response) => {
      response.writeHead(isDown ? 503 : 200).end();
    });
    await queue("a", flaky, 1);
    const desk = openDesk();
    desk.wake();
    await expect
      .poll(() => everyDelivery(store))
      .toMatchObject([{ status: "pending", tries: 1, lastStatus: 503, lastError: "status" }]);
    isDown = false;
    nowMs += 4_999;
    desk.wake();
    await desk.end();
    expect(flaky.requests).toHaveLength(1);
    nowMs += 1;
    openDesk().wake();
    await settled(1);
    expect(flaky.requests.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_a_0", "msg_a_0"]);
  });

  test("to an endpoint that hangs, with a long queue, hold up no other, and are two at a time", async () => {
    const hangs = await receiver(() => undefined);
    const good = await receiver(accepts);
    await queue("hangs", hangs, 200);
    await queue("good", good, 5);
    openDesk().wake();
    await settled(5);
    expect(hangs.most).toBe(2);
    expect(hangs.requests).toHaveLength(2);
  });

  test("to an endpoint that fails for a week hold up no other, and end with it", async () => {
    const fails = await receiver((response) => {
      response.writeHead(500).end();
    });
    const good = await receiver(accepts);
    const startMs = nowMs;
    const desk = openDesk();
    for (let step = 0; nowMs - startMs <= GIVE_UP_AFTER_MS; step += 1, nowMs += 6 * HOUR_MS) {
      expect(await readEndpoint(store, "ep_fails")).toMatchObject(step === 0 ? {} : { disabledAtMs: null });
      await queue("fails", fails, 3, "realtime_pro", step * 3);
      await queue("good", good, 1, "realtime_pro", step);
      const sent = fails.requests.length;
      await expect
        .poll(async () => {
          desk.wake();
          await desk.settled();
          return good.requests.length === step + 1 && fails.requests.length > sent;
        })
        .toBe(true);
    }
    expect(await readEndpoint(store, "ep_fails")).toMatchObject({
      disabledAtMs: startMs + GIVE_UP_AFTER_MS,
      disabledReason: "failing",
    });
    const stored = await everyDelivery(store);
    const ofEach = (endpoint: string) => [
      ...new Set(stored.filter(({ endpointId }) => endpointId === endpoint).map(({ status }) => status)),
    ];
    expect([ofEach("ep_good"), ofEach("ep_fails")]).toEqual([["delivered"], ["failed"]]);
  });

  test("are no more in a minute than the tier allows, and the others later", async () => {
    const good = await receiver(accepts);
    await queue("a", good, 35, "free");
    const desk = openDesk();
    await expect
      .poll(async () => {
        desk.wake();
        return good.requests.length;
      })
      .toBe(30);
    nowMs += 10_000;
    await expect
      .poll(async () => {
        desk.wake();
        return good.requests.length;
      })
      .toBe(35);
  });

  test("end with an endpoint that answers 410, with one line in the log; a delivery that is asked for enables it", async () => {
    let isGone = true;
    const leaves = await receiver((response) => {
      response.writeHead(isGone ? 410 : 200).end();
    });
    await queue("a", leaves, 10);
    const desk = openDesk();
    desk.wake();
    await expect.poll(statuses).toEqual(Array(10).fill("failed"));
    await desk.settled();
    expect(leaves.requests.length).toBeLessThanOrEqual(2);
    expect(log.warn.mock.calls).toEqual([
      ["an endpoint is disabled", { endpoint: "ep_a", organisation: "org_a", reason: "gone" }],
    ]);
    isGone = false;
    await redeliver(store, "msg_a_3", nowMs);
    await expect
      .poll(async () => {
        desk.wake();
        return (await everyDelivery(store))[3]?.status;
      })
      .toBe("delivered");
    expect(await readEndpoint(store, "ep_a")).toMatchObject({ disabledAtMs: null, disabledReason: null });
  });

  test("that a newer writer has taken over are left to it", async () => {
    const good = await receiver(accepts);
    await queue("a", good, 1);
    await claimFence(store, 9, "writer-b");
    const desk = openDesk();
    desk.wake();
    await expect.poll(() => good.requests.length).toBe(1);
    await desk.end();
    desk.wake();
    expect(await statuses()).toEqual(["pending"]);
    expect(log.fault).not.toHaveBeenCalled();
  });

  test("are given up when the term ends, for the next one to send with the same id", async () => {
    const hangs = await receiver(() => undefined);
    await queue("a", hangs, 1);
    const desk = openDesk();
    desk.wake();
    await expect.poll(() => hangs.requests.length).toBe(1);
    await desk.end();
    expect(await everyDelivery(store)).toMatchObject([{ status: "pending", tries: 0 }]);
    openDesk().wake();
    await expect.poll(() => hangs.requests.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_a_0", "msg_a_0"]);
  });

  test("are counted for the operator: what waits, since when, and what became of the tries", async () => {
    const good = await receiver(accepts);
    const fails = await receiver((response) => {
      response.writeHead(500).end();
    });
    await queue("good", good, 3);
    await queue("fails", fails, 1);
    const desk = openDesk();
    desk.wake();
    await expect.poll(async () => (await everyDelivery(store)).reduce((sum, { tries }) => sum + tries, 0)).toBe(4);
    nowMs += 20_000;
    // Due again, and counted before it is answered.
    await expect
      .poll(() => {
        desk.wake();
        return Object.fromEntries(desk.readings().map(({ name, labels, value }) => [labels?.outcome ?? name, value]));
      })
      .toMatchObject({ assay_webhook_pending: 1, assay_webhook_oldest_pending_seconds: 20, delivered: 3, retried: 2, failed: 0 });
  });
});
