/** Invalid requests that are accepted or misread instead of refused, and documents that disagree with the service. */
import { type Body, type BrokenWay, body, parameter, query, refusalField } from "./broken-way.ts";

type Paths = Record<string, Record<string, Body>>;

const document = (change: (paths: Paths) => void): BrokenWay["breakage"] =>
  body((parsed, { path }) => {
    if (path === "/openapi.json") change(parsed.paths as Paths); // an OpenAPI document
  });

export const BROKEN_INPUTS: readonly BrokenWay[] = [
  {
    what: "limits clamped",
    only: "bars.list",
    caughtBy: "invalid input: out of range",
    breakage: query((it) => {
      const limit = Number(it.get("limit") ?? 1);
      if (limit > 10_000) it.set("limit", "10000");
      if (limit === 0) it.set("limit", "1");
    }),
  },
  {
    what: "the last of repeated parameters taken",
    only: "spot.get",
    caughtBy: "invalid input: repeated",
    breakage: parameter("include", (values) => values.length > 1, "karat"),
  },
  {
    what: "parameters that a route does not have, ignored",
    only: "convert.get",
    caughtBy: "HTTP: unknown parameters",
    breakage: query((it) => {
      for (const name of [...it.keys()])
        if (!["from", "to", "amount", "unit", "include", "format"].includes(name)) it.delete(name);
    }),
  },
  {
    what: "overlong text cut",
    only: "convert.get",
    caughtBy: "invalid input: too long",
    breakage: parameter("unit", ([value = ""]) => value.length > 16, "oz"),
  },
  {
    what: "a parameter that is demanded, guessed",
    only: "bars.latest",
    caughtBy: "invalid input: missing",
    breakage: query((it, path) => {
      if (path === "/v1/bars/latest" && !it.has("symbol")) it.set("symbol", "XAU-USD-SPOT");
    }),
  },
  {
    what: "dates that do not exist, repaired",
    only: "bars.list",
    caughtBy: "invalid input: malformed date",
    also: ["invalid input"],
    breakage: query((it) => {
      const to = it.get("to");
      if (to && Number.isNaN(Date.parse(it.get("from") ?? "x"))) it.set("from", to);
      if (it.get("from") === "2026-02-30" && to) it.set("from", to);
    }),
  },
  {
    what: "issues that name another parameter",
    only: "carat.get",
    caughtBy: "invalid input: too long",
    also: ["invalid input", "HTTP"],
    breakage: refusalField("issues", ({ issues }) => issues && [{ path: ["query", "x"], code: "x", message: "x" }]),
  },
  {
    what: "a route the document leaves out",
    only: "carat.get",
    caughtBy: "document: OpenAPI",
    breakage: document((paths) => {
      delete paths["/v1/carat"];
    }),
  },
  {
    what: "a parameter the document bounds otherwise",
    only: "bars.list",
    caughtBy: "document: OpenAPI",
    breakage: document((paths) => {
      const listed = paths["/v1/bars"]?.get?.parameters as { name: string; schema: Body }[]; // an OpenAPI document
      for (const { name, schema } of listed) if (name === "limit") schema.maximum = 500;
    }),
  },
];
