/** VOTS dealers: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { NOW_MS, prepared } from "../../testing/context.ts";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE } from "../../testing/samples.ts";
import { parseVots, type VotsDealer, votsFeed } from "./vots.ts";
import { ARIHANT, NAVKAR } from "./vots-dealers.ts";

const BODY = fixture("vots-arihant.tsv");
const parse = (body: string, dealer = ARIHANT) => parseVots(body, dealer, NOW_MS);
const MOMENT = { usdPerOzt: "4003.20", rate: "96.30" };

/** A dealer as an operator may configure one, with the rows of the captured payload. */
const OTHER: VotsDealer = {
  ...NAVKAR,
  key: "vots-other",
  rows: NAVKAR.rows.map((row) => ({ ...row, row: "4972", name: "Gold 999  with TDS" })),
};

describe("a VOTS dealer", () => {
  it("sells at its own row's price, with tax where the row says so, and leaves out a side shown as a dash", () => {
    expect(parse(BODY).map(({ quote }) => quote)).toMatchObject([
      {
        id: "vots-arihant:gold-999-gst",
        country: "IN",
        currency: "INR",
        sell: "147310",
        buyback: null,
        weight: "10",
        weightUnit: "gram",
        fineness: "999",
        taxIncluded: true,
        observedAtMs: NOW_MS,
      },
    ]);
  });

  it("buys at the first figure and sells at the second", () => {
    const [found] = parse("7594\tGOLD 999 IMP (TODAY)\t141100\t141350\t142000\t140800\r\n", NAVKAR);
    expect(found?.quote).toMatchObject({ id: "vots-navkar:gold-999", sell: "141350", buyback: "141100", taxIncluded: false });
  });

  it("has no quote while it is closed, and that is not a fault", () => {
    expect(parse(BODY.replace("147310", "-"))).toEqual([]);
  });

  it("is requested for its own list", async () => {
    const path = "/VOTSBroadcastStreaming/Services/xml/GetLiveRateByTemplateID/arihant";
    const context = prepared({ [path]: BODY });
    expect(dealersAmong(await votsFeed(ARIHANT).fetch(context))).toHaveLength(1);
    expect(context.requests).toMatchObject([{ headers: { referer: "https://www.arihantspot.in/" } }]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const found = parse(BODY);
    expect(gated(found, MOMENT)).toEqual(["ok"]);
    expect(gated(slipped(found, 1), MOMENT)).toEqual(["unit_slip"]);
    expect(gated(slipped(found, -1), MOMENT)).toEqual(["unit_slip"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /row 2728 is missing/],
    ["an empty list", "\r\n", /row 2728 is missing/],
    ["a list without the row", BODY.replace("\t2728\t", "\t9999\t"), /row 2728 is missing/],
    ["a row of another product", BODY.replace("GOLD 999 WITH GST", "SILVER 999"), /row 2728 is of another product/],
    ["a row of another purity", BODY.replace("GOLD 999 WITH GST", "GOLD 995 WITH GST"), /row 2728 is of another product/],
    ["a row that is cut short", BODY.replace("\t147310\t148020\t146400\t", "\t147310"), /row 2728 is cut short/],
    ["words where a price belongs", BODY.replace("147310", "call us"), /sell of row 2728: must be a positive figure/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parse(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/india_vots_broadcast.tsv");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parse(body, OTHER);
    expect(found.map(({ quote }) => [quote.sell, quote.buyback])).toEqual([["156647", "156510"]]);
    // Rows 138 and 141 of the list are the spot price and the rate it is based on.
    expect(gated(found, { usdPerOzt: "4389.40", rate: "96.30" })).toEqual(["ok"]);
  });
});
