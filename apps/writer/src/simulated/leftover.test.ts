import { type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { selectFeeds } from "@assay/feeds";
import { SIMULATED_SOURCE } from "@assay/simulator";
import { makeBar } from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refuseSimulatedPast } from "./leftover.ts";

const day = (date: string, sourceId: string) =>
  makeBar({ symbol: "XAU-USD-SPOT", interval: "1d", barStartMs: Date.parse(date), sourceId });

describe.each(testEngines)("simulated prices of an earlier start on $name", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await engine.open();
  });
  afterEach(() => store.close());

  test("keep real feeds away, and no others", async () => {
    const { feeds: polled } = selectFeeds("gold-api", {});
    const live = { polled };
    await upsertBars(store, [day("2026-11-19", "composed")]);
    await refuseSimulatedPast(store, live, "live");
    await upsertBars(store, [day("2026-11-20", SIMULATED_SOURCE)]);
    await expect(refuseSimulatedPast(store, live, "live")).rejects.toThrow(
      'FEEDS is "live" (the database has simulated prices of an earlier start, which would be mixed with real ones); expected real feeds with a database of their own: name a new DATA_DIR or DATABASE_URL',
    );
    await refuseSimulatedPast(store, { polled: [] }, "replay:day.ndjson");
  });
});
