/** The SDK's tRPC link against a real service: ten calls per request, refusals by code; `walk.test.ts` compares its answers. */
import { type AppRouter, assayLink, wireErrorOf } from "@assay/sdk/trpc";
import { createTRPCClient } from "@trpc/client";
import { beforeAll, expect, test } from "vitest";
import type { TierKeys } from "./harness/files.ts";
import { type Service, sharedService } from "./harness/service.ts";

let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  ({ service, keys } = await sharedService());
}, 240_000);

/** A client, and the requests it made. */
const connect = (apiKey?: string) => {
  const requests: string[] = [];
  const counting: typeof fetch = (input, init) => {
    requests.push(String(input));
    return fetch(input, init);
  };
  const assay = createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl: service.url, apiKey, fetch: counting })] });
  return { assay, requests };
};

test("sends no more calls in a request than the service takes", async () => {
  const { assay, requests } = connect(keys.pro);
  const rows = await Promise.all(Array.from({ length: 23 }, () => assay.spot.get.query({ symbol: "gold" })));
  expect(rows.map(({ symbol }) => symbol)).toEqual(Array.from({ length: 23 }, () => "XAU"));
  expect(requests).toHaveLength(3);
});

test("gives a refusal its code and its fields", async () => {
  const { assay } = connect(keys.free);
  const gated = await assay.settlements.list.query({ symbol: "GC" }).catch(wireErrorOf);
  expect(gated).toMatchObject({ error: "plan_gated", tier: "free", required_tier: "pro" });
  const keyless = await connect().assay.account.usage.query().catch(wireErrorOf);
  expect(keyless).toMatchObject({ error: "unauthenticated" });
});

test("refuses an invalid address before anything is sent", () => {
  expect(() => assayLink({ baseUrl: "prices.example.com" })).toThrow(/baseUrl must be an absolute http or https URL/);
});
