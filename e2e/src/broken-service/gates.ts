/** Gates that admit the wrong callers, or name the wrong tier. */
import { formatTimestamp } from "@assay/contract";
import { asPro, type BrokenWay, body, field, isFree, isKeyless, refusalField } from "./broken-way.ts";

const TEN_MINUTES_MS = 600_000;

/** Gates, and the delay. */
export const BROKEN_GATES: readonly BrokenWay[] = [
  {
    what: "a gate left open",
    only: "spot.get",
    caughtBy: "access: XAG-USD-SPOT, tier free",
    also: ["responses"],
    breakage: asPro((request, keys) => isFree(request, keys) && request.path.includes("XAG")),
  },
  {
    what: "a route open to those without a key",
    only: "account.usage",
    caughtBy: "access: without a key",
    also: ["responses"],
    breakage: asPro(isKeyless),
  },
  {
    what: "bad keys taken for none",
    only: "carat.get",
    caughtBy: "access: invalid key",
    also: ["responses"],
    breakage: (keys) => ({
      ask: ({ headers }) => {
        if ([keys.free, keys.pro].some((key) => headers.authorization === `Bearer ${key}`)) return;
        delete headers.authorization;
        delete headers["x-api-key"];
      },
    }),
  },
  {
    what: "plan_gated that names another tier",
    only: "spot.get",
    caughtBy: "access: HG-USD-SPOT, tier free",
    also: ["access"],
    breakage: refusalField("required_tier", ({ required_tier: tier }) => tier && "basic"),
  },
  {
    what: "a list with rows of other tiers",
    only: "prices.list",
    caughtBy: "access: tier free",
    also: ["responses"],
    breakage: asPro((request, keys) => isFree(request, keys) && request.path === "/v1/prices"),
  },
  {
    what: "stats without a key",
    only: "spot.get",
    caughtBy: "access: include=all, without a key",
    breakage: body((row, request) => {
      if (isKeyless(request) && request.path.includes("include=all")) row.divergence_flag = false;
    }),
  },
  {
    what: "history deeper than the tier",
    only: "bars.list",
    caughtBy: "access: two months back, tier free",
    also: ["access"],
    breakage: asPro((request, keys) => isFree(request, keys) && request.path.startsWith("/v1/bars")),
  },
  {
    what: "a price younger than the delay",
    only: "spot.get",
    caughtBy: "responses: 15-minute delay",
    breakage: field("computed_at", ({ computed_at: instant }, request) =>
      instant && isKeyless(request) ? formatTimestamp(Date.now() - TEN_MINUTES_MS) : instant,
    ),
  },
];
