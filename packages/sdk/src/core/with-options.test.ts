import { expect, test } from "vitest";
import { Assay } from "../generated/assay.ts";
import { Assay as StreamAssay } from "../stream/index.ts";
import { SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";

const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";

test("withOptions makes another client of the same kind, which differs only in those options", async () => {
  const { url, asked } = await serve((_, index) => (index < 2 ? { status: 503 } : { body: SPOT }));
  const assay = new StreamAssay({ baseUrl: url, apiKey: KEY, maxRetries: 0, logLevel: "off" });
  const other = assay.withOptions({ apiKey: "other", defaultHeaders: { "x-team": "desk" } });
  expect(other).toBeInstanceOf(StreamAssay);
  expect([other === assay, other.baseUrl, typeof other.stream.subscribe]).toEqual([false, url, "function"]);
  await expect(other.spot.get("gold")).rejects.toMatchObject({ status: 503 });
  await expect(assay.spot.get("gold")).rejects.toMatchObject({ status: 503 });
  expect(asked.map(({ headers }) => [headers.authorization, headers["x-team"]])).toEqual([
    ["Bearer other", "desk"],
    [`Bearer ${KEY}`, undefined],
  ]);
  expect(() => assay.withOptions({ timeoutMs: 0 })).toThrow(RangeError);
});

test("fetchOptions are passed with every request, and override nothing of the call itself", async () => {
  const inits: RequestInit[] = [];
  const fetch: typeof globalThis.fetch = async (_, init = {}) => {
    inits.push(init);
    return Response.json(SPOT);
  };
  const dispatcher = {};
  const fetchOptions = { dispatcher, method: "PUT", redirect: "follow", headers: { authorization: "stolen" } };
  await new Assay({ baseUrl: "http://assay.test", apiKey: KEY, fetch, fetchOptions }).spot.get("gold");
  expect(inits[0]).toMatchObject({ dispatcher, method: "GET", redirect: "manual", headers: { authorization: `Bearer ${KEY}` } });
});
