/** Records of sources and the bars of days, on every engine. */
import { DAY_MS, startOfUtcDay } from "@assay/contract";
import { noCounts, type SourceRecord } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBarCopy } from "../bars/copy.ts";
import { readDayBars, readOldestStarts } from "../bars/series.ts";
import { upsertBars } from "../bars/write.ts";
import { StaleTokenError } from "../errors.ts";
import { writeMoment } from "../market/moment.ts";
import { claimFence } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { barRow, NOON_MS } from "../testing/rows.ts";
import { prune } from "./maintenance.ts";
import { readOriginsByDay, readSourceRecords } from "./source-records.ts";

const WRITER = { token: 1, holder: "writer" };
const TODAY_MS = startOfUtcDay(NOON_MS);

const record = (source: string, change: Partial<SourceRecord> = {}, accepted = 1, origin = source): SourceRecord => ({
  source,
  instrument: "XAU-USD-SPOT",
  span: "day",
  startsAtMs: TODAY_MS,
  ...change,
  document: {
    info: { displayName: `${source} "ü"`, origin, license: "attribution", cadenceMs: 10_000 },
    counts: {
      ...noCounts(TODAY_MS),
      accepted,
      deviations: { 12: 3, 5: 1 },
      incidents: [{ kind: "silent", fromMs: 1, toMs: null }],
    },
  },
});

describe.each(testEngines)("on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(() => emptyTables(store));
  afterAll(() => store.close());

  const write = (...records: SourceRecord[]) => writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], records });

  test("records come back whole, in the order of time, and a later one of a span replaces it", async () => {
    const yesterday = record("b", { startsAtMs: TODAY_MS - DAY_MS });
    await write(record("b"), record("a"), yesterday, record("a", { span: "quarter" }));
    await write(record("a", {}, 7));
    expect(await readSourceRecords(store, { span: "day", fromMs: 0 })).toEqual([yesterday, record("a", {}, 7), record("b")]);
    expect(await readSourceRecords(store, { span: "day", fromMs: TODAY_MS })).toHaveLength(2);
    expect(await readSourceRecords(store, { span: "quarter", fromMs: 0 })).toEqual([record("a", { span: "quarter" })]);
  });

  test("records of an old writer are refused", async () => {
    await claimFence(store, 2, "newer");
    await expect(write(record("a"))).rejects.toThrow(StaleTokenError);
    expect(await readSourceRecords(store, { span: "day", fromMs: 0 })).toEqual([]);
  });

  test("quarters are dropped after three days and days after four hundred, and none before", async () => {
    const aged = (span: "quarter" | "day", days: number) => record("a", { span, startsAtMs: NOON_MS - days * DAY_MS });
    await write(aged("quarter", 3), aged("quarter", 3.001), aged("day", 400), aged("day", 400.001));
    await prune(store, NOON_MS);
    expect(await readSourceRecords(store, { span: "quarter", fromMs: 0 })).toEqual([aged("quarter", 3)]);
    expect(await readSourceRecords(store, { span: "day", fromMs: 0 })).toEqual([aged("day", 400)]);
  });

  test("origins of a day are those with accepted readings, each once", async () => {
    await write(
      record("a", {}, 3, "x"),
      record("b", {}, 1, "x"),
      record("c", {}, 1),
      record("d", {}, 0),
      record("e", { instrument: "XAG-USD-SPOT" }),
      record("f", { startsAtMs: TODAY_MS - DAY_MS }, 0),
      record("g", { span: "quarter" }),
    );
    const window = { instrument: "XAU-USD-SPOT", fromMs: TODAY_MS - 9 * DAY_MS, toMs: TODAY_MS };
    expect([...(await readOriginsByDay(store, window))].sort()).toEqual([
      [TODAY_MS - DAY_MS, 0],
      [TODAY_MS, 2],
    ]);
  });

  test("bars of a day are its closed ones that had ended, with the newest revision, that of a COPY too", async () => {
    const minute = (atMs: number, change = {}) => barRow({ symbol: "GC", interval: "1m", barStartMs: atMs, ...change });
    await upsertBars(store, [
      minute(TODAY_MS - 60_000),
      minute(TODAY_MS),
      minute(TODAY_MS + 60_000, { close: "4009.00" }),
      minute(TODAY_MS + 120_000, { isClosed: false }),
      minute(TODAY_MS, { symbol: "SI" }),
      minute(TODAY_MS, { interval: "5m" }),
    ]);
    const window = { symbol: "GC", interval: "1m", fromMs: TODAY_MS - DAY_MS, toMs: TODAY_MS + DAY_MS } as const;
    const countedBy = async (asOfMs: number) => [...(await readDayBars(store, { ...window, asOfMs }))].sort();
    expect(await countedBy(TODAY_MS + DAY_MS)).toEqual([
      [TODAY_MS - DAY_MS, { present: 1, lastRevision: 1 }],
      [TODAY_MS, { present: 2, lastRevision: 1 }],
    ]);
    expect(await countedBy(TODAY_MS + 119_999)).toEqual([
      [TODAY_MS - DAY_MS, { present: 1, lastRevision: 1 }],
      [TODAY_MS, { present: 1, lastRevision: 1 }],
    ]);
    if (store.copyInto) {
      const copy = await openBarCopy(store);
      await copy?.add([minute(TODAY_MS + 3_600_000)]);
      await copy?.finish();
      expect((await countedBy(TODAY_MS + DAY_MS))[1]).toEqual([TODAY_MS, { present: 3, lastRevision: 2 }]);
    }
    expect(await readOldestStarts(store, "GC")).toEqual(
      new Map([
        ["1m", TODAY_MS - 60_000],
        ["5m", TODAY_MS],
      ]),
    );
  });
});
