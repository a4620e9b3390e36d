/** Chow Sang Sang's page: valid, broken and captured rows, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { chowSangSangCn, parseChowSangSangCn } from "./chow-sang-sang-cn.ts";

const PAGE = fixture("chow-sang-sang-cn.html");
const sides = (page: string) => parseChowSangSangCn(page).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);

describe("Chow Sang Sang on the mainland", () => {
  it("sells ingots and jewellery, and leaves out sides without a price", () => {
    expect(sides(PAGE)).toEqual([
      ["chow-sang-sang-cn:ingot", "1069", null],
      ["chow-sang-sang-cn:jewellery", "1213", "848"],
    ]);
    expect(parseChowSangSangCn(PAGE)[0]?.quote).toMatchObject({ currency: "CNY", form: "bar", taxIncluded: true });
  });

  it("has the later of its two times", () => {
    expect(parseChowSangSangCn(PAGE).map(({ observedAtMs }) => new Date(observedAtMs).toISOString())).toEqual([
      "2026-11-20T01:30:07.000Z",
      "2026-11-20T10:05:12.400Z",
    ]);
  });

  it("is read from the page people read", async () => {
    expect(dealersAmong(await chowSangSangCn.fetch(prepared({ "/gold-info": PAGE })))).toHaveLength(2);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "6.80" };
    const found = parseChowSangSangCn(PAGE);
    expect(gated(found, moment)).toEqual(["ok", "ok"]);
    expect(gated(slipped(found, 1), moment)).toEqual(["unit_slip", "unit_slip"]);
    expect(gated(slipped(found, -3), moment)).toEqual(["unit_slip", "unit_slip"]);
  });

  it.each([
    ["a page without rows", HTML_PAGE, /no rows of prices/],
    ["an empty list", PAGE.replace(/\[.*\]/, "[]"), /no rows of prices/],
    ["rows without ingots", PAGE.replace("G_INGOT_SELL", "G_OLD_SELL"), /there is no G_INGOT_SELL/],
    ["a price as a number", PAGE.replace("&quot;1213&quot;", "1213"), /0.price: must be text/],
    ["a price of another unit", PAGE.replace("GM", "TAEL"), /0.weightUnit: must be per gram/],
    ["another currency", PAGE.replace("RMB", "HKD"), /0.currencyCode: must be RMB/],
    ["a missing time", PAGE.replace("lastUpdateDate", "date"), /0.lastUpdateDate/],
  ])("refuses %s", (_what, page, message) => {
    expect(() => parseChowSangSangCn(page)).toThrow(message);
  });

  it("reads captured rows", (test) => {
    const rows = captured("payloads/china_chowsangsang_cn.json");
    if (rows === null) return test.skip("no ../shared/data beside the repository");
    const page = `<!doctype html><html><body><script>self.rates=${rows}</script></body></html>`;
    expect(sides(page)).toEqual([
      ["chow-sang-sang-cn:ingot", "1147", "909"],
      ["chow-sang-sang-cn:jewellery", "1307", null],
    ]);
    expect(gated(parseChowSangSangCn(page), { usdPerOzt: "4290", rate: "6.80" })).toEqual(["ok", "ok"]);
  });
});
