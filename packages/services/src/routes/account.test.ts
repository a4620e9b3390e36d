/** Usage by day: stored calls, calls that are only counted yet, and a store that does not respond. */
import { DEFAULT_CATALOG } from "@assay/contract";
import { addUsage, type Store, StoreUnavailableError } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { type Live, silentLog } from "@assay/live";
import { testLives } from "@assay/live/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Limits } from "../access/limits.ts";
import { usageByDay } from "./account.ts";

const QUOTA = 1_000;
const engines = testEngines.flatMap((engine) => testLives.map((counting) => ({ engine, counting })));

const away: Store["run"] = () => Promise.reject(new StoreUnavailableError("the database does not respond"));

describe.each(engines)("usage by day on $engine.name, counted in $counting.name", ({ engine, counting }) => {
  let nowMs: number;
  let store: Store;
  let live: Live;
  beforeEach(async () => {
    nowMs = Date.parse("2026-11-04T23:59:59Z");
    store = await engine.open();
    live = await counting.open(() => nowMs);
  });
  afterEach(() => Promise.all([live.close(), store.close()]));

  const read = async (from: Store = store) => {
    const deps = { live, store: from, catalog: DEFAULT_CATALOG, log: silentLog };
    const { today, thisMonth } = await new Limits(deps).usage("org", nowMs);
    const days = await usageByDay(deps, "org", today, nowMs);
    return { days: days?.map(({ date, calls }) => `${date} ${calls}`) ?? null, today, thisMonth };
  };
  const call = async (times: number): Promise<void> => {
    const day = new Date(nowMs).toISOString().slice(0, 10);
    for (let each = 0; each < times; each += 1) await live.counters.reserve("org", day, QUOTA);
  };
  const settle = () => live.counters.settle((deltas) => addUsage(store, deltas));

  test("has every day of the month up to today, and today's calls while they are only counted as once they are stored", async () => {
    await addUsage(store, [
      { orgId: "org", day: "2026-10-31", calls: 100 },
      { orgId: "org", day: "2026-11-01", calls: 7 },
      { orgId: "org", day: "2026-11-03", calls: 2 },
      { orgId: "other", day: "2026-11-03", calls: 50 },
    ]);
    const counted = {
      days: ["2026-11-01 7", "2026-11-02 0", "2026-11-03 2", "2026-11-04 3"],
      today: 3,
      thisMonth: 12,
    };
    await read();
    await call(3);
    expect(await read()).toEqual(counted);
    await settle();
    expect(await read()).toEqual(counted);
  });

  test("has yesterday's last calls in the month at once, and in their day once they are stored", async () => {
    await read();
    await call(2);
    nowMs += 2_000;
    await call(1);
    const days = ["2026-11-01 0", "2026-11-02 0", "2026-11-03 0"];
    expect(await read()).toEqual({ days: [...days, "2026-11-04 0", "2026-11-05 1"], today: 1, thisMonth: 3 });
    await settle();
    expect(await read()).toEqual({ days: [...days, "2026-11-04 2", "2026-11-05 1"], today: 1, thisMonth: 3 });
  });

  test("begins again with the month", async () => {
    await addUsage(store, [{ orgId: "org", day: "2026-11-30", calls: 9 }]);
    nowMs = Date.parse("2026-12-01T00:00:00Z");
    await call(1);
    expect(await read()).toEqual({ days: ["2026-12-01 1"], today: 1, thisMonth: 1 });
  });

  test("is null while the store does not respond, beside the counts", async () => {
    await addUsage(store, [{ orgId: "org", day: "2026-11-01", calls: 7 }]);
    await read();
    await call(3);
    expect(await read({ ...store, run: away })).toEqual({ days: null, today: 3, thisMonth: 10 });
  });
});
