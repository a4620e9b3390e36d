/** Nepal's daily rates: valid, broken and captured payloads, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { fenegosida, parseFenegosida } from "./fenegosida.ts";

const BODY = fixture("fenegosida.json.txt");

describe("FENEGOSIDA", () => {
  it("takes the unit from the rate's name, and fine gold alone", () => {
    expect(
      parseFenegosida(BODY).map(({ quote: { id, weight, weightUnit, sell, buyback } }) => [
        id,
        weight,
        weightUnit,
        sell,
        buyback,
      ]),
    ).toEqual([
      ["fenegosida:fine-tola", "1", "tola", "279800.0", null],
      ["fenegosida:fine-10-gram", "10", "gram", "239885.0", null],
    ]);
    expect(parseFenegosida(BODY)[0]?.quote).toMatchObject({ kind: "benchmark", currency: "NPR", karat: 24 });
  });

  it("reads times as UTC, whether they say so or not", () => {
    expect(parseFenegosida(BODY)[0]?.observedAtMs).toBe(Date.parse("2026-11-20T05:10:31Z"));
    expect(parseFenegosida(BODY.replaceAll("+00:00", ""))[0]?.observedAtMs).toBe(Date.parse("2026-11-20T05:10:31Z"));
  });

  it("is requested for today", async () => {
    const found = await fenegosida.fetch(prepared({ "/api/website/v1/Dashboard/today": BODY }));
    expect(dealersAmong(found)).toHaveLength(2);
  });

  it("passes the gate, and not when its unit slips", () => {
    const moment = { usdPerOzt: "4003.20", rate: "154.08" };
    const found = parseFenegosida(BODY);
    expect(gated(found, moment)).toEqual(["ok", "ok"]);
    expect(gated(slipped(found, 1), moment)).toEqual(["unit_slip", "unit_slip"]);
    // The price of a gram, as the field's name says, though it never contains one.
    expect(gated(parseFenegosida(BODY.replace("279800.0", "23988.5")), moment)[0]).toBe("unit_slip");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty list", "[]", /no rate of fine gold/],
    ["silver alone", BODY.replaceAll("छापावाल", "असली"), /no rate of fine gold/],
    ["an unknown unit", BODY.replace("(१० ग्राम)", "(१ ग्राम)"), /rateType: fine gold in an unknown unit/],
    ["a rate without a unit", BODY.replace("छापावाल सुन (१ तोला)", "छापावाल सुन"), /rateType: fine gold in an unknown unit/],
    ["a rate as text", BODY.replace("279800.0", '"2,79,800"'), /todayBaseRatePerGram: must be a number/],
    ["a missing rate", BODY.replaceAll('"todayBaseRatePerGram"', '"rate"'), /todayBaseRatePerGram/],
    ["a missing time", BODY.replaceAll("todayDate", "date"), /todayDate/],
    ["an object", '{"message":"no data"}', /body/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseFenegosida(body)).toThrow(message);
  });

  it("takes no longer for a name of brackets only than for its length", () => {
    const name = `छापावाल सुन ${"(".repeat(2_000_000)}`;
    expect(() => parseFenegosida(BODY.replace("छापावाल सुन (१ तोला)", name))).toThrow(/fine gold in an unknown unit/);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/nepal_fenegosida_today.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parseFenegosida(body);
    expect(found.map(({ quote }) => quote.sell)).toEqual(["305200", "261660"]);
    expect(gated(found, { usdPerOzt: "4389", rate: "154.08" })).toEqual(["ok", "ok"]);
  });
});
