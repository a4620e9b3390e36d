/** Mocks must return what their routes return: checked by `tsc -p tsconfig.tests.json`. */
import { expectTypeOf } from "vitest";
import { mockAssay, type Wire } from "./index.ts";

const baseUrl = "http://assay.test";

mockAssay({ baseUrl });
mockAssay({ baseUrl, system: { health: { status: "ok", service: "assay", version: "0.1.0" } } });
mockAssay({
  baseUrl,
  prices: {
    list: ({ params, key }) => {
      expectTypeOf(params).toEqualTypeOf<Wire.PricesListQuery>();
      expectTypeOf(key).toEqualTypeOf<string | null>();
      return { symbols: [] };
    },
  },
  spot: { get: async ({ fail }) => fail("plan_gated", { tier: "free", required_tier: "pro" }) },
  account: { revokeKey: () => undefined },
});

// @ts-expect-error another route's answer
mockAssay({ baseUrl, system: { health: { symbols: [] } } });
// @ts-expect-error a number instead of text
mockAssay({ baseUrl, publicHistory: { xau: () => ({ ...history, series: [{ date: "2026-11-20", close: 4003.2 }] }) } });
// @ts-expect-error no such route
mockAssay({ baseUrl, system: { metrics: {} } });
// @ts-expect-error no such resource
mockAssay({ baseUrl, metals: {} });
// @ts-expect-error the fields of the code's body are missing
mockAssay({ baseUrl, spot: { get: ({ fail }) => fail("plan_gated") } });
// @ts-expect-error a code the route never answers
mockAssay({ baseUrl, spot: { get: ({ fail }) => fail("unknown_pair") } });
// @ts-expect-error an undeclared parameter
mockAssay({ baseUrl, prices: { list: ({ params }) => ({ symbols: params.page }) } });

declare const history: Wire.PublicHistory;
