/** Bao Tin Minh Chau's list: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { btmc, parseBtmc } from "./btmc.ts";

const BODY = fixture("btmc.json.txt");

describe("Bao Tin Minh Chau", () => {
  it("sells four nines gold per chi, at the newest price of the day's list", () => {
    expect(parseBtmc(BODY).map(({ quote: { id, form, sell, buyback } }) => [id, form, sell, buyback])).toEqual([
      ["btmc:bar-chi", "bar", "14530000", "14230000"],
      ["btmc:ring-chi", "jewellery", "14530000", "14230000"],
      ["btmc:sjc-chi", "bar", null, "14310000"],
    ]);
    expect(parseBtmc(BODY)[0]?.quote).toMatchObject({
      currency: "VND",
      fineness: "999.9",
      weightUnit: "chi",
      observedAtMs: Date.parse("2026-11-20T09:10:00Z"),
    });
  });

  it("reads a list of one row, which comes without its brackets", () => {
    const [first] = JSON.parse(BODY).DataList.Data;
    expect(parseBtmc(JSON.stringify({ DataList: { Data: first } }))).toHaveLength(1);
  });

  it("is requested with the operator's key, which no error and no description repeats", async () => {
    const feed = btmc("a-secret-key");
    const context = prepared({ "/api/BTMCAPI/getpricebtmc?key=a-secret-key": BODY });
    expect(dealersAmong(await feed.fetch(context))).toHaveLength(3);
    expect(JSON.stringify([feed.info, feed.sources, feed.baseUrl])).not.toContain("a-secret-key");
    const broken = prepared({ "/api/BTMCAPI/getpricebtmc?key=a-secret-key": '{"Message":"wrong key a-secret-key"}' });
    const error: unknown = await feed.fetch(broken).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/DataList/);
    expect(String(error)).not.toContain("a-secret-key");
  });

  it("passes the gate, and not when its unit slips to a luong or to thousands", () => {
    const moment = { usdPerOzt: "4003.20", rate: "26300" };
    const found = parseBtmc(BODY);
    expect(gated(found, moment)).toEqual(["ok", "ok", "ok"]);
    for (const places of [1, -3]) expect(new Set(gated(slipped(found, places), moment))).toEqual(new Set(["unit_slip"]));
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty list", '{"DataList":{"Data":[]}}', /no price of 999\.9 gold/],
    ["silver alone", BODY.replaceAll(/VÀNG MIẾNG|NHẪN TRÒN/g, "BẠC"), /no price of 999\.9 gold/],
    ["a missing side", BODY.replace('"@ps_1"', '"@px_1"'), /ps of row 1: must be text/],
    ["another fineness", BODY.replace('"@h_2":"999.9"', '"@h_2":"99.9"'), /h of row 2: must be of 999.9/],
    ["a price as a number", BODY.replace('"14530000"', "14530000"), /DataList.Data/],
    ["a negative price", BODY.replace('"14530000"', '"-1"'), /ps of row 1: must be a positive figure/],
    ["a missing time", BODY.replace('"@d_3"', '"@t_3"'), /d of row 3: must be text/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseBtmc(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/vietnam_btmc.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parseBtmc(body);
    expect(found.map(({ quote }) => [quote.id, quote.sell, quote.buyback])).toEqual([
      ["btmc:sjc-chi", "15130000", "14880000"],
      ["btmc:ring-chi", "15130000", "14880000"],
    ]);
    expect(gated(found, { usdPerOzt: "4228", rate: "26300" })).toEqual(["ok", "ok"]);
  });
});
