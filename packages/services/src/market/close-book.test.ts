/** Closes in memory: loaded once, kept up to date by events in any order, reloaded when replaced. */
import { DAY_MS } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closedBar } from "../testing/closed-bar.ts";
import { CloseBook } from "./close-book.ts";

const FIRST_MS = Date.UTC(2026, 0, 1);
const bar = (place: number, close: string, change: Partial<BarRow> = {}): BarRow =>
  closedBar("XAU-USD-SPOT", "1d", FIRST_MS + place * DAY_MS, { close, high: "9999", low: "1", ...change });

const closesOf = async (book: CloseBook) => (await book.of("XAU-USD-SPOT")).closes.map(({ close }) => close);

describe.each(testEngines)("closes on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
    await upsertBars(store, [bar(0, "4000"), bar(1, "4001"), bar(2, "4002", { isClosed: false })]);
  });
  afterAll(() => store.close());

  test("belong to closed days only, oldest first, and are not kept for series that were never requested", async () => {
    const heard: string[] = [];
    const book = new CloseBook(store);
    book.onChange((symbol) => heard.push(symbol));
    book.apply([bar(9, "4009")]);
    expect(await closesOf(book)).toEqual(["4000", "4001"]);
    expect(heard).toEqual([]);
  });

  test("report a change and nothing else", async () => {
    const heard: string[] = [];
    const book = new CloseBook(store);
    book.onChange((symbol) => heard.push(symbol));
    await book.of("XAU-USD-SPOT");
    book.apply([bar(1, "4001"), bar(2, "4002", { isClosed: false }), { ...bar(2, "4002"), interval: "1h" }]);
    expect(heard).toEqual([]);
    book.apply([bar(2, "4002"), bar(0, "3999")]);
    expect(heard).toEqual(["XAU-USD-SPOT", "XAU-USD-SPOT"]);
    expect(await closesOf(book)).toEqual(["3999", "4001", "4002"]);
  });

  test("hold what arrived while they were read, and are reloaded when they were replaced meanwhile", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let readings = 0;
    const slow: Store = {
      ...store,
      readRow: async (query) => {
        readings += 1;
        const answer = await store.readRow(query);
        await gate;
        return answer;
      },
    };
    const book = new CloseBook(slow);
    const first = book.of("XAU-USD-SPOT");
    book.forget("XAU-USD-SPOT");
    const second = book.of("XAU-USD-SPOT");
    book.apply([bar(2, "4002.5")]);
    open();
    expect((await first).closes.length).toBe(2);
    expect(await second).toBe(await first);
    expect(readings).toBe(2);
    book.apply([bar(2, "4002.5")]);
    expect(await closesOf(book)).toEqual(["4000", "4001", "4002.5"]);
  });

  test("that were corrected while they were read are no state from before the correction", async () => {
    const book = new CloseBook(store);
    const reading = book.of("XAU-USD-SPOT");
    book.apply([bar(0, "3998")], 1_000_000);
    await reading;
    expect(await book.of("XAU-USD-SPOT")).toMatchObject({ unchangedSince: 1_000_000, revision: 1_000_000 });
  });

  test("end the same in whatever order they come", async () => {
    const bars = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 9_999 })), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(bars, async (arriving) => {
        const book = new CloseBook(store);
        await book.of("XAU-USD-SPOT");
        const expected = new Map([
          [0, "4000"],
          [1, "4001"],
        ]);
        for (const [place, close] of arriving) {
          book.apply([bar(place, `${close}`)]);
          expected.set(place, `${close}`);
        }
        const sorted = [...expected].sort(([a], [b]) => a - b).map(([, close]) => close);
        expect(await closesOf(book)).toEqual(sorted);
      }),
      { numRuns: 25 },
    );
  });
});
