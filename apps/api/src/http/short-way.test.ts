import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBarsApp } from "../testing/bars-app.ts";
import { freshAddress, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startBarsApp();
});
afterAll(() => app.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A host in capitals is as good as any, and nothing the short way takes. */
const SHORT = "localhost";
const WHOLE = "LOCALHOST";

const ask = (host: string, path: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const common = { Host: host, "X-Request-Id": "same", "X-Forwarded-For": freshAddress() };
    get({ port: app.port, host: "127.0.0.1", path, agent: false, headers: { ...common, ...headers } }, async (response) => {
      let body = "";
      for await (const chunk of response.setEncoding("utf8")) body += chunk;
      const { date: _, ...kept } = response.headers;
      resolve({ status: response.statusCode, headers: kept, body });
    }).once("error", reject);
  });

const PATHS = [
  "/v1/health",
  "/v1/status",
  "/v1/metadata/tiers",
  "/v1/spot/XAU-USD-SPOT",
  "/v1/spot/gold?include=all",
  "/v1/spot/XAG-USD-SPOT",
  "/v1/spot/XAU-ABC-SPOT",
  "/v1/spot/garbage",
  "/v1/spot/",
  "/v1/spot",
  "/v1/spot/gold/more",
  "/v1/prices",
  "/v1/prices?symbol=XAU-EUR-SPOT&include=sources,karat",
  "/v1/prices?symbol=",
  "/v1/prices?symbol=gold&symbol=gold",
  "/v1/prices?symbol=XAU%2DUSD%2DSPOT",
  "/v1/prices/divergence?threshold=10.5",
  "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20&limit=5",
  "/v1/bars?symbol=XAU/USD&interval=1m&from=2026-11-01T00:00:00Z&to=2026-11-20&limit=5",
  "/v1/bars/latest?symbol=XAU/USD",
  "/v1/bars?from=2026-11-01+00:00&to=2026-11-20&symbol=XAU/USD",
  "/v1/bars?&symbol=XAU/USD&&from=2026-11-01&to=2026-11-20&limit",
  "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20&x=a=b",
  "/v1/convert?from=XAU&to=EUR&amount=2",
  "/v1/public/xau-history",
  "/v1/account/usage",
  "/v1/nothing",
  "/v1/spot/gold?",
];

describe("the short way", () => {
  test.each(PATHS)("answers %s as the whole way does, without a key and with one", async (path) => {
    expect(await ask(SHORT, path, {})).toEqual(await ask(WHOLE, path, {}));
    const [one, other] = [await app.key("pro"), await app.key("pro")];
    const mine = await ask(SHORT, path, { Authorization: `Bearer ${one.key}` });
    expect(mine).toEqual(await ask(WHOLE, path, { Authorization: `Bearer ${other.key}` }));
  });

  test("answers 304 without a body to the validator it gave", async () => {
    const { headers } = await ask(SHORT, "/v1/public/xau-history", {});
    const validator = { "If-None-Match": String(headers.etag) };
    const answer = await ask(SHORT, "/v1/public/xau-history", validator);
    expect(answer).toMatchObject({ status: 304, body: "" });
    expect(answer).toEqual(await ask(WHOLE, "/v1/public/xau-history", validator));
  });

  test("answers a fault with the request id and no detail, and logs it", async () => {
    const { key } = await app.key("pro");
    const { counters } = app.live;
    const reserve = counters.reserve.bind(counters);
    for (const host of [SHORT, WHOLE]) {
      await ask(host, "/v1/spot/gold", { Authorization: `Bearer ${key}` });
      counters.reserve = () => {
        throw new Error("secret detail");
      };
      const answer = await ask(host, "/v1/spot/gold", { Authorization: `Bearer ${key}` });
      counters.reserve = reserve;
      expect(answer).toMatchObject({ status: 500, body: "Internal Server Error", headers: { "x-request-id": "same" } });
    }
    expect(app.log.filter(({ message }) => message === "a request failed")).toHaveLength(2);
  });
});
