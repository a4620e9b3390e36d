/** What is not there: a message that names it, and never an empty line where a figure is expected. */
import { DAY_MS } from "@assay/contract";
import { FRIDAY_MS, makeBars, makeRates, makeTick, RATES } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  const { CHF: _, ...rates } = RATES;
  await app.publish({
    ticks: [makeTick(1)],
    fx: [makeRates({ rates })],
    bars: makeBars("1d", FRIDAY_MS - (FRIDAY_MS % DAY_MS) - DAY_MS, 3),
  });
  ({ key } = await app.key("pro"));
});
afterAll(() => app.close());

describe("the message", () => {
  test.each([
    ["/v1/convert?from=XAU&to=CHF", "There is no exchange rate of CHF at the moment."],
    ["/v1/convert?from=chf&to=EUR", "There is no exchange rate of CHF at the moment."],
    ["/v1/convert?from=XAG&to=USD", "There is no spot price of XAG at the moment."],
    ["/v1/convert?from=XAG&to=CHF", "There is no spot price of XAG and no exchange rate of CHF at the moment."],
    ["/v1/carat?currency=CHF", "There is no exchange rate of CHF at the moment."],
    ["/v1/forward-view/XAG", "There is no spot price of XAG at the moment."],
  ])("of %s is: %s", async (path, message) => {
    const { status, json } = await app.ask(path, { key });
    expect([status, json.error, json.message]).toEqual([503, "spot_unavailable", message]);
  });

  test("names the metal before any price is there", async () => {
    const empty = await startTestApp();
    const { json } = await empty.ask("/v1/carat?currency=EUR");
    await empty.close();
    expect(json.message).toBe("There is no spot price of XAU and no exchange rate of EUR at the moment.");
  });
});

describe("one figure as text", () => {
  test.each([
    ["/v1/spot/XAU-CHF-SPOT", "spot_unavailable", "There is no price at the moment."],
    ["/v1/spot/silver", "spot_unavailable", "There is no price at the moment."],
    ["/v1/bars/latest?symbol=GLD", "service_unavailable", "There is no close at the moment."],
    ["/v1/ratios/latest?pair=gold-palladium", "service_unavailable", "There is no ratio at the moment."],
  ])("is an error of %s when it is missing, never an empty line; JSON says what is known", async (path, error, message) => {
    const json = await app.ask(path, { key });
    expect(json.status).toBe(200);
    for (const request of [
      { path: `${path}${path.includes("?") ? "&" : "?"}format=text`, headers: {} },
      { path, headers: { Accept: "text/plain" } },
    ]) {
      const answer = await app.ask(request.path, { key, headers: request.headers });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.json).toMatchObject({ error, message });
    }
  });

  test("that is missing does not count against the quota", async () => {
    const { key: own } = await app.key("pro");
    const used = async (): Promise<number> => (await app.ask("/v1/account/usage", { key: own })).json.calls_this_month;
    const from = freshAddress();
    expect((await app.ask("/v1/spot/silver?format=text", { key: own, from })).status).toBe(503);
    expect(await used()).toBe(0);
    expect((await app.ask("/v1/spot/gold?format=text", { key: own, from })).text).toBe("4003.20\n");
    expect(await used()).toBe(1);
  });
});
