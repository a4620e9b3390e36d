/** Hostile receivers: a post to each settles, and the end of a term waits for none of them, nor for a post that never settles. */
import { DEFAULT_CATALOG } from "@assay/contract";
import { claimFence, type Store, writeAlertJudgement } from "@assay/db";
import { emptyTables, everyDelivery, openEmbeddedStore, putAlert } from "@assay/db/testing";
import { fakeClock } from "@assay/ports/virtual";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { HOSTILE, type HostileReceiver, openHostile } from "../testing/hostile-receivers.ts";
import { LOOPBACK } from "../testing/loopback.ts";
import { DeliveryDesk } from "./delivery-desk.ts";
import { openReceivers, type Post } from "./receiver.ts";

const NOW_MS = Date.UTC(2026, 10, 16, 14);
const WRITER = { token: 7, holder: "writer-a" };

let store: Store;
const open: HostileReceiver[] = [];
const log = { warn: vi.fn(), fault: vi.fn() };

beforeAll(async () => {
  store = await openEmbeddedStore();
});
beforeEach(async () => {
  await emptyTables(store);
  vi.clearAllMocks();
});
afterEach(() => {
  for (const receiver of open.splice(0)) receiver.close();
});
afterAll(() => store.close());

const receive = async (does: (typeof HOSTILE)[string]["does"]): Promise<HostileReceiver> => {
  const receiver = await openHostile(does);
  open.push(receiver);
  return receiver;
};

test.each(Object.entries(HOSTILE))("a post to one that %s settles", async (_, { does, result, isCutOff }) => {
  const { url } = await receive(does);
  const isSilent = "fault" in result && result.fault === "timeout";
  // What answers has time to, on a busy machine too.
  const timeoutMs = isSilent ? 150 : isCutOff ? 2_000 : 60_000;
  const post = openReceivers({ hosts: LOOPBACK, timeoutMs });
  expect(await post({ url, headers: {}, body: "{}" }, new AbortController().signal)).toEqual(result);
});

/** An event for each URL, on its way. */
const sending = async (urls: readonly string[], post: Post, endWithinMs: number): Promise<DeliveryDesk> => {
  await claimFence(store, WRITER.token, WRITER.holder);
  for (const [index, url] of urls.entries())
    await putAlert(store, { id: `al_${index}` }, { id: `ep_${urls.indexOf(url)}`, orgId: "org_1", url });
  const revisions = urls.map((_, index) => ({ id: `al_${index}`, revision: index + 1 }));
  const standing = { state: "fired", hasFired: true, seenSeq: 1, memory: null, firedAtMs: NOW_MS } as const;
  await writeAlertJudgement(store, WRITER, {
    standings: revisions.map((each) => ({ ...each, ...standing })),
    events: urls.map((_, index) => ({ id: `msg_${index}`, alertId: `al_${index}`, seq: 1, type: "price.above", payload: "{}" })),
    cursors: [],
    atMs: NOW_MS,
  });
  const parts = { store, writer: WRITER, log, catalog: DEFAULT_CATALOG, post, random: () => 0.5, endWithinMs };
  const desk = new DeliveryDesk({ ...parts, clock: fakeClock(NOW_MS) });
  desk.wake();
  return desk;
};

test("a term with an event on its way to each of them ends at once, and the next one has every event that was not answered", async () => {
  const receivers = await Promise.all(Object.values(HOSTILE).map(({ does }) => receive(does)));
  const post = openReceivers({ hosts: LOOPBACK, timeoutMs: 600_000 });
  const desk = await sending(
    receivers.map(({ url }) => url),
    post,
    600_000,
  );
  await expect.poll(() => receivers.every(({ isReached }) => isReached())).toBe(true);
  await desk.end();
  const rows = await everyDelivery(store);
  expect(rows.every(({ status }) => status === "pending" || status === "delivered")).toBe(true);
  const silent = Object.values(HOSTILE).filter(({ result }) => "fault" in result && result.fault === "timeout");
  const waiting = rows.filter(({ status, tries }) => status === "pending" && tries === 0);
  expect(waiting.length, "at least those that never answer").toBeGreaterThanOrEqual(silent.length);
  expect(log.fault).not.toHaveBeenCalled();
});

test("a term ends although a post never settles, and says what it left behind", async () => {
  const post = vi.fn(() => new Promise<never>(() => undefined));
  const desk = await sending(["https://receiver.example/"], post, 20);
  await expect.poll(() => post.mock.calls.length).toBe(1);
  await desk.end();
  expect(log.warn.mock.calls).toEqual([["deliveries did not stop in time; leaving them behind", { endpoints: 1 }]]);
});

test("two events to an endpoint that answers with another protocol do not block it", async () => {
  const { url } = await receive(HOSTILE["switches to another protocol"]?.does ?? (() => undefined));
  const post = vi.fn(openReceivers({ hosts: LOOPBACK, timeoutMs: 600_000 }));
  const desk = await sending([url, url, url], post, 600_000);
  await expect.poll(() => post.mock.calls.length).toBe(3);
  await desk.settled();
  expect((await everyDelivery(store)).map(({ tries, lastStatus }) => [tries, lastStatus])).toEqual(Array(3).fill([1, 101]));
});
