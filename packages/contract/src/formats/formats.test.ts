import { describe, expect, test } from "vitest";
import {
  contract,
  FORMATS,
  formatsOf,
  formatWriter,
  noFigure,
  pages,
  parameterLocation,
  type Route,
  requestSchema,
} from "../index.ts";
import { columnsOf } from "./csv.ts";

const routes = Object.values(contract).flatMap((actions) => Object.values<Route>(actions));
const withFormats = routes.flatMap((route) =>
  formatsOf(route).map((format) => ({ name: `${route.path} as ${format}`, route, format })),
);

const bar = (start: string, close: string | null, isClosed = true) => ({
  bar_start: start,
  open: close,
  high: close,
  low: close,
  close,
  volume: null,
  is_closed: isClosed,
});

const pageOf = (symbol: string, bars: readonly object[]) => ({
  symbol,
  interval: "1d",
  bars,
  next_cursor: null,
  meta: { tier: "pro", count: bars.length, source_id: null },
});

describe.each(withFormats)("$name", ({ route, format }) => {
  // A receipt needs a key: packages/services/src/receipts.
  if (format === "jws") return test("is the whole answer", () => expect(route.formats?.jws).toBe(""));
  return test("writes every example of the route", () => {
    const write = formatWriter(route, format);
    for (const { value } of Object.values(route.examples ?? {})) expect(write(value) ?? "").toMatch(/^$|\n$/);
  });
});

test("every format belongs to a route, so that the route suite tests it", () => {
  expect(new Set(withFormats.map(({ format }) => format))).toEqual(new Set(Object.keys(FORMATS)));
});

describe("price directives", () => {
  const days = [
    bar("2026-11-20T00:00:00Z", "4070.10", false),
    bar("2026-11-19T00:00:00Z", "4062.00"),
    bar("2026-11-18T00:00:00Z", null),
    bar("2026-11-17T00:00:00Z", "4000"),
  ];

  test("are one line per closed bar; what is not final or unknown is left out", () => {
    const gold = pageOf("XAU-USD-SPOT", days);
    expect(formatWriter(contract.bars.list, "beancount")(gold)).toBe(
      "2026-11-19 price XAU 4062.00 USD\n2026-11-17 price XAU 4000 USD\n",
    );
    expect(formatWriter(contract.bars.list, "ledger")(gold)).toBe("P 2026-11-19 XAU 4062.00 USD\nP 2026-11-17 XAU 4000 USD\n");
  });

  test("name the metal, the contract or the fund, as its series does", () => {
    const write = formatWriter(contract.bars.list, "ledger");
    for (const [symbol, commodity] of [
      ["XAG-USD-SPOT", "XAG"],
      ["GC", "GC"],
      ["GLD", "GLD"],
    ] as const) {
      expect(write(pageOf(symbol, [bar("2026-11-19T00:00:00Z", "1.5")]))).toBe(`P 2026-11-19 ${commodity} 1.5 USD\n`);
    }
  });

  test("need daily bars", () => {
    const asked = { symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20", format: "ledger" };
    const schema = requestSchema(contract.bars.list);
    expect(schema.safeParse(asked).success).toBe(true);
    expect(schema.safeParse({ ...asked, interval: "1d" }).success).toBe(true);
    expect(schema.safeParse({ ...asked, interval: "1h", format: "csv" }).success).toBe(true);
    expect(schema.safeParse({ ...asked, interval: "1h" }).error?.issues).toMatchObject([
      { path: ["format"], message: "ledger needs interval=1d; with others this route has json, csv" },
    ]);
  });
});

describe("the bare figure", () => {
  const write = formatWriter(contract.bars.latest, "text");
  test("is the figure and a newline", () => {
    expect(write({ bar: bar("2026-11-19T00:00:00Z", "4062.00") })).toBe("4062.00\n");
  });
  test("is nothing, never an empty line, when there is none", () => {
    expect(write({ bar: null })).toBeNull();
    expect(write({ bar: bar("2026-11-19T00:00:00Z", null) })).toBeNull();
  });
  test.each(withFormats.filter(({ format }) => format === "text"))(
    "$name: its absence has an error that the route declares",
    ({ route }) => {
      const { code, message } = noFigure(route, "text");
      expect(route.errors).toContain(code);
      expect(message).toMatch(/^There is no (price|result|close|ratio) at the moment\.$/);
    },
  );
});

test("the format is given in the query, whatever the method", () => {
  expect(parameterLocation(contract.account.mintKey, "format")).toBe("query");
  expect(parameterLocation(contract.account.mintKey, "name")).toBe("body");
  expect(parameterLocation(contract.account.revokeKey, "format")).toBe("query");
  expect(parameterLocation(contract.account.revokeKey, "key_id")).toBe("path");
});

describe("columns", () => {
  test("are those of the schema, nested ones under both names, whatever a row holds", () => {
    expect(columnsOf(contract.forwardView.get.output, "horizons")).toEqual([
      "expiry",
      "futures.contract",
      "futures.settle_usd",
      "futures.settle_source",
      "futures.settle_age_seconds",
      "futures.open_interest",
      "futures.volume",
      "errors",
    ]);
  });

  test("exist only for a list of objects", () => {
    for (const path of ["asset", "errors", "nothing", "horizons.expiry"]) {
      expect(() => columnsOf(contract.forwardView.get.output, path), path).toThrow();
    }
  });
});

test("a route with JSON alone takes that as its format and no other, has no writer of one, and a page has no formats at all", () => {
  const schema = requestSchema(contract.system.health);
  for (const input of [{}, { format: "json" }]) expect(schema.parse(input)).toEqual(input);
  expect(schema.safeParse({ format: "csv" }).error?.issues).toMatchObject([{ path: ["format"], message: "must be json" }]);
  expect(requestSchema(pages.badge.get)).toBe(pages.badge.get.input);
  for (const format of ["csv", "text", "beancount", "ledger"] as const) {
    expect(() => formatWriter(contract.system.health, format)).toThrow("has no format");
  }
});
