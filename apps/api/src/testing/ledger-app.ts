/** An API with corrected history: 40 days of gold and silver, the euro's rate of each, two settlements, and what corrects them. */
import { type AssayContract, contract, DAY_MS, MINUTE_MS, type OutputOf, type Route } from "@assay/contract";
import { replaceBars, upsertBars, writeMoment } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { FRIDAY_MS, fakeClock, makeBar, makeBars, makeSettlement, type TestKey } from "@assay/testkit";
import { day, referenceOf, TODAY_MS } from "./bars-app.ts";
import { startTestApp, type TestApp } from "./start-test-app.ts";

export type Bars = OutputOf<AssayContract["bars"]["list"]>;

export const XAU = "XAU-USD-SPOT";
export const BEGAN_MS = FRIDAY_MS - 3 * 60 * MINUTE_MS;

export const at = (ms: number): string => new Date(ms).toISOString();

/** Twenty days. */
export const WINDOW = { from: day(20), to: day(1) };

/** A query of a route with the examples of its declaration, and the window. */
export const queryOf = (route: Route): Record<string, string> => {
  const names = Object.entries(route.input.shape).flatMap(([name, schema]) => {
    const [example] = (schema.meta()?.examples ?? []) as unknown[]; // as JSON Schema has them
    return !schema.safeParse(undefined).success && example !== undefined ? [[name, String(example)]] : [];
  });
  return { ...Object.fromEntries(names), ...("from" in route.input.shape ? WINDOW : {}) };
};

/** Every route with `known_at`. */
export const KNOWN_ROUTES: readonly Route[] = Object.values(contract)
  .flatMap((routes): Route[] => Object.values(routes))
  .filter(({ input }) => "known_at" in input.shape);

/** The close of a day ago as it should have been. */
export const corrected = (back: number, close: string, change = {}) =>
  makeBar({ interval: "1d", barStartMs: TODAY_MS - back * DAY_MS, close, ...change });

/** It, its callers, and what corrects its history. */
export interface LedgerApp {
  readonly app: TestApp;
  /** A key that sees everything at once. */
  readonly key: TestKey;
  get<T>(path: string, query: Readonly<Record<string, string | number>>, as?: string | null): Promise<T>;
  /** What another process imports: it is written, then announced. */
  importBars(...rows: Parameters<typeof upsertBars>[1]): Promise<void>;
  /** Corrects something of every route's: bars replaced and removed, a rate, a settlement. */
  correctAll(): Promise<void>;
  close(): Promise<void>;
}

const settled = (back: number, price: string) =>
  makeSettlement({ settlementDate: day(back), price, observedAtMs: TODAY_MS - (back - 1) * DAY_MS - 7_200_000 });

export const startLedgerApp = async (): Promise<LedgerApp> => {
  const clock = fakeClock(BEGAN_MS);
  const store = await openTestStore(clock);
  const app = await startTestApp({
    store,
    clock,
    before: async () => {
      await upsertBars(store, [
        ...makeBars("1d", TODAY_MS - DAY_MS, 40),
        ...makeBars("1d", TODAY_MS - DAY_MS, 40, { symbol: "XAG-USD-SPOT", close: "40" }),
      ]);
      const fx = Array.from({ length: 40 }, (_, back) => referenceOf(back, { USD: "1.25" }));
      const settlements = [settled(2, "4010.50"), settled(1, "4012.00")];
      await writeMoment(store, { token: 1, holder: "test-writer" }, { ticks: [], bars: [], fx, settlements });
    },
  });
  const key = await app.key("realtime_pro");
  const importBars: LedgerApp["importBars"] = async (...rows) => {
    await upsertBars(store, rows);
    for (const symbol of new Set(rows.map((row) => row.symbol))) await app.live.bus.publish({ kind: "bars-replaced", symbol });
  };
  return {
    app,
    key,
    importBars,
    get: async <T>(path: string, query: Readonly<Record<string, string | number>>, as: string | null = key.key) => {
      const { status, json, text } = await app.ask<T>(path, { query, key: as ?? undefined });
      if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${status} ${text}`);
      return json;
    },
    correctAll: async () => {
      await importBars(corrected(1, "1234.50"), corrected(3, "1234.50"));
      await replaceBars(store, XAU, [{ interval: "1d", barStartMs: TODAY_MS - 2 * DAY_MS }], []);
      await app.live.bus.publish({ kind: "bars-replaced", symbol: XAU });
      await app.publish({ fx: [referenceOf(4, { USD: "1.00" })], settlements: [settled(1, "4099.00")] });
    },
    close: async () => {
      await app.close();
      await store.close();
    },
  };
};
