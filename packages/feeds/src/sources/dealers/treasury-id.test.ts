/** Treasury's rate: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { parseTreasuryId, treasuryId } from "./treasury-id.ts";

const BODY = fixture("treasury-id.json.txt");

describe("Treasury", () => {
  it("sells at the customer's buying rate, and has the time of Jakarta's clock", () => {
    expect(parseTreasuryId(BODY).map(({ quote }) => quote)).toMatchObject([
      {
        id: "treasury-id:gram",
        currency: "IDR",
        sell: "2341500",
        buyback: "2274800",
        weightUnit: "gram",
        observedAtMs: Date.parse("2026-11-20T11:55:00Z"),
      },
    ]);
  });

  it("is requested with an empty object", async () => {
    const context = prepared({ "/api/v1/antigrvty/gold/rate": BODY });
    expect(dealersAmong(await treasuryId.fetch(context))).toHaveLength(1);
    expect(context.requests).toMatchObject([{ post: { contentType: "application/json", body: "{}" } }]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "16700" };
    const found = parseTreasuryId(BODY);
    expect(gated(found, moment)).toEqual(["ok"]);
    expect(gated(slipped(found, 1), moment)).toEqual(["unit_slip"]);
    expect(gated(slipped(found, -3), moment)).toEqual(["unit_slip"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the publisher", '{"meta":{"code":500,"status":"error"}}', /status: the publisher reports an error/],
    ["an empty answer", '{"meta":{"code":200,"status":"success"},"data":[]}', /data/],
    ["a missing rate", BODY.replace('"selling_rate":2274800,', ""), /selling_rate/],
    ["a rate as text", BODY.replace("2341500", '"2.341.500"'), /buying_rate: must be a number/],
    ["a rate of zero", BODY.replace("2341500", "0"), /buying_rate: must be a positive figure/],
    ["a missing time", BODY.replace("updated_at", "at"), /updated_at/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseTreasuryId(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/indonesia_treasury_id.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parseTreasuryId(body);
    expect(found[0]?.quote).toMatchObject({ sell: "2460000", buyback: "2390000" });
    expect(gated(found, { usdPerOzt: "4170", rate: "16700" })).toEqual(["ok"]);
  });
});
