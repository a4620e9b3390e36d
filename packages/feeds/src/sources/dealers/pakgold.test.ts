/** PakGold's board: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { pakgold, parsePakgold } from "./pakgold.ts";

const BODY = fixture("pakgold.json.txt");

describe("PakGold", () => {
  it("quotes a piece per tola from the bazaar's side, by Karachi's clock", () => {
    expect(parsePakgold(BODY).map(({ quote }) => quote)).toMatchObject([
      {
        id: "pakgold:piece-tola",
        kind: "board",
        currency: "PKR",
        sell: "424700",
        buyback: "420500",
        weight: "1",
        weightUnit: "tola",
        observedAtMs: Date.parse("2026-11-20T11:25:00Z"),
      },
    ]);
  });

  it("reads figures without commas, and a month in letters", () => {
    const plain = BODY.replaceAll(/(?<=\d),(?=\d)/g, "").replace("20-11-2026 04:25 PM", "20-Nov-2026 12:05 AM");
    expect(parsePakgold(plain)[0]?.quote).toMatchObject({ sell: "424700", observedAtMs: Date.parse("2026-11-19T19:05:00Z") });
  });

  it("has one side when the other is a dash", () => {
    expect(parsePakgold(BODY.replace("420,500", "-"))[0]?.quote).toMatchObject({ sell: "424700", buyback: null });
  });

  it("has no quote while the bazaar is closed, and that is not a fault", () => {
    expect(parsePakgold(BODY.replace("424,700", "").replace("420,500", "0"))).toEqual([]);
  });

  it("is requested as its own page does", async () => {
    const context = prepared({ "/PGR/GoldRate": BODY });
    expect(dealersAmong(await pakgold.fetch(context))).toHaveLength(1);
    expect(context.requests).toMatchObject([{ headers: { referer: "https://www.pakgold.net/" } }]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "281" };
    const found = parsePakgold(BODY);
    expect(gated(found, moment)).toEqual(["ok"]);
    expect(gated(slipped(found, 1), moment)).toEqual(["unit_slip"]);
    // The price of a gram where that of a tola is expected.
    const gram = BODY.replace("424,700", "36,412").replace("420,500", "36,052");
    expect(gated(parsePakgold(gram), moment)).toEqual(["unit_slip"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["a missing side", BODY.replace("pcsSell", "sell"), /pcsSell: must be text/],
    ["a side as a number", BODY.replace('"424,700"', "424700"), /pcsSell: must be text/],
    ["commas where none belong", BODY.replace("424,700", "4,24,700"), /pcsSell: must be a positive figure/],
    ["a missing time", BODY.replace("rateUpdateTime", "time"), /rateUpdateTime/],
    ["a day without its half", BODY.replace("04:25 PM", "16:25"), /rateUpdateTime: must be a time/],
    ["an empty object", "{}", /pcsBuy/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parsePakgold(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/pakistan_pakgold_GoldRate.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parsePakgold(body);
    expect(found[0]?.quote).toMatchObject({
      sell: "440636",
      buyback: "436336",
      observedAtMs: Date.parse("2026-10-04T08:05:00Z"),
    });
    // The board states the spot price it is based on.
    expect(gated(found, { usdPerOzt: "4170.5", rate: "281" })).toEqual(["ok"]);
  });
});
