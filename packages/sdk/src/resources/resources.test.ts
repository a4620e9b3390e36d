/** A client of some resources. */
import { expect, expectTypeOf, test } from "vitest";
import { Assay, NotFoundError } from "../index.ts";
import { serve } from "../testing/serve.ts";
import * as resources from "./index.ts";

const { assayWith, SpotResource, TiersResource } = resources;
const GOLD = {
  symbol: "XAU",
  quote_currency: "USD",
  unit: "troy_ounce",
  contract_type: "spot",
  is_stale: false,
  price: "4003.20",
};

test("has the resources that it was given, with the classes of errors, and its copies have them too", async () => {
  const { url } = await serve(({ url: asked }) =>
    asked.includes("gold") ? { body: GOLD } : { status: 404, body: { error: "not_found" } },
  );
  const assay = assayWith({ spot: SpotResource, tiers: TiersResource }, { baseUrl: url, apiKey: null, maxRetries: 0 });
  expect((await assay.spot.get("gold")).price?.text).toBe("4003.20");
  await expect(assay.withOptions({ timeoutMs: 1_000 }).tiers.list()).rejects.toThrow(NotFoundError);
  expect(Object.keys(assay)).toEqual([]);
  expectTypeOf(assay.spot).toEqualTypeOf<resources.SpotResource>();
  // @ts-expect-error a resource that was not given
  expect(assay.bars).toBeUndefined();
});

test("may have every resource that Assay has", () => {
  const all = Object.values(new Assay({ apiKey: null })).map((resource) => resource.constructor.name);
  expect(all.length).toBeGreaterThan(20);
  expect(Object.keys(resources).filter((name) => name.endsWith("Resource"))).toEqual(all.toSorted());
});
