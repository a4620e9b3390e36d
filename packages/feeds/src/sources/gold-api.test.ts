/** gold-api.com: valid, broken and captured payloads. */
import { describe, expect, it } from "vitest";
import { captured, fixture, HTML_PAGE, prepared } from "../testing/samples.ts";
import { goldApi, parseGoldApi, parseGoldApiDay } from "./gold-api.ts";

const GOLD = fixture("gold-api.json.txt");
const other = (symbol: string, price: string) => GOLD.replace('"XAU"', `"${symbol}"`).replace("4003.200195", price);

describe("gold-api", () => {
  it("keeps the published digits and time", () => {
    expect(parseGoldApi(GOLD, "XAU")).toEqual({
      kind: "spot",
      source: "gold-api",
      instrument: "XAU-USD-SPOT",
      price: "4003.200195",
      observedAtMs: Date.parse("2026-11-20T11:59:41Z"),
    });
    expect(parseGoldApi(other("XAU", "4392.0"), "XAU").price).toBe("4392.0");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty object", "{}", /symbol/],
    ["a price as text", GOLD.replace("4003.200195", '"4003.20"'), /price: must be a number/],
    ["a missing price", GOLD.replace('"price":4003.200195,', ""), /price/],
    ["a price of zero", GOLD.replace("4003.200195", "0.00"), /price: must be a positive figure/],
    ["a negative price", GOLD.replace("4003.200195", "-4003.2"), /price: must be a positive figure/],
    ["a price with an exponent", GOLD.replace("4003.200195", "4e300"), /price: must be a positive figure/],
    ["another metal", other("XAG", "48.1"), /symbol: must be XAU/],
    ["another currency", GOLD.replace('"USD"', '"EUR"'), /currency: must be USD/],
    ["a time without a zone", GOLD.replace("11:59:41Z", "11:59:41"), /updatedAt/],
    ["a price given twice", GOLD.replace('"price"', '"price":1,"price"'), /not JSON/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseGoldApi(body, "XAU")).toThrow(message);
  });

  it("gives the UTC day's close so far of platinum and palladium", () => {
    expect(parseGoldApiDay(other("XPT", "1622.40"), "XPT")).toEqual({
      kind: "bar",
      source: "gold-api",
      symbol: "XPT-USD-SPOT",
      interval: "1d",
      barStartMs: Date.parse("2026-11-20T00:00:00Z"),
      open: "1622.40",
      high: "1622.40",
      low: "1622.40",
      close: "1622.40",
      volume: null,
      observedAtMs: Date.parse("2026-11-20T11:59:41Z"),
    });
    expect(parseGoldApiDay(other("XPD", "1410.5"), "XPD")).toMatchObject({ symbol: "XPD-USD-SPOT", close: "1410.5" });
    expect(() => parseGoldApiDay(GOLD, "XPT")).toThrow(/symbol: must be XPT/);
  });

  it("gives gold and silver when copper fails, and reports copper", async () => {
    const daily = { "/price/XPT": other("XPT", "1622.40"), "/price/XPD": other("XPD", "1410.5") };
    const context = prepared({ "/price/XAU": GOLD, "/price/XAG": other("XAG", "48.123"), ...daily });
    const found = await goldApi.fetch(context);
    expect(found.map((each) => each.kind === "spot" && [each.instrument, each.price])).toEqual([
      ["XAU-USD-SPOT", "4003.200195"],
      ["XAG-USD-SPOT", "48.123"],
      false,
      false,
    ]);
    expect(context.asked).toEqual(["/price/XAU", "/price/XAG", "/price/HG", "/price/XPT", "/price/XPD"]);
    expect(context.partials).toMatchObject([{ kind: "unreachable", message: expect.stringMatching(/^HG: no answer/) }]);
  });

  it("fails when every metal fails", async () => {
    await expect(goldApi.fetch(prepared({}))).rejects.toThrow(/no answer/);
  });

  it("reads captured payloads", (test) => {
    for (const name of ["gold-api_XAU_20260818.json", "gold_api_com_price.json"]) {
      const body = captured(`payloads/${name}`);
      if (body === null) return test.skip("no ../shared/data beside the repository");
      expect(parseGoldApi(body, "XAU")).toMatchObject({ price: "4392.0", observedAtMs: Date.parse("2026-08-18T13:29:35Z") });
    }
  });
});
