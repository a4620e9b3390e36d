/** The judge over a real store: takeovers at every point, withdrawn prices, owners who change their minds, tiers. */
import { DELAY_MS, MINUTE_MS, SECOND_MS, webhookEvent } from "@assay/contract";
import { claimFence, readAlertChanges, StaleTokenError, type Store, writeMoment } from "@assay/db";
import { changeTier, deleteAlert, emptyTables, everyDelivery, putAlert, testEngines } from "@assay/db/testing";
import { type BeliefState, dec, type FxRate, fraction, type Tick, unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertDesk } from "./alert-desk.ts";

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
    return new AlertDesk({ store, writer: writer(), market, log });
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
        { alert_id: "al_1", symbol: GOLD, threshold: "4000", price: "4001.00", computed_at: "2026-11-16T14:00:02Z", seq: 2 },
      ],
      [
        "price.below",
        expect.objectContaining({ alert_id: "al_2", symbol: "XAU-EUR-SPOT", threshold: "3500", price: "3420.00", seq: 3 }),
      ],
      [
        "price.stale",
        {
          alert_id: "al_3",
          symbol: GOLD,
          stale_reason: "feed_down",
          price: "3800.00",
          computed_at: "2026-11-16T14:00:03Z",
          seq: 3,
        },
      ],
      ["price.fresh", { alert_id: "al_3", symbol: GOLD, price: "3990.00", computed_at: "2026-11-16T14:02:04Z", seq: 4 }],
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

  test("follow their owner's tier within a minute, with no price lost on the way up and none repeated on the way down", async () => {
    await putAlert(store, { id: "al_1" }, { ...OWNER, tier: "free" });
    const desk = await takeOver();
    await prices(desk, "3999", "4001");
    expect(await events()).toEqual([]);
    await changeTier(store, OWNER.orgId, "pro");
    nowMs += MINUTE_MS;
    await desk.judge(nowMs);
    expect(await events()).toEqual(["al_1 price.above 2"]);
    await changeTier(store, OWNER.orgId, "free");
    nowMs += MINUTE_MS;
    await desk.judge(nowMs);
    nowMs += DELAY_MS;
    await desk.judge(nowMs);
    expect(await events()).toEqual(["al_1 price.above 2"]);
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
      expect((await readAlertChanges(store, 0))[0]).toMatchObject({ state: "fired", seenSeq: 4 });
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
    const desk = new AlertDesk({ store: failing, writer: writer(), market, log });
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
    const desk = new AlertDesk({ store: counting, writer: writer(), market, log });
    await prices(desk, "3999", "4001");
    expect(queries).toBe(2);
  });
});
