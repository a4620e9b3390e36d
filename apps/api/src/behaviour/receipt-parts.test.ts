/** A receipt has all that its figures are made of: a program that knows nothing else recomputes them. */
import { FRIDAY_MS, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf, TODAY_MS } from "../testing/bars-app.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let key = "";
beforeAll(async () => {
  app = await startTestApp();
  const atMs = FRIDAY_MS - 20 * 60_000;
  const origin = { source: "live-fx", role: "live", atMs: atMs - 7_000, freshUntilMs: FRIDAY_MS + 60_000 } as const;
  const bank = { source: "ecb", role: "reference", atMs: TODAY_MS, freshUntilMs: FRIDAY_MS + 60_000 } as const;
  await app.publish({
    // Half a cent, and a third of it: what a rounded price in dollars would lose.
    ticks: [makeTick(1, { computedAtMs: atMs, price: "4003.205", bid: "4003.0033", ask: "4003.4067", rateSet: 1 })],
    fx: [makeRates({ rates: { EUR: "0.99" } }), referenceOf(1, { USD: "1.157" })],
    rateSets: [
      { id: 1, beganAtMs: atMs, origins: [origin, bank], rates: { EUR: ["0.864304235090751945", 0], CHF: ["0.8031", 1] } },
    ],
  });
  ({ key } = await app.key("pro"));
});
afterAll(() => app.close());

const receiptOf = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
  const sep = path.includes("?") ? "&" : "?";
  const reply = await app.ask(`${path}${sep}format=jws`, body ? { key, method: "POST", body } : { key });
  return JSON.parse(Buffer.from(reply.text.split(".")[1] ?? "", "base64url").toString()).body;
};

/** The program: integers alone, every step exact, rounded half up at the end. */
type Ratio = readonly [bigint, bigint];
const ratio = (text: unknown): Ratio => {
  const [whole = "", decimals = ""] = String(text ?? "1").split(".");
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
};
const times = (...factors: Ratio[]): Ratio => factors.reduce(([a, b], [c, d]) => [a * c, b * d]);
const over = (one: Ratio, [a, b]: Ratio): Ratio => times(one, [b, a]);
const rounded = ([a, b]: Ratio, like: unknown): string => {
  const places = String(like).split(".")[1]?.length ?? 0;
  const digits = ((2n * a * 10n ** BigInt(places) + b) / (2n * b)).toString().padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};
const OUNCE = ratio("31.1034768");
const recomputed = (receipt: Record<string, unknown>): Record<string, string> => {
  const local = times(ratio(receipt["price_usd"]), ratio(receipt["fx_rate"]));
  const figures: Record<string, Ratio> = { price: local };
  for (const karat of [24, 22, 21, 20, 18, 16, 14, 10])
    figures[`price_gram_${karat}k`] = over(times(local, [BigInt(karat), 24n]), OUNCE);
  const grams = ({ gram: ratio("1"), kg: ratio("1000"), oz: OUNCE } as Record<string, Ratio>)[String(receipt["unit"])] ?? OUNCE;
  const perUnit = over(times(local, grams), OUNCE);
  const amount = ratio(receipt["amount"]);
  figures["result"] = receipt["from"] === "XAU" ? times(amount, perUnit) : over(amount, perUnit);
  figures["price_per_fine_gram"] = over(local, OUNCE);
  const shown = Object.entries(figures).filter(([name]) => typeof receipt[name] === "string");
  return Object.fromEntries(shown.map(([name, figure]) => [name, rounded(figure, receipt[name])]));
};

test.each([
  ["a row", "/v1/spot/XAU-EUR-SPOT?include=karat", 9],
  ["a row of a reference rate", "/v1/spot/XAU-CHF-SPOT", 1],
  ["a row in dollars", "/v1/spot/XAU-USD-SPOT?include=karat", 9],
  ["a past row", `/v1/spot/XAU-EUR-SPOT?at=${new Date(FRIDAY_MS - 20 * 60_000).toISOString()}&include=karat`, 9],
  ["prices by karat", "/v1/carat?currency=EUR", 8],
  ["metal in a currency", "/v1/convert?from=XAU&to=EUR&amount=12345.678&unit=gram", 1],
  ["a currency in metal", "/v1/convert?from=CHF&to=XAU&amount=987654.32&unit=kg", 1],
])("%s is recomputed from its receipt alone", async (_, path, count) => {
  const receipt = await receiptOf(path);
  const figures = recomputed(receipt);
  expect(Object.keys(figures)).toHaveLength(count);
  expect(receipt).toMatchObject(figures);
});

test("what a piece is priced with is recomputed from its receipt alone, on either side", async () => {
  const items = ["sell", "buy"].map((side) => ({ metal: "XAU", weight: "4.25", unit: "gram", karat: 18, side }));
  const { prices } = (await receiptOf("/v1/quotes", { currency: "EUR", items })) as { prices: Record<string, unknown>[] };
  expect(prices.map(({ basis }) => basis)).toEqual(["ask", "bid"]);
  for (const price of prices) expect(price).toMatchObject(recomputed(price));
});

test("says which rate it was, and when, as include=sources does without a signature", async () => {
  const rate = { fx_rate: "0.864304235090751945", fx_source: "live-fx", fx_role: "live", fx_at: "2026-11-20T13:39:53Z" };
  expect(await receiptOf("/v1/spot/XAU-EUR-SPOT")).toMatchObject({ price_usd: "4003.205", ...rate });
  for (const path of ["/v1/spot/XAU-EUR-SPOT?", "/v1/carat?currency=EUR&", "/v1/convert?from=XAU&to=EUR&"]) {
    const plain = await app.ask(path, { key });
    expect(plain.json.fx_rate, path).toBeUndefined();
    expect((await app.ask(`${path}include=sources`, { key })).json, path).toMatchObject({ price_usd: "4003.205", ...rate });
  }
  const dollars = await receiptOf("/v1/spot/XAU-USD-SPOT");
  expect([dollars["price_usd"], dollars["fx_rate"]]).toEqual(["4003.205", undefined]);
  const twoCurrencies = await receiptOf("/v1/convert?from=EUR&to=USD&amount=2");
  expect(twoCurrencies["fx_rate"], "a cross of the instant").toBeUndefined();
});
