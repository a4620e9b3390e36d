/** Pence taken for pounds are a price a hundred times too high, a percentage for parts of 1000 one ten times too low: no door does. */
import { makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  await app.publish({ ticks: [makeTick(1)], fx: [makeRates()] });
  ({ key } = await app.key("pro"));
});
afterAll(() => app.close());

const PIECE = { metal: "XAU", weight: "10", unit: "gram" };
const PENCE = /^(to "GBp" is not supported: |currency "GBp" is not supported: )?GBp is pence, a hundredth of GBP: use GBP/;
/** Each way to name a currency, and where its refusal says what is wrong. */
const DOORS = [
  ["/v1/convert?from=XAU&to=GBp", 400, "message"],
  ["/v1/carat?currency=GBp", 400, "message"],
  ["/v1/spot/XAU-GBp-SPOT", 400, "hint"],
  ["/v1/prices?symbol=XAU-GBp-SPOT", 400, "hint"],
  ["/v1/series?symbol=XAU/GBp&from=2026-11-01&to=2026-11-19", 422, "issues"],
  ["/v1/bars?symbol=XAU/GBp&interval=1d&from=2026-11-01&to=2026-11-19", 422, "issues"],
  ["/badge/gold.svg?currency=GBp", 400, "message"],
  ["/embed/gold?currency=GBp", 400, "message"],
  ["/udf/history?symbol=XAU-GBp&resolution=1D&from=0&to=1795800000", 422, "issues"],
] as const;

describe("pence", () => {
  test.each(DOORS)("%s refuses them by name", async (path, expected, field) => {
    const { status, json } = await app.ask(path, { key: /^\/v1/.test(path) ? key : undefined });
    expect(status).toBe(expected);
    expect(field === "issues" ? json.issues[0].message : json[field]).toMatch(PENCE);
  });

  test("are refused of an alert and of a bill too", async () => {
    const alert = { symbol: "XAU-GBp-SPOT", kind: "above", threshold: "3000", endpoint_id: "none" };
    const alerts = await app.ask("/v1/account/alerts", { method: "POST", key, body: alert });
    expect([alerts.status, alerts.json.hint]).toEqual([400, expect.stringMatching(PENCE)]);
    const bill = await app.ask("/v1/quotes", { method: "POST", key, body: { currency: "GBp", items: [PIECE] } });
    expect([bill.status, bill.json.issues[0].message]).toEqual([422, expect.stringMatching(PENCE)]);
  });

  test("are not pounds in small letters, which every route reads", async () => {
    for (const path of ["/v1/convert?from=xau&to=gbp", "/v1/carat?currency=gbp", "/v1/spot/xau-gbp-spot"]) {
      expect((await app.ask(path, { key })).status, path).toBe(200);
    }
  });
});

describe("a fineness in percent", () => {
  const WAY = "must be parts of 1000, above 100: 91.6 % is 916";

  test("is refused in a bill, as JSON and as a file, and in a series", async () => {
    const items = [
      { ...PIECE, fineness: "916" },
      { ...PIECE, fineness: "91.6" },
    ];
    const { json } = await app.ask("/v1/quotes", { method: "POST", key, body: { currency: "USD", items } });
    expect([json.items[0].asked.fineness, json.items[1].error.message]).toEqual(["916", WAY]);
    const file = await app.ask("/v1/quotes?currency=USD", {
      method: "POST",
      key,
      rawBody: "metal,weight,unit,fineness\nXAU,10,gram,916\nXAU,10,gram,91.6\n",
      headers: { "Content-Type": "text/csv" },
    });
    expect(file.text).toContain(WAY);
    const series = await app.ask("/v1/series?symbol=XAU-EUR-SPOT&from=2026-11-01&to=2026-11-19&fineness=91.6", { key });
    expect([series.status, series.json.issues[0].message]).toEqual([422, WAY]);
  });

  test("has decimals in a series as in a bill", async () => {
    const { status, json } = await app.ask("/v1/series?symbol=XAU-EUR-SPOT&from=2026-11-01&to=2026-11-19&fineness=999.9", {
      key,
    });
    expect([status, json.fineness]).toEqual([200, "999.9"]);
  });
});
