import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, startBarsApp } from "../testing/bars-app.ts";
import type { TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let free: string;
let pro: string;

beforeAll(async () => {
  app = await startBarsApp();
  free = (await app.key("free")).key;
  pro = (await app.key("pro")).key;
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

  test("names the day a depth begins, and whether another tier helps", async () => {
    const daily = await refusal(`/v1/bars?symbol=XAU/USD&from=2020-01-01&to=${day(0)}`, free);
    expect(daily.message).toBe(`from is too early: your tier's daily bars begin on ${day(30)}.`);
    const minutes = await refusal(`/v1/bars?symbol=XAU/USD&interval=1m&from=2020-01-01&to=${day(0)}`, pro);
    expect(minutes.message).toBe(`from is too early: bars below a day go back 30 days on every tier and begin on ${day(30)}.`);
  });

  test("calls a missing parameter required", async () => {
    const { issues } = await refusal("/v1/bars?symbol=XAU/USD", free);
    expect(issues.map(({ message }) => message)).toEqual(["is required", "is required"]);
  });
});
