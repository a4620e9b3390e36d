/** China Gold's board: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { chinaGold, parseChinaGold } from "./china-gold.ts";

const BODY = fixture("china-gold.json.txt");
const quotes = (body: string) => parseChinaGold(body, NOW_MS).map(({ quote }) => quote);

describe("China Gold", () => {
  it("sells bars and jewellery, buys bars back, and deals at no base price", () => {
    expect(quotes(BODY)).toMatchObject([
      { id: "china-gold:bar", country: "CN", currency: "CNY", sell: "892.50", buyback: "874.50", weightUnit: "gram" },
      { id: "china-gold:jewellery", form: "jewellery", sell: "1204.00", buyback: null, taxIncluded: true, observedAtMs: NOW_MS },
    ]);
  });

  it("is requested as its own page does", async () => {
    const context = prepared({ "/page/board": BODY });
    expect(dealersAmong(await chinaGold.fetch(context))).toHaveLength(2);
    expect(context.requests).toMatchObject([{ path: "/page/board", post: { body: "" } }]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "6.80" };
    const found = parseChinaGold(BODY, NOW_MS);
    expect(gated(found, moment)).toEqual(["ok", "ok"]);
    expect(gated(slipped(found, 1), moment)).toEqual(["unit_slip", "unit_slip"]);
    expect(gated(slipped(found, -3), moment)).toEqual(["unit_slip", "unit_slip"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the publisher", '{"code":500,"data":null}', /code: the publisher reports an error/],
    ["an empty board", '{"code":200,"data":{}}', /data.sel: must be text/],
    ["a price as a number", BODY.replace('"892.50"', "892.5"), /data.sel: must be text/],
    ["a price of zero", BODY.replace("874.50", "0.00"), /data.buy: must be a positive figure/],
    ["a price with its unit", BODY.replace("1204.00", "1204.00元/克"), /data.accessories: must be a positive figure/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseChinaGold(body, NOW_MS)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/china_chinagold_board.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    expect(quotes(body)).toMatchObject([{ sell: "957.50", buyback: "938.50" }, { sell: "1303.00" }]);
    // Its own base price of 941.50 is spot: 4 306 dollars an ounce at 6.80.
    expect(gated(parseChinaGold(body, NOW_MS), { usdPerOzt: "4306", rate: "6.80" })).toEqual(["ok", "ok"]);
  });
});
