import { type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { silentLog } from "@assay/live";
import type { BarRow } from "@assay/pricing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkStoredSymbols } from "./stored-symbols.ts";

const day = (symbol: string, date: string, close: string, change: Partial<BarRow> = {}): BarRow => ({
  symbol,
  interval: "1d",
  barStartMs: Date.parse(date),
  open: close,
  high: close,
  low: close,
  close,
  volume: null,
  isClosed: true,
  sourceId: "composed",
  ...change,
});

describe.each(testEngines)("stored series on $name", (engine) => {
  let store: Store;
  const warn = vi.fn();
  const check = () => checkStoredSymbols(store, { ...silentLog, warn });
  beforeEach(async () => {
    store = await engine.open();
    warn.mockClear();
  });
  afterEach(() => store.close());

  test("of the catalogue pass without a word, as an empty database does", async () => {
    await check();
    await upsertBars(store, [
      ...["XAU-USD-SPOT", "GC"].flatMap((symbol) => [day(symbol, "1996-01-02", "390"), day(symbol, "2026-11-19", "4003.95")]),
      day("XPT-USD-SPOT", "2026-11-19", "1010"),
      day("GLD", "2026-11-20", "372.5", { isClosed: false }),
      day("XAG-USD-SPOT", "2026-11-20", "1", { interval: "1h" }),
    ]);
    await check();
    expect(warn).not.toHaveBeenCalled();
  });

  test("that the catalogue does not have are named once each", async () => {
    await upsertBars(store, [
      day("XRH-USD-SPOT", "2026-11-19", "8000"),
      day("XRH-USD-SPOT", "2026-11-20", "8000", { interval: "1m" }),
      day("XAU-USD-SPOT", "2026-11-19", "4000"),
      day("ZZZ", "2026-11-19", "1", { interval: "1m" }),
    ]);
    await check();
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      "bars of XRH-USD-SPOT are stored, but the catalogue does not have it; they are kept and not served",
      "bars of ZZZ are stored, but the catalogue does not have it; they are kept and not served",
    ]);
  });

  test.each([
    ["XAG-USD-SPOT", "2", "metals.XAG.bounds", "3 to 1000"],
    ["HG", "60.01", "metals.HG.bounds", "0.4 to 60"],
    ["XPD-USD-SPOT", "50000.5", "metals.XPD.bounds", "50 to 50000"],
    ["GLD", "19.99", "funds.GLD.bounds", "20 to 5000"],
  ])(
    "of %s whose newest close lies outside the row's bounds is refused with the path of the row",
    async (symbol, close, path, range) => {
      await upsertBars(store, [day(symbol, "2026-11-18", "55"), day(symbol, "2026-11-19", close)]);
      await expect(check()).rejects.toMatchObject({
        name: "SettingError",
        message: `CATALOG is not set (${path}: the newest stored close of ${symbol} is ${close}, outside ${range}); expected bounds that include the stored price, or a database without ${symbol}`,
      });
    },
  );
});
