/** Secrets, imports and history gaps, on every engine. */
import type { HistoryGap } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StaleTokenError } from "../errors.ts";
import { claimFence } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS } from "../testing/rows.ts";
import { readHistoryGaps, writeHistoryGaps } from "./history-gaps.ts";
import { findImport, recordImport } from "./imports.ts";
import { getOrCreateSecret } from "./secrets.ts";

describe.each(testEngines)("records on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  test("give every process that asks at the same moment the same secret", async () => {
    const asked = Array.from({ length: 8 }, (_, index) => getOrCreateSecret(store, "cursor", () => `secret-${index}`, NOON_MS));
    const secrets = new Set(await Promise.all(asked));
    expect(secrets.size).toBe(1);
    expect(secrets).toContain(await getOrCreateSecret(store, "cursor", () => "later", NOON_MS));
    expect(await getOrCreateSecret(store, "archives", () => "another", NOON_MS)).toBe("another");
  });

  test("keep the gaps of each series' past, and none once they are filled", async () => {
    const writer = { token: 1, holder: "writer" };
    const gap: HistoryGap = { symbol: "XAU-USD-SPOT", bars: "intraday", fromMs: NOON_MS - 86_400_000, untilMs: NOON_MS };
    const silver: HistoryGap = { ...gap, symbol: "XAG-USD-SPOT", bars: "daily" };
    await writeHistoryGaps(store, writer, gap.symbol, [{ ...gap, fromMs: 0 }]);
    await writeHistoryGaps(store, writer, gap.symbol, [gap]);
    await writeHistoryGaps(store, writer, silver.symbol, [silver]);
    expect(await readHistoryGaps(store)).toEqual([silver, gap]);
    await writeHistoryGaps(store, writer, silver.symbol, []);
    expect(await readHistoryGaps(store)).toEqual([gap]);
    await claimFence(store, 2, "newer");
    await expect(writeHistoryGaps(store, writer, gap.symbol, [])).rejects.toThrow(StaleTokenError);
    expect(await readHistoryGaps(store)).toEqual([gap]);
  });

  test("remember a file that was imported into a series before", async () => {
    const record = {
      fileDigest: "d1",
      symbol: "GC",
      interval: "1d",
      rows: 250,
      finishedAtMs: NOON_MS,
      firstStartMs: 60_000,
      lastStartMs: null,
    } as const;
    await recordImport(store, record);
    await recordImport(store, { ...record, rows: 251 });
    expect(await findImport(store, record)).toEqual({ ...record, rows: 251 });
    expect(await findImport(store, { ...record, symbol: "SI" })).toBeNull();
    expect(await findImport(store, { ...record, interval: "1h" })).toBeNull();
  });
});
