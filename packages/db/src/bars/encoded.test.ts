/** Compares bars encoded by the database with bars encoded here, byte for byte, on every engine. */
import { INTERVAL_MS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { testEngines } from "../testing/engines.ts";
import { barRow, minutes, NOON_MS } from "../testing/rows.ts";
import { encodeBar, readEncodedBars } from "./encoded.ts";
import { readBars } from "./read.ts";
import { upsertBars } from "./write.ts";

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));

/** Figures of any size and sign, including those at the boundary of a rounding or of a number of decimals. */
const figure = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 24n }), digits(12))
    .map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  fc.tuple(fc.integer({ min: 0, max: 5_000 }), digits(9)).map(([whole, part]) => `${whole}.${part}`),
  fc.constantFrom(
    "0",
    "-0.0000004",
    "0.0000005",
    "0.9999995",
    "0.99999949",
    "1",
    "99.99995",
    "99.99994999",
    "100",
    "100.005",
    "-100.005",
    "4003.2",
  ),
);

const bar = fc.record({
  open: fc.option(figure),
  high: fc.option(figure),
  low: fc.option(figure),
  close: figure,
  volume: fc.oneof(fc.constant(null), figure, fc.constantFrom("0", "0.000", "100", "120.500", "8123400")),
  isClosed: fc.boolean(),
});

describe.each(testEngines)("encoded bars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  const expectSame = async (rows: readonly BarRow[], symbol: string, sinceMs?: number) => {
    const encoded = await readEncodedBars(store, symbol, "1m", sinceMs);
    const texts = rows.map(encodeBar);
    expect(Buffer.from(encoded.bytes).toString()).toBe(texts.join(","));
    expect([...encoded.startsMs]).toEqual(rows.map((row) => row.barStartMs));
    expect([...encoded.lengths]).toEqual(texts.map((text) => Buffer.byteLength(text)));
  };

  test("equal the bars encoded one by one, whatever the figures", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(bar, { minLength: 1, maxLength: 40 }), async (figures) => {
        run += 1;
        const symbol = `RANDOM-${run}`;
        const rows = figures.map((each, index) => barRow({ symbol, barStartMs: NOON_MS + index * INTERVAL_MS["1m"], ...each }));
        await upsertBars(store, rows);
        await expectSame(rows.toReversed(), symbol);
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 200 : 60 },
    );
  });

  test("are the bytes the wire shows", async () => {
    await upsertBars(store, [
      barRow({ symbol: "SHOWN", interval: "1d", barStartMs: Date.UTC(2026, 10, 20), open: "4003.195", volume: "12.50" }),
    ]);
    const { bytes } = await readEncodedBars(store, "SHOWN", "1d");
    expect(Buffer.from(bytes).toString()).toBe(
      '{"bar_start":"2026-11-20T00:00:00Z","open":"4003.20","high":"4004.13","low":"4002.75","close":"4003.95","volume":"12.5","is_closed":true}',
    );
  });

  test("have null for the prices of a bar of its close alone, whose row is read back as it was written", async () => {
    const closeOnly = barRow({ symbol: "CLOSES", interval: "1d", open: null, high: null, low: null });
    await upsertBars(store, [closeOnly]);
    const { bytes } = await readEncodedBars(store, "CLOSES", "1d");
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ open: null, high: null, low: null, close: "4003.95" });
    const stored = await readBars(store, { symbol: "CLOSES", interval: "1d", fromMs: 0, toMs: 4e12, limit: 9 });
    expect(stored).toEqual([closeOnly]);
  });

  test("begin at the given instant", async () => {
    const rows = minutes(20, { symbol: "SINCE" });
    await upsertBars(store, rows);
    await expectSame(rows.slice(15).toReversed(), "SINCE", NOON_MS + 15 * 60_000);
    await expectSame([], "SINCE", NOON_MS + 86_400_000);
  });

  test("hold thousands of bars in one answer", async () => {
    const rows = minutes(12_000, { symbol: "LONG" });
    await upsertBars(store, rows);
    const stored = await readBars(store, { symbol: "LONG", interval: "1m", fromMs: 0, toMs: 4e12, limit: 20_000 });
    await expectSame(stored, "LONG");
  });

  test("are empty for an unknown series", async () => {
    await expectSame([], "NONE");
  });
});
