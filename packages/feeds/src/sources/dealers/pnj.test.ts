/** PNJ's price list: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { parsePnj, pnj } from "./pnj.ts";

const BODY = fixture("pnj.json.txt");

describe("PNJ", () => {
  it("sells four nines gold per chi, in dong, though it is published in thousands", () => {
    expect(parsePnj(BODY).map(({ quote: { id, form, sell, buyback } }) => [id, form, sell, buyback])).toEqual([
      ["pnj:sjc-chi", "bar", "14560000", "14310000"],
      ["pnj:ring-chi", "jewellery", "14540000", "14250000"],
      ["pnj:jewellery-chi", "jewellery", "14450000", "14050000"],
    ]);
    expect(parsePnj(BODY)[0]?.quote).toMatchObject({
      currency: "VND",
      weight: "1",
      weightUnit: "chi",
      observedAtMs: Date.parse("2026-11-20T09:05:00Z"),
    });
  });

  it("leaves out a side shown as zero, and the quote if both are", () => {
    const half = BODY.replace('"giaban":14560', '"giaban":0').replace('"giaban":14450,"giamua":14050', '"giaban":0,"giamua":0');
    expect(parsePnj(half).map(({ quote: { id, sell } }) => [id, sell])).toEqual([
      ["pnj:sjc-chi", null],
      ["pnj:ring-chi", "14540000"],
    ]);
  });

  it("is requested for one branch", async () => {
    expect(dealersAmong(await pnj.fetch(prepared({ "/ecom-frontend/v1/get-gold-price?zone=00": BODY })))).toHaveLength(3);
  });

  it("passes the gate, and not when its unit slips to a luong, to full dong or to a gram", () => {
    const moment = { usdPerOzt: "4003.20", rate: "26300" };
    const found = parsePnj(BODY);
    expect(gated(found, moment)).toEqual(["ok", "ok", "ok"]);
    for (const places of [1, 3, -1, -3]) expect(new Set(gated(slipped(found, places), moment))).toEqual(new Set(["unit_slip"]));
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty list", '{"data":[],"updateDate":"20/11/2026 16:05:00"}', /no price of 999\.9 gold/],
    ["other codes alone", BODY.replaceAll(/"masp":"(SJC|N24K|24K)"/g, '"masp":"X"'), /no price of 999\.9 gold/],
    ["a price as text", BODY.replace("14560", '"14.560"'), /data.0.giaban/],
    ["a missing side", BODY.replace(',"giamua":14310', ""), /data.0.giamua/],
    ["a code of another fineness", BODY.replace("Nhẫn Trơn PNJ 999.9", "Nhẫn PNJ 750"), /N24K: must be of 999.9/],
    ["a negative price", BODY.replace("14560", "-14560"), /giaban: must be a positive figure/],
    ["a missing time", BODY.replace("updateDate", "date"), /updateDate/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parsePnj(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/vietnam_pnj.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parsePnj(body);
    expect(found.map(({ quote }) => quote.sell)).toEqual(["15130000", "15130000", "15030000"]);
    expect(gated(found, { usdPerOzt: "4228", rate: "26300" })).toEqual(["ok", "ok", "ok"]);
  });
});
