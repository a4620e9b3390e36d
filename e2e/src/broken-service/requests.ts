/** Gates that admit the wrong callers, requests that are misread instead of refused, and documents that disagree with the service. */
import { formatTimestamp } from "@assay/contract";
import {
  asPro,
  type Body,
  type BrokenWay,
  body,
  field,
  isFree,
  isKeyless,
  parameter,
  query,
  refusalField,
} from "./broken-way.ts";

const TEN_MINUTES_MS = 600_000;

/** Gates, and the delay. */
export const BROKEN_GATES: readonly BrokenWay[] = [
  [
    "a gate left open",
    "spot.get",
    "access: XAG-USD-SPOT, tier free",
    asPro((request, keys) => isFree(request, keys) && request.path.includes("XAG")),
    "responses",
  ],
  ["a route open to those without a key", "account.usage", "access: without a key", asPro(isKeyless), "responses"],
  [
    "bad keys taken for none",
    "carat.get",
    "access: invalid key",
    (keys) => ({
      ask: ({ headers }) => {
        if ([keys.free, keys.pro].some((key) => headers.authorization === `Bearer ${key}`)) return;
        delete headers.authorization;
        delete headers["x-api-key"];
      },
    }),
    "responses",
  ],
  [
    "plan_gated that names another tier",
    "spot.get",
    "access: HG-USD-SPOT, tier free",
    refusalField("required_tier", ({ required_tier: tier }) => tier && "basic"),
    "access",
  ],
  [
    "a list with rows of other tiers",
    "prices.list",
    "access: tier free",
    asPro((request, keys) => isFree(request, keys) && request.path === "/v1/prices"),
    "responses",
  ],
  [
    "stats without a key",
    "spot.get",
    "access: include=all, without a key",
    body((row, request) => {
      if (isKeyless(request) && request.path.includes("include=all")) row.divergence_flag = false;
    }),
  ],
  [
    "history deeper than the tier",
    "bars.list",
    "access: two months back, tier free",
    asPro((request, keys) => isFree(request, keys) && request.path.startsWith("/v1/bars")),
    "access",
  ],
  [
    "a price younger than the delay",
    "spot.get",
    "responses: 15-minute delay",
    field("computed_at", ({ computed_at: instant }, request) =>
      instant && isKeyless(request) ? formatTimestamp(Date.now() - TEN_MINUTES_MS) : instant,
    ),
  ],
];

type Paths = Record<string, Record<string, Body>>;

const document = (change: (paths: Paths) => void) =>
  body((parsed, { path }) => {
    if (path === "/openapi.json") change(parsed.paths as Paths); // an OpenAPI document
  });

const CONVERT_NAMES = ["from", "to", "amount", "unit", "include", "format"];

export const BROKEN_INPUTS: readonly BrokenWay[] = [
  [
    "limits clamped",
    "bars.list",
    "invalid input: out of range",
    query((it) => {
      const limit = Number(it.get("limit") ?? 1);
      if (limit > 10_000) it.set("limit", "10000");
      if (limit === 0) it.set("limit", "1");
    }),
  ],
  [
    "the last of repeated parameters taken",
    "spot.get",
    "invalid input: repeated",
    parameter("include", (values) => values.length > 1, "karat"),
  ],
  [
    "parameters that a route does not have, ignored",
    "convert.get",
    "HTTP: unknown parameters",
    query((it) => {
      for (const name of [...it.keys()]) if (!CONVERT_NAMES.includes(name)) it.delete(name);
    }),
  ],
  ["overlong text cut", "convert.get", "invalid input: too long", parameter("unit", ([value = ""]) => value.length > 16, "oz")],
  [
    "a parameter that is demanded, guessed",
    "bars.latest",
    "invalid input: missing",
    query((it, path) => {
      if (path === "/v1/bars/latest" && !it.has("symbol")) it.set("symbol", "XAU-USD-SPOT");
    }),
  ],
  [
    "dates that do not exist, repaired",
    "bars.list",
    "invalid input: malformed date",
    query((it) => {
      const to = it.get("to");
      if (to && Number.isNaN(Date.parse(it.get("from") ?? "x"))) it.set("from", to);
      if (it.get("from") === "2026-02-30" && to) it.set("from", to);
    }),
    "invalid input",
  ],
  [
    "issues that name another parameter",
    "carat.get",
    "invalid input: too long",
    refusalField("issues", ({ issues }) => issues && [{ path: ["query", "x"], code: "x", message: "x" }]),
    ...(["invalid input", "HTTP"] as const),
  ],
  [
    "a route the document leaves out",
    "carat.get",
    "document: OpenAPI",
    document((paths) => {
      delete paths["/v1/carat"];
    }),
  ],
  [
    "a parameter the document bounds otherwise",
    "bars.list",
    "document: OpenAPI",
    document((paths) => {
      const listed = paths["/v1/bars"]?.get?.parameters as { name: string; schema: Body }[]; // an OpenAPI document
      for (const { name, schema } of listed) if (name === "limit") schema.maximum = 500;
    }),
  ],
];
