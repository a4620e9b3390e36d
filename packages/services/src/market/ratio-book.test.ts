/** Ratios of two series. */
import { DAY_MS } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closedBar } from "../testing/closed-bar.ts";
import { CloseBook } from "./close-book.ts";
import { RatioBook } from "./ratio-book.ts";

const FIRST_MS = Date.UTC(2026, 0, 1);

describe.each(testEngines)("ratios on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
    const day = (symbol: "XAU-USD-SPOT" | "XAG-USD-SPOT", place: number, close: string) =>
      closedBar(symbol, "1d", FIRST_MS + place * DAY_MS, { close, high: "9999", low: "0" });
    await upsertBars(store, [
      day("XAU-USD-SPOT", 0, "4000"),
      day("XAU-USD-SPOT", 1, "4000"),
      day("XAG-USD-SPOT", 0, "0"),
      day("XAG-USD-SPOT", 1, "50"),
    ]);
  });
  afterAll(() => store.close());

  test("leave out a day whose denominator closed at zero, and have the others", async () => {
    const { points } = await new RatioBook(store, new CloseBook(store)).of("gold-silver");
    expect(points.length).toBe(1);
    expect(new TextDecoder().decode(points.slice(points.page(FIRST_MS, FIRST_MS + DAY_MS, 10)))).toContain('"ratio":"80.0000"');
  });
});
