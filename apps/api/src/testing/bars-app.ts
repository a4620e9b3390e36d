/**
 * An API with bars: 500 days, 40 days of hours, five hours of minutes, and a forming day and minute; and reference rates of those
 * days.
 */
import { REFERENCE_BASE } from "@assay/catalogue";
import { type AssayContract, DAY_MS, MINUTE_MS, type OutputOf, startOfUtcDay } from "@assay/contract";
import { upsertBars } from "@assay/db";
import type { FxObservation } from "@assay/pricing";
import { FRIDAY_MS, makeBar, makeBars, makeRates } from "@assay/testkit";
import { type Reply, startTestApp, type TestApp } from "./start-test-app.ts";

export const TODAY_MS = startOfUtcDay(FRIDAY_MS);

/** The UTC day a number of days ago. */
export const day = (back: number): string => new Date(TODAY_MS - back * DAY_MS).toISOString().slice(0, 10);

/** A page, or the refusal. */
export type Page = OutputOf<AssayContract["bars"]["list"]> & { readonly error: string; readonly required_tier: string };

/** Starts it. The first daily bar is of 1996-01-02. */
export const startBarsApp = async (): Promise<TestApp> => {
  const app = await startTestApp({
    before: (store) =>
      upsertBars(store, [
        ...makeBars("1d", TODAY_MS - DAY_MS, 500),
        ...makeBars("1m", FRIDAY_MS - MINUTE_MS, 300),
        ...makeBars("1h", FRIDAY_MS - 3_600_000, 24 * 40),
        ...makeBars("1d", TODAY_MS - DAY_MS, 3, { symbol: "GC", volume: "123456.50" }),
        makeBar({ interval: "1d", barStartMs: Date.UTC(1996, 0, 2), close: "387.10" }),
      ]),
  });
  await app.publish({
    bars: [
      makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false }),
      makeBar({ interval: "1m", barStartMs: FRIDAY_MS, isClosed: false }),
    ],
  });
  return app;
};

/** Requests a page of gold, or of the series in the query. */
export const listBars = (app: TestApp, query: Record<string, string | number>, key: string | undefined): Promise<Reply<Page>> =>
  app.ask<Page>("/v1/bars", { query: { symbol: "XAU-USD-SPOT", ...query }, key });

/** The table of a number of days ago. */
export const referenceOf = (back: number, rates: Readonly<Record<string, string>>): FxObservation =>
  makeRates({
    ...({ source: "ecb", role: "reference", base: REFERENCE_BASE.ecb, rates, freshForMs: 5 * DAY_MS } as const),
    observedAtMs: TODAY_MS - back * DAY_MS,
  });
