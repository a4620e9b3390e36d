/** Backfilled references: a central bank's days become daily closes, where there are none. */
import { claimFence, readBars, type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { createUpstream, type SelectedFeed, selectFeeds } from "@assay/feeds";
import type { ReferenceObservation } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { makeBar } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gaps } from "./history-gaps.ts";
import { backfillLive } from "./live.ts";

const NOW_MS = Date.parse("2026-11-20T18:00:00Z");
const WRITER = { token: 1, holder: "one" };
const dayMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

const reference = (metal: string, day: string, perGram: string): ReferenceObservation => ({
  kind: "reference",
  source: "cbr",
  metal,
  perGram,
  perUsd: "80",
  observedAtMs: dayMs(day),
});

const DAYS = [
  reference("XPT", "2008-07-02", "5200"),
  reference("XPD", "2008-07-02", "1200"),
  reference("XPT", "2008-07-03", "5225.5"),
  // In troy ounces.
  reference("XPD", "2008-07-03", "37500"),
  reference("XPD", "2008-07-04", "1210"),
];

describe.each(testEngines)("the past of references on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
    await claimFence(store, WRITER.token, WRITER.holder);
  }, 120_000);
  afterAll(() => store.close());

  const closes = async (symbol: string) =>
    (await readBars(store, { symbol, interval: "1d", fromMs: 0, toMs: NOW_MS, limit: 9 })).map(
      ({ barStartMs, close, sourceId }) => `${new Date(barStartMs).toISOString().slice(0, 10)} ${close} ${sourceId}`,
    );

  it("is a close of each metal on each day that has none, without prices that the rules refuse", async () => {
    const stored = makeBar({ symbol: "XPT-USD-SPOT", interval: "1d", barStartMs: dayMs("2008-07-03"), close: "2030.00" });
    await upsertBars(store, [{ ...stored, sourceId: "imported" }], { writer: WRITER });
    const [cbr] = selectFeeds("cbr", {}).feeds;
    const feed = cbr && { ...cbr.feed, backfill: async () => DAYS };
    const polled: SelectedFeed[] = feed ? [{ feed, baseUrl: feed.baseUrl }] : [];
    const heard: string[] = [];
    await backfillLive({
      store,
      writer: WRITER,
      upstream: createUpstream({ nowMs: () => NOW_MS }),
      polled,
      log: {
        info: () => undefined,
        feed: () => undefined,
        archives: () => undefined,
        warn: () => undefined,
        fault: (error) => heard.push(String(error)),
      },
      progress: silentProgress,
      nowMs: NOW_MS,
      signal: new AbortController().signal,
      mayWrite: () => true,
      gaps: await Gaps.read(store, WRITER),
      onFilled: () => undefined,
      onBars: (symbol) => void heard.push(symbol),
      onSettlements: () => undefined,
      onRates: () => undefined,
      refuse: (source, rule) => void heard.push(`${source} ${rule}`),
    });
    expect(heard.sort()).toEqual(["XPD-USD-SPOT", "XPT-USD-SPOT", "cbr unit_slip"]);
    // 5200 × 31.1034768 / 80 = 2021.725992
    expect(await closes("XPT-USD-SPOT")).toEqual(["2008-07-03 2030.00 imported", "2008-07-02 2021.7260 cbr"]);
    expect(await closes("XPD-USD-SPOT")).toEqual(["2008-07-04 470.4401 cbr", "2008-07-02 466.5522 cbr"]);
  }, 120_000);
});
