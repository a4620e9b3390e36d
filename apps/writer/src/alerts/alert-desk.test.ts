/** The judge over a real store: takeovers at every point, withdrawn prices, owners who change their minds, tiers. */
import { DEFAULT_CATALOG, DELAY_MS, MINUTE_MS, SECOND_MS, webhookEvent } from "@assay/contract";
import { claimFence, readAlertNews, StaleTokenError, type Store, suspendAlerts, writeMoment } from "@assay/db";
import { changeTier, deleteAlert, emptyTables, endKeys, everyDelivery, putAlert, testEngines } from "@assay/db/testing";
import { seededRandom } from "@assay/ports/virtual";
import { type BeliefState, dec, type FxRate, fraction, type Tick, unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertDesk } from "./alert-desk.ts";

const random = seededRandom(1);

const GOLD = "XAU-USD-SPOT";
const OWNER = { id: "ep_1", orgId: "org_1", tier: "pro" } as const;

const rate = (units: string, atMs: number): FxRate => ({
  ...fraction(units),
  rate: dec(units),
  source: "test",
  role: units === "1" ? "identity" : "live",
  observedAtMs: atMs,
  freshUntilMs: atMs,
  isStale: false,
});

describe.each(testEngines)("alerts on $name", (engine) => {
  let store: Store;
  let nowMs: number;
  let seq: number;
  let token: number;
  let belief: BeliefState;
  const log = { fault: vi.fn() };

  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
    nowMs = Date.UTC(2026, 10, 16, 14);
    seq = 0;
    token = 1;
    belief = unknownBelief(GOLD);
    log.fault.mockClear();
  });
  afterAll(() => store.close());

  const writer = () => ({ token, holder: `writer-${token}` });

  /** The desk of a new term; the former one is refused from now on. */
  const takeOver = async (): Promise<AlertDesk> => {
    token += 1;
    await claimFence(store, token, writer().holder);
    const market = {
      rateBeside: (_: unknown, currency: string, atMs: number) => rate(currency === "EUR" ? "0.9" : "1", atMs),
      isOpen: () => true,
      beliefOf: () => belief,
    };
    return new AlertDesk({ store, writer: writer(), market, random, catalog: DEFAULT_CATALOG, log });
  };

  /** Commits a price, a second later. */
  const commit = async (price: string, beliefs: readonly BeliefState[] = []): Promise<Tick> => {
    nowMs += SECOND_MS;
    seq += 1;
    const freshUntilMs = nowMs + MINUTE_MS;
    const tick: Tick = {
      instrument: GOLD,
      seq,
      price,
      conf: "0.5",
      basis: "primary",
      sources: [],
      divergenceBps: null,
      computedAtMs: nowMs,
      freshUntilMs,
    };
    await writeMoment(store, writer(), { ticks: [tick], bars: [], fx: [], beliefs });
    return tick;
  };

  /** Commits prices and judges each of them. */
  const prices = async (desk: AlertDesk, ...all: string[]): Promise<void> => {
    for (const price of all) {
      desk.committed([await commit(price)]);
      await desk.judge(nowMs);
    }
  };

  const events = async () =>
    (await everyDelivery(store)).map(({ alertId, type, payload }) => `${alertId} ${type} ${JSON.parse(payload).data.seq}`);

  test("are judged as prices come, and their events are what the contract declares", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    await putAlert(store, { id: "al_2", symbol: "XAU-EUR-SPOT", kind: "below", threshold: "3500" }, OWNER);
    await putAlert(store, { id: "al_3", kind: "stale", threshold: null }, OWNER);
    const desk = await takeOver();
    await prices(desk, "3999", "4001", "3800");
    nowMs += 2 * MINUTE_MS;
    await desk.judge(nowMs);
    await prices(desk, "3990");
    const made = (await everyDelivery(store)).map(({ payload }) => webhookEvent.parse(JSON.parse(payload)));
    expect(made.map(({ type, data }) => [type, data])).toEqual([
      [
        "price.above",
        {
          alert_id: "al_1",
          name: "al_1",
          symbol: GOLD,
          threshold: "4000",
          price: "4001.00",
          computed_at: "2026-11-16T14:00:02Z",
          seq: 2,
        },
      ],
      [
        "price.below",
        expect.objectContaining({ alert_id: "al_2", symbol: "XAU-EUR-SPOT", threshold: "3500", price: "3420.00", seq: 3 }),
      ],
      [
        "price.stale",
        {
          alert_id: "al_3",
          name: "al_3",
          symbol: GOLD,
          stale_reason: "feed_down",
          price: "3800.00",
          computed_at: "2026-11-16T14:00:03Z",
          seq: 3,
        },
      ],
      [
        "price.fresh",
        { alert_id: "al_3", name: "al_3", symbol: GOLD, price: "3990.00", computed_at: "2026-11-16T14:02:04Z", seq: 4 },
      ],
    ]);
    expect(log.fault).not.toHaveBeenCalled();
  });

  test("that cross between a commit and its judgement fire in the next term, once", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    await prices(await takeOver(), "3999");
    await commit("4001");
    // It ends here: the price is published, and was not judged.
    const next = await takeOver();
    await next.judge(nowMs);
    await prices(next, "4002");
    await prices(await takeOver(), "4003");
    expect(await events()).toEqual(["al_1 price.above 2"]);
  });

  test("of a term that was replaced are refused, and the new one judges the same prices", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    const old = await takeOver();
    await prices(old, "3999");
    const tick = await commit("4001");
    const next = await takeOver();
    old.committed([tick]);
    await expect(old.judge(nowMs)).rejects.toThrow(StaleTokenError);
    await next.judge(nowMs);
    expect(await events()).toEqual(["al_1 price.above 2"]);
  });

  test("made between a look at the price and the next judgement are judged on what came in between", async () => {
    const desk = await takeOver();
    await putAlert(store, { id: "al_0", threshold: "9000" }, OWNER);
    await prices(desk, "3999");
    const tick = await commit("4001");
    await putAlert(store, { id: "al_1", seenSeq: 1 }, OWNER);
    desk.committed([tick]);
    await desk.judge(nowMs);
    expect(await events()).toEqual(["al_1 price.above 2"]);
  });

  test("made in a term that ends before it notices them are judged by the next on what they missed", async () => {
    const desk = await takeOver();
    await putAlert(store, { id: "al_0", threshold: "9000" }, OWNER);
    await prices(desk, "3999");
    await putAlert(store, { id: "al_1", seenSeq: 1 }, OWNER);
    await commit("4001");
    await commit("3990");
    await (await takeOver()).judge(nowMs);
    expect(await events()).toEqual(["al_1 price.above 2"]);
  });

  test("that are changed or deleted are judged as they are now", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    await putAlert(store, { id: "al_2" }, OWNER);
    const desk = await takeOver();
    await prices(desk, "3999");
    await putAlert(store, { id: "al_1", threshold: "4500", seenSeq: 1 }, OWNER);
    await deleteAlert(store, "al_2", nowMs);
    await prices(desk, "4001", "4501");
    expect(await events()).toEqual(["al_1 price.above 3"]);
  });

  test.each([
    ["in a term", async (desk: AlertDesk) => desk],
    ["while no term looked", async () => takeOver()],
  ])("that go on after a pause that ended %s are judged as if they were made then", async (_, after) => {
    await putAlert(store, { id: "al_1" }, OWNER);
    const desk = await takeOver();
    await prices(desk, "3999");
    await endKeys(store, OWNER.orgId, nowMs);
    await prices(desk, "3998", "4001");
    await endKeys(store, OWNER.orgId, null);
    await prices(await after(desk), "4002", "3990", "4003");
    expect(await events()).toEqual(["al_1 price.above 6"]);
  });

  test("on staleness that go on after a pause do not report what became stale in it, whoever judges then", async () => {
    await putAlert(store, { id: "al_1", kind: "stale", threshold: null }, OWNER);
    const desk = await takeOver();
    await prices(desk, "3999");
    await endKeys(store, OWNER.orgId, nowMs);
    await prices(desk, "3999");
    nowMs += 5 * MINUTE_MS;
    await prices(desk, "3999");
    await endKeys(store, OWNER.orgId, null);
    await prices(await takeOver(), "3999");
    expect(await events()).toEqual([]);
  });

  test("whose name is changed as they go on after a pause are judged as if they were made then", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    const desk = await takeOver();
    await prices(desk, "3999");
    await endKeys(store, OWNER.orgId, nowMs);
    await prices(desk, "3998", "4001");
    await endKeys(store, OWNER.orgId, null);
    await putAlert(store, { id: "al_1", name: "renamed", seenSeq: 1 }, OWNER);
    await prices(desk, "4002", "3990", "4003");
    expect(await events()).toEqual(["al_1 price.above 6"]);
  });

  test("that fire often wait ten at a time, and each event says how many it came in place of", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    const desk = await takeOver();
    for (let times = 0; times < 13; times += 1) {
      await prices(desk, "3990", "4001");
      nowMs += MINUTE_MS;
    }
    const made = (await everyDelivery(store)).map(({ payload }) => JSON.parse(payload).data);
    expect(made).toHaveLength(10);
    expect(made.map(({ seq: at, merged = 0 }) => [at, merged]).slice(-4)).toEqual([
      [20, 0],
      [22, 1],
      [24, 1],
      [26, 1],
    ]);
    expect(webhookEvent.parse(JSON.parse((await everyDelivery(store)).at(-1)?.payload ?? ""))).toMatchObject({
      type: "price.above",
    });
  });

  describe("whose owner", () => {
    const DELAYED = { ...OWNER, tier: "free" } as const;

    test("has another tier are judged on its prices from the next moment on, with none lost on the way up", async () => {
      await putAlert(store, { id: "al_1" }, DELAYED);
      const desk = await takeOver();
      await prices(desk, "3999", "4001");
      expect(await events()).toEqual([]);
      await changeTier(store, OWNER.orgId, "pro");
      await desk.judge(nowMs);
      expect(await events()).toEqual(["al_1 price.above 2"]);
    });

    test("sees prices later than before begin again on those, and hear what comes within 15 minutes", async () => {
      await putAlert(store, { id: "al_0", threshold: "5000" }, { id: "ep_2", orgId: "org_2", tier: "free" });
      await putAlert(store, { id: "al_1", threshold: "3900", state: "waiting" }, OWNER);
      const desk = await takeOver();
      // Live it is back at the second price, and fires at the fourth.
      await prices(desk, "3950", "3890", "3895", "3950");
      nowMs += MINUTE_MS;
      await prices(desk, "3890", "3910");
      const live = ["al_1 price.above 4", "al_1 price.above 6"];
      expect(await events()).toEqual(live);
      await putAlert(store, { id: "al_2", threshold: "3900", seenSeq: 6, state: "waiting" }, OWNER);
      await desk.judge(nowMs);
      await changeTier(store, OWNER.orgId, "free");
      await desk.judge(nowMs);
      nowMs += MINUTE_MS;
      await prices(desk, "3890", "3920");
      expect(await events()).toEqual(live);
      nowMs += DELAY_MS;
      const next = await takeOver();
      await next.judge(nowMs);
      // What was sent live is not sent again.
      const late = ["al_1 price.above 8", "al_2 price.above 4", "al_2 price.above 6", "al_2 price.above 8"];
      expect((await events()).toSorted()).toEqual([...live, ...late].toSorted());
    });

    test("has no living key are not judged from that instant on, and as if made then once it has one", async () => {
      await putAlert(store, { id: "al_1" }, OWNER);
      const desk = await takeOver();
      await prices(desk, "3999");
      await endKeys(store, OWNER.orgId, nowMs + 2 * SECOND_MS);
      await prices(desk, "4001", "3999", "4001", "3998");
      nowMs += MINUTE_MS;
      expect(await events()).toEqual(["al_1 price.above 2"]);
      await prices(desk, "4005");
      await endKeys(store, OWNER.orgId, null);
      await prices(desk, "4006", "3998", "4007");
      expect(await events()).toEqual(["al_1 price.above 2", "al_1 price.above 9"]);
    });

    test("has a lower tier are judged as far as it goes: the symbols it has, and the oldest of as many as it may have", async () => {
      const basic = DEFAULT_CATALOG.tiers.free.max_alerts;
      for (let index = 0; index < basic + 1; index += 1) await putAlert(store, { id: `al_${index}`, threshold: "4000" }, OWNER);
      await putAlert(store, { id: "al_0b", symbol: "XAG-USD-SPOT", threshold: "1" }, OWNER);
      const desk = await takeOver();
      await prices(desk, "3999");
      await changeTier(store, OWNER.orgId, "free");
      await prices(desk, "4001");
      nowMs += DELAY_MS;
      await desk.judge(nowMs);
      // `al_0b` comes second of all, and counts although its symbol is not of the tier.
      expect((await events()).toSorted()).toEqual(["al_0 price.above 2", "al_1 price.above 2"]);
    });

    test("is suspended by the operator are not judged", async () => {
      await putAlert(store, { id: "al_1" }, OWNER);
      const desk = await takeOver();
      await prices(desk, "3999");
      await suspendAlerts(store, OWNER.orgId, nowMs);
      await prices(desk, "4001");
      await suspendAlerts(store, OWNER.orgId, null);
      await prices(desk, "4002", "3990", "4001");
      expect(await events()).toEqual(["al_1 price.above 5"]);
    });
  });

  test("on delayed prices fire 15 minutes later, over a takeover in between", async () => {
    await putAlert(store, { id: "al_1" }, { ...OWNER, tier: "free" });
    await prices(await takeOver(), "3999", "4001");
    nowMs += DELAY_MS - 1;
    const next = await takeOver();
    await next.judge(nowMs);
    expect(await events()).toEqual([]);
    nowMs += 1;
    await next.judge(nowMs);
    expect(await events()).toEqual(["al_1 price.above 2"]);
  });

  test("on a move remember their window over a takeover", async () => {
    await putAlert(store, { id: "al_1", kind: "moved", threshold: "2", windowSeconds: 3_600 }, OWNER);
    const desk = await takeOver();
    await prices(desk, "4000");
    for (let minute = 0; minute < 20; minute += 1) {
      nowMs += MINUTE_MS;
      await prices(desk, "4040");
    }
    const next = await takeOver();
    await prices(next, "4079", "4080");
    expect(await events()).toEqual(["al_1 price.moved 23"]);
  });

  describe("that fired at a price which is withdrawn", () => {
    const run = () => ({ fromSeq: 2, fromMs: nowMs, by: ["a"], untilMs: nowMs + 60 * MINUTE_MS, bars: [] });
    const withdrawn = () => ({ ...belief, probation: null, withdrawn: [{ fromSeq: 2, toSeq: seq, atMs: nowMs }] });

    test("take it back, once, and fire at the right price if that crosses", async () => {
      await putAlert(store, { id: "al_1", once: true }, OWNER);
      const desk = await takeOver();
      await prices(desk, "3999");
      belief = { ...belief, probation: run() };
      await prices(desk, "40010");
      belief = withdrawn();
      await prices(desk, "3999", "4001");
      expect(await events()).toEqual(["al_1 price.above 2", "al_1 price.withdrawn 2", "al_1 price.above 4"]);
      expect((await readAlertNews(store, 0)).changes[0]).toMatchObject({ state: "fired", seenSeq: 4 });
      await (await takeOver()).judge(nowMs);
      expect(await events()).toHaveLength(3);
    });

    test("take it back when the term ends between the withdrawal and its judgement", async () => {
      await putAlert(store, { id: "al_1", once: true }, OWNER);
      const desk = await takeOver();
      await prices(desk, "3999");
      belief = { ...belief, probation: run() };
      await prices(desk, "40010");
      belief = withdrawn();
      await commit("3999", [belief]);
      const next = await takeOver();
      await next.judge(nowMs);
      await prices(next, "4001");
      expect(await events()).toEqual(["al_1 price.above 2", "al_1 price.withdrawn 2", "al_1 price.above 4"]);
    });

    test("take it back although they were deleted", async () => {
      await putAlert(store, { id: "al_1" }, OWNER);
      await putAlert(store, { id: "al_2", threshold: "90000" }, OWNER);
      const desk = await takeOver();
      await prices(desk, "3999");
      belief = { ...belief, probation: run() };
      await prices(desk, "40010");
      await deleteAlert(store, "al_1", nowMs);
      belief = withdrawn();
      await prices(desk, "3999");
      expect(await events()).toEqual(["al_1 price.above 2", "al_1 price.withdrawn 2"]);
    });
  });

  test("wait for a store that fails, and lose nothing", async () => {
    await putAlert(store, { id: "al_1" }, OWNER);
    let isDown = false;
    const failing: Store = {
      ...store,
      run: (work, timeoutMs) => (isDown ? Promise.reject(new Error("down")) : store.run(work, timeoutMs)),
    };
    const market = {
      rateBeside: (_: unknown, __: string, atMs: number) => rate("1", atMs),
      isOpen: () => true,
      beliefOf: () => belief,
    };
    const desk = new AlertDesk({ store: failing, writer: writer(), market, random, catalog: DEFAULT_CATALOG, log });
    await prices(desk, "3999");
    desk.committed([await commit("4001")]);
    isDown = true;
    await desk.judge(nowMs);
    isDown = false;
    await desk.judge(nowMs + SECOND_MS);
    expect(await events()).toEqual(["al_1 price.above 2"]);
    expect(log.fault).toHaveBeenCalledTimes(1);
  });

  test("cost one query a second while there are none", async () => {
    let queries = 0;
    const counting: Store = {
      ...store,
      run: (work, timeoutMs) => {
        queries += 1;
        return store.run(work, timeoutMs);
      },
    };
    const market = { rateBeside: () => null, isOpen: () => true, beliefOf: () => belief };
    const desk = new AlertDesk({ store: counting, writer: writer(), market, random, catalog: DEFAULT_CATALOG, log });
    await prices(desk, "3999", "4001");
    expect(queries).toBe(2);
  });
});
