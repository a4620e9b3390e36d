/** The outbox of alerts on every engine: what a judgement stores, once, and what it leaves alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { suspendAlerts, suspendOrganisation } from "../accounts/organisations.ts";
import { StaleTokenError } from "../errors.ts";
import { claimFence } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { deleteAlert, everyDelivery, putAlert, readEndpoint } from "../testing/alert-rows.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS } from "../testing/rows.ts";
import {
  type DeliveryResult,
  readDueDeliveries,
  readOutgoing,
  readWaitingDeliveries,
  writeDeliveryResults,
} from "./deliveries.ts";
import {
  type AlertJudgement,
  type JudgedEvent,
  readAlertCursors,
  readAlertNews,
  readAlertOwners,
  readFiringsOn,
  writeAlertJudgement,
  writeRetractions,
} from "./judgement.ts";

const WRITER = { token: 7, holder: "writer-a" };
const ENDPOINT = { id: "ep_1", orgId: "org_1" };

const eventOf = (own: Partial<JudgedEvent> = {}): JudgedEvent => ({
  id: "msg_1",
  alertId: "al_1",
  seq: 5,
  type: "price.above",
  payload: '{"type":"price.above","quoted":"\\"\\\\"}',
  ...own,
});

const judgementOf = (revision: number, own: Partial<AlertJudgement> = {}): AlertJudgement => ({
  standings: [{ id: "al_1", revision, state: "waiting", hasFired: true, seenSeq: 5, memory: null, firedAtMs: NOON_MS }],
  events: [eventOf()],
  cursors: [{ instrument: "XAU-USD-SPOT", view: "live", seq: 5, atMs: NOON_MS, revision }],
  atMs: NOON_MS,
  ...own,
});

const resultOf = (own: Partial<DeliveryResult> = {}): DeliveryResult => ({
  id: "msg_1",
  endpointId: "ep_1",
  isTry: true,
  atMs: NOON_MS,
  status: "pending",
  nextTryAtMs: NOON_MS + 5_000,
  httpStatus: 500,
  error: "status",
  disables: null,
  ...own,
});

describe.each(testEngines)("the outbox of alerts on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  const endpoint = () => readEndpoint(store, "ep_1");

  test("takes the events of a judgement together with where its alerts stand and how far it got", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await writeAlertJudgement(store, WRITER, judgementOf(revision));
    expect(await everyDelivery(store)).toEqual([
      { ...eventOf(), endpointId: "ep_1", status: "pending", tries: 0, lastStatus: null, lastError: null },
    ]);
    expect((await readAlertNews(store, 0)).changes).toMatchObject([
      { id: "al_1", state: "waiting", hasFired: true, seenSeq: 5, orgId: "org_1" },
    ]);
    expect(await readAlertCursors(store)).toEqual(judgementOf(revision).cursors);
  });

  test.each([
    ["its alerts are", suspendAlerts],
    ["its keys are", suspendOrganisation],
  ])("counts an owner as suspended when %s, and tells of the change", async (_, suspend) => {
    await putAlert(store, { id: "al_1" }, ENDPOINT);
    const seen = async () => ({
      isSuspended: (await readAlertOwners(store)).get("org_1")?.isSuspended,
      rights: (await readAlertNews(store, 0)).rights,
    });
    const before = await seen();
    await suspend(store, "org_1", NOON_MS);
    expect(await seen()).toEqual({ isSuspended: true, rights: before.rights + 1 });
    await suspend(store, "org_1", null);
    expect(await seen()).toEqual({ isSuspended: false, rights: before.rights + 2 });
  });

  test("is the same when a judgement is written twice, as after an answer that was lost", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await writeAlertJudgement(store, WRITER, judgementOf(revision));
    await writeAlertJudgement(store, WRITER, judgementOf(revision));
    // Another judge gives the event another id.
    await writeAlertJudgement(store, WRITER, judgementOf(revision, { events: [eventOf({ id: "msg_2" })] }));
    expect(await everyDelivery(store)).toHaveLength(1);
  });

  test("refuses a writer that a newer one has replaced, and stores nothing of it", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await claimFence(store, 9, "writer-b");
    await expect(writeAlertJudgement(store, WRITER, judgementOf(revision))).rejects.toThrow(StaleTokenError);
    expect(await everyDelivery(store)).toEqual([]);
    expect(await readAlertCursors(store)).toEqual([]);
    expect((await readAlertNews(store, 0)).changes).toMatchObject([{ state: "armed" }]);
  });

  test("leaves an alert that its owner changed or deleted in between as it is, without its events", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    const changed = await putAlert(store, { id: "al_1", threshold: "4100", seenSeq: 4 }, ENDPOINT);
    await writeAlertJudgement(store, WRITER, judgementOf(revision));
    expect(await everyDelivery(store)).toEqual([]);
    expect((await readAlertNews(store, revision)).changes).toMatchObject([{ threshold: "4100", state: "armed", seenSeq: 4 }]);
    await deleteAlert(store, "al_1", NOON_MS);
    await writeAlertJudgement(store, WRITER, judgementOf(changed.revision));
    expect(await everyDelivery(store)).toEqual([]);
    expect((await readAlertNews(store, changed.revision)).changes).toMatchObject([{ id: "al_1", isDeleted: true }]);
    expect((await readAlertNews(store, 0)).changes).toEqual([]);
  });

  test("keeps events that may come again on one tick", async () => {
    const { revision } = await putAlert(store, { id: "al_1", kind: "stale", threshold: null }, ENDPOINT);
    const stale = (id: string) => judgementOf(revision, { events: [eventOf({ id, seq: null, type: "price.stale" })] });
    await writeAlertJudgement(store, WRITER, stale("msg_1"));
    await writeAlertJudgement(store, WRITER, stale("msg_2"));
    expect(await everyDelivery(store)).toHaveLength(2);
  });

  test("finds what fired at withdrawn ticks until it is taken back, once each, and is not tried any more", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await putAlert(store, { id: "al_2", symbol: "XAG-USD-SPOT" }, ENDPOINT);
    await writeAlertJudgement(store, WRITER, judgementOf(revision, { events: [eventOf(), eventOf({ id: "msg_2", seq: 9 })] }));
    const range = { symbols: ["XAU-USD-SPOT", "XAU-EUR-SPOT"], fromSeq: 4, toSeq: 8 };
    expect(await readFiringsOn(store, range)).toEqual([{ id: "msg_1", payload: eventOf().payload }]);
    const retraction = { id: "msg_3", of: "msg_1", payload: "{}" };
    await writeRetractions(store, WRITER, [retraction], NOON_MS + 1_000);
    await writeRetractions(store, WRITER, [{ ...retraction, id: "msg_4" }], NOON_MS + 2_000);
    expect(await readFiringsOn(store, range)).toEqual([]);
    expect(await everyDelivery(store)).toMatchObject([
      { id: "msg_1", status: "failed", lastError: "withdrawn" },
      { id: "msg_2", status: "pending" },
      { id: "msg_3", alertId: "al_1", seq: 5, type: "price.withdrawn", endpointId: "ep_1", status: "pending" },
    ]);
  });

  test("gives out what is due, the longest waiting first, and a few of each endpoint", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await putAlert(store, { id: "al_2" }, { id: "ep_2", orgId: "org_2", tier: "free" });
    const events = Array.from({ length: 30 }, (_, index) => eventOf({ id: `msg_${index + 10}`, seq: index }));
    await writeAlertJudgement(store, WRITER, judgementOf(revision, { events }));
    const other = { ...judgementOf(revision + 1), events: [eventOf({ alertId: "al_2" })] };
    const standings = other.standings.map((standing) => ({ ...standing, id: "al_2" }));
    await writeAlertJudgement(store, WRITER, { ...other, standings, atMs: NOON_MS + 1_000 });
    expect(await readDueDeliveries(store, NOON_MS - 1, 20)).toEqual([]);
    const due = await readDueDeliveries(store, NOON_MS + 1_000, 20);
    expect(due.map(({ endpointId, tier }) => `${endpointId} ${tier}`)).toEqual([...Array(20).fill("ep_1 pro"), "ep_2 free"]);
    expect(await readWaitingDeliveries(store)).toEqual({ count: 31, oldestMs: NOON_MS });
  });

  test("notes a try: what was received is done, what was not comes later, and a failing endpoint since when", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await writeAlertJudgement(store, WRITER, judgementOf(revision));
    await writeDeliveryResults(store, WRITER, [resultOf()]);
    expect(await readDueDeliveries(store, NOON_MS + 4_999, 9)).toEqual([]);
    expect(await readDueDeliveries(store, NOON_MS + 5_000, 9)).toMatchObject([{ id: "msg_1" }]);
    const outgoing = await readOutgoing(store, ["msg_1", "msg_2"]);
    const owner = { tier: "pro", isSuspended: false, livesUntilMs: Number.POSITIVE_INFINITY };
    expect(outgoing).toMatchObject([{ id: "msg_1", tries: 1, failingSinceMs: NOON_MS, owner, alert: { older: 0 } }]);
    await writeDeliveryResults(store, WRITER, [
      resultOf({ status: "delivered", nextTryAtMs: null, httpStatus: 204, error: null, atMs: NOON_MS + 5_000 }),
    ]);
    expect(await everyDelivery(store)).toMatchObject([{ status: "delivered", tries: 2, lastStatus: 204, lastError: null }]);
    expect(await endpoint()).toMatchObject({ failingSinceMs: null });
  });

  test("of an endpoint that is disabled has failed, and so has what comes; what is asked for all the same enables it", async () => {
    const { revision } = await putAlert(store, { id: "al_1" }, ENDPOINT);
    await writeAlertJudgement(store, WRITER, judgementOf(revision, { events: [eventOf(), eventOf({ id: "msg_2", seq: 6 })] }));
    await writeDeliveryResults(store, WRITER, [
      resultOf({ status: "failed", nextTryAtMs: null, httpStatus: 410, disables: "gone" }),
    ]);
    await writeAlertJudgement(
      store,
      WRITER,
      judgementOf(revision, { events: [eventOf({ id: "msg_3", seq: 7 })], atMs: NOON_MS + 1_000 }),
    );
    expect((await everyDelivery(store)).map(({ id, status, lastError }) => `${id} ${status} ${lastError}`)).toEqual([
      "msg_1 failed status",
      "msg_2 failed disabled",
      "msg_3 failed disabled",
    ]);
    expect(await endpoint()).toMatchObject({ disabledAtMs: NOON_MS, disabledReason: "gone" });
    // It was on its way.
    await writeDeliveryResults(store, WRITER, [
      resultOf({ id: "msg_2", status: "delivered", nextTryAtMs: null, httpStatus: 200, error: null }),
    ]);
    expect((await everyDelivery(store))[1]).toMatchObject({ id: "msg_2", status: "delivered", lastError: null });
    expect(await endpoint()).toMatchObject({ disabledAtMs: null, disabledReason: null, failingSinceMs: null });
  });
});
