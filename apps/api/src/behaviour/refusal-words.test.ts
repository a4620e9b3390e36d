import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, startBarsApp } from "../testing/bars-app.ts";
import type { TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let free: string;
let pro: string;
let everything: string;

beforeAll(async () => {
  app = await startBarsApp();
  free = (await app.key("free")).key;
  pro = (await app.key("pro")).key;
  everything = (await app.key("realtime_pro")).key;
});
afterAll(() => app.close());

interface Refused {
  readonly message: string;
  readonly issues: readonly { readonly message: string }[];
}

const refusal = async (path: string, key: string): Promise<Refused> => (await app.ask<Refused>(path, { key })).json;

describe("what a refusal says", () => {
  test("names the unsupported leg of a conversion, and the supported ones", async () => {
    expect((await refusal("/v1/convert?from=gold&to=EUR", free)).message).toMatch(
      /^from "gold" is not supported: .*XAU, XAG.*USD/,
    );
    expect((await refusal("/v1/convert?from=XAU&to=XXX", free)).message).toMatch(/^to "XXX" /);
    expect((await refusal("/v1/carat?currency=XXX", free)).message).toMatch(/^currency "XXX" is not supported: .*ZAR/);
  });

  test.each([
    ["/v1/ratios/latest?pair=gold", "unknown_pair", ["gold-silver", "gld-xau"]],
    ["/v1/surface/gold", "unknown_metal", ["xau, xag"]],
    ["/v1/physical/UAE", "not_found", ["AE", "CN"]],
    ["/v1/spot/XAU-XYZ-SPOT", "not_found", ["XAU-EUR-SPOT", "/v1/metadata/catalog"]],
  ])("of %s names what there is", async (path, code, named) => {
    const { json } = await app.ask(path, { key: everything });
    expect(json.error).toBe(code);
    for (const name of named) expect(json.message).toContain(name);
  });

  test("names the day a depth begins, and whether another tier helps", async () => {
    const daily = await refusal(`/v1/bars?symbol=XAU/USD&from=2020-01-01&to=${day(0)}`, free);
    expect(daily.message).toBe(`from is too early: your tier's daily bars begin on ${day(30)}.`);
    const minutes = await refusal(`/v1/bars?symbol=XAU/USD&interval=1m&from=2020-01-01&to=${day(0)}`, pro);
    expect(minutes.message).toBe(`from is too early: bars below a day go back 30 days on every tier and begin on ${day(30)}.`);
  });

  test.each([
    ["/v1/spot/gold?currency=EUR", "gold in euros is the symbol XAU-EUR-SPOT"],
    ["/v1/spot/gold?unit=gram", "include=karat"],
    ["/v1/spot/gold?symbol=XAG-USD-SPOT", "symbol belongs in the path"],
    ["/v1/prices?Symbol=gold", "it is written symbol"],
    ["/v1/prices?as_of=2026-11-01", "/v1/bars"],
    [`/v1/bars?symbol=XAU&from=${day(5)}&to=${day(0)}&sort=asc`, "order=asc"],
    [`/v1/quality?symbol=XAU&from=${day(5)}&to=${day(0)}&order=asc`, "newest first"],
    ["/v1/bars/latest?symbol=XAU&limit=5", "/v1/bars"],
    [
      "/v1/convert?from=XAU&to=EUR&date=2026-11-01",
      "historical conversion is not supported; a past price is /v1/spot/{symbol}?at=",
    ],
    ["/v1/convert?from=XAU&to=EUR&at=2026-11-01", "in any currency and unit /v1/series"],
    ["/v1/carat?at=2026-11-01", "historical conversion is not supported; a past price is /v1/spot/{symbol}?at="],
    ["/v1/spot/gold?date=2026-11-01", "a past instant is at"],
    ["/v1/series?symbol=gold&from=2026-11-01&to=2026-11-02&currency=EUR", "the currency is part of the symbol"],
    ["/v1/carat?api_key=secret", "Authorization: Bearer"],
    ["/badge/gold.svg?weight=gram", "the parameter is unit"],
    ["/badge/gold.svg?language=de", "the parameter is lang"],
    ["/embed/gold?date=2026-11-01", "the current one"],
  ])("of %s names the parameter that the route does not have, and the way", async (path, way) => {
    const { status, json, text } = await app.ask(path);
    expect([status, json.error]).toEqual([422, "validation_error"]);
    const name = /[?&](\w+)=[^&]*$/.exec(path)?.[1] ?? "";
    expect(json.issues).toMatchObject([{ path: ["query", name], code: "unrecognized_parameter" }]);
    expect(json.issues[0].message).toMatch(new RegExp(`^${name} is not a parameter of /`));
    expect(json.issues[0].message).toContain(way);
    expect(text, "values are not repeated").not.toContain("secret");
  });

  test("calls a missing parameter required", async () => {
    const { issues } = await refusal("/v1/bars?symbol=XAU/USD", free);
    expect(issues.map(({ message }) => message)).toEqual(["is required", "is required"]);
  });
});
