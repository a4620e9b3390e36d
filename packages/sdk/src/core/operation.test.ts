import { expect, test } from "vitest";
import { getSpot, SPOT } from "../testing/operations.ts";
import { type Reply, serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { UnreadableAnswerError } from "./errors.ts";
import { receiptOf } from "./operation.ts";

const JWS = "aGVhZA.Y2xhaW1z.c2lnbmF0dXJl";
const RECEIPT: Reply = { body: JWS, headers: { "content-type": "application/jose", "x-request-id": "r-1" } };
const getReceipt = receiptOf(getSpot);

const started = async (reply: Reply, more: object = {}) => {
  const { url, asked } = await serve(() => reply);
  const client = new Client({ apiKey: null, maxRetries: 0, logLevel: "off", baseUrl: url, ...more });
  return { asked, ask: () => client.call(getReceipt, { symbol: "XAU", include: ["karat"] }) };
};

test("a receipt is the text of the answer, in every form of it, for one request", async () => {
  const { asked, ask } = await started(RECEIPT);
  const call = ask();
  expect(await call).toBe(JWS);
  expect(await call.raw()).toBe(JWS);
  expect(await call.withResponse()).toMatchObject({ data: JWS, requestId: "r-1" });
  expect(await (await call.asResponse()).text()).toBe(JWS);
  expect(asked.map(({ url }) => url)).toEqual(["/v1/spot/XAU?format=jws&include=karat"]);
});

test("a receipt that is kept or shared is the same text to every caller", async () => {
  const kept = await started(RECEIPT, { cache: { maxAgeMs: 60_000 } });
  expect([await kept.ask(), await kept.ask()]).toEqual([JWS, JWS]);
  const shared = await started(RECEIPT, { singleFlight: true });
  expect(await Promise.all([shared.ask(), shared.ask()])).toEqual([JWS, JWS]);
  expect([kept.asked.length, shared.asked.length]).toEqual([1, 1]);
});

test.each<[string, Reply]>([
  ["JSON, from a service without receipts", { body: SPOT }],
  ["a page of a proxy", { body: "<html>", headers: { "content-type": "text/html" } }],
  ["nothing", { headers: { "content-type": "application/jose" } }],
])("%s is not taken for a receipt", async (_, reply) => {
  const { ask } = await started(reply);
  await expect(ask()).rejects.toBeInstanceOf(UnreadableAnswerError);
});
