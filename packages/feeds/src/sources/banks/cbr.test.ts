/** The Bank of Russia: valid, incomplete and broken documents, and the days of its history. */
import { type ReferenceObservation, referencePrice, validateReference } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { cbr, parseCbrDollar, parseCbrMetals } from "./cbr.ts";

const METALS = fixture("cbr-metals.xml");
const DOLLAR = fixture("cbr-dollar.xml");
const RANGE = "date_req1=06/11/2026&date_req2=20/11/2026";
const metalPath = (range = RANGE) => `/scripts/xml_metall.asp?${range}`;
const dollarPath = (range = RANGE) => `/scripts/XML_dynamic.asp?${range}&VAL_NM_RQ=R01235`;

const read = async (metals = METALS, dollar = DOLLAR) => {
  const context = prepared({ [metalPath()]: metals, [dollarPath()]: dollar });
  const found = (await cbr.fetch(context)) as readonly ReferenceObservation[]; // it reports nothing else
  return { found, partials: context.partials.map(({ message }) => message) };
};
const usd = (found: readonly ReferenceObservation[]) => found.map((each) => `${each.metal} ${referencePrice(each)}`);

describe("cbr", () => {
  it("gives the newest price of each metal with the dollar of the same date, as of the day before", async () => {
    const { found, partials } = await read();
    expect(found[0]).toEqual({
      kind: "reference",
      source: "cbr",
      metal: "XAU",
      perGram: "10296.75",
      perUsd: "80.0000",
      observedAtMs: Date.parse("2026-11-19T00:00:00Z"),
    });
    expect(usd(found)).toEqual(["XAU 4003.3091", "XAG 48.2337", "XPT 1622.0074", "XPD 1410.1928"]);
    expect(partials).toEqual([]);
  });

  it("falls back to the day before while a metal or the dollar of the newest day is missing", async () => {
    const withoutSilver = METALS.replace(/<Record Date="20.11.2026" Code="2">.*?<\/Record>/, "");
    expect((await read(withoutSilver)).found[1]).toMatchObject({ metal: "XAG", perGram: "123.71", perUsd: "79.8850" });
    const withoutDollar = DOLLAR.replace(/<Record Date="20.11.2026".*?<\/Record>/, "");
    expect((await read(METALS, withoutDollar)).found[0]).toMatchObject({ perGram: "10281.4", perUsd: "79.8850" });
  });

  it("reports a metal that is missing altogether, and gives the others", async () => {
    const { found, partials } = await read(METALS.replaceAll(/<Record Date="[0-9.]*" Code="4">.*?<\/Record>/g, ""));
    expect(usd(found)).toHaveLength(3);
    expect(partials).toEqual(["XPD: no price"]);
  });

  it("ignores a metal it does not know", () => {
    expect(parseCbrMetals(METALS.replaceAll('Code="4"', 'Code="5"')).some(({ metal }) => metal === "XPD")).toBe(false);
  });

  it("refuses a fortnight of holidays without a price, and prices without any dollar", async () => {
    const empty = '<Metall FromDate="20261106" ToDate="20261120" name="Precious metals quotations"></Metall>';
    await expect(read(empty)).rejects.toThrow("no price with a rate of the dollar of the same day");
    await expect(read(METALS, DOLLAR.replaceAll(".11.2026", ".10.2026"))).rejects.toThrow("no price with a rate");
  });

  it.each([
    ["HTML", HTML_PAGE, /document type/],
    ["another document", DOLLAR, /Metall/],
    ["a decimal point", METALS.replace("10296,75", "10296.75"), /Buy.*decimal comma/],
    ["spaces between thousands", METALS.replace("10296,75", "10 296,75"), /decimal comma/],
    ["a price of nothing", METALS.replaceAll("10296,75", "0,00"), /positive figure/],
    ["a price that is missing", METALS.replace("<Buy>10296,75</Buy>", ""), /Buy/],
    ["a day that does not exist", METALS.replace("20.11.2026", "31.02.2026"), /Date: must be a date/],
    ["a day in another form", METALS.replace("20.11.2026", "2026-11-20"), /Date: must be a date such as 24.04.2026/],
    ["buying and selling that differ", METALS.replace("<Sell>10296,75", "<Sell>10300,00"), /differ on 2026-11-20/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseCbrMetals(body)).toThrow(message);
  });

  it.each([
    ["another currency", DOLLAR.replaceAll("R01235", "R01239"), /ID: must be R01235/],
    ["a rate of a hundred", DOLLAR.replace("<Nominal>1<", "<Nominal>100<"), /Nominal.*must be 1/],
    ["a decimal point", DOLLAR.replace("80,0000", "80.0000"), /decimal comma/],
    ["two rates for one day", DOLLAR.replace("19.11.2026", "20.11.2026"), /two rates of the dollar/],
  ])("refuses the dollar with %s", (_what, body, message) => {
    expect(() => parseCbrDollar(body)).toThrow(message);
  });

  it("refuses two prices of a metal for one day", async () => {
    await expect(read(METALS.replaceAll("19.11.2026", "20.11.2026"))).rejects.toThrow("two prices of a metal");
  });

  it.each([
    ["troy ounces", "320264,72"],
    ["kilograms", "10296750"],
    ["grains of an ounce", "331,05"],
  ])("gives %s as published, which the rules refuse", async (_what, price) => {
    const { found } = await read(METALS.replaceAll("10296,75", price));
    const [gold] = found;
    const context = { nowMs: NOW_MS, freshForMs: cbr.info.freshForMs, known: null };
    expect(gold && validateReference(gold, context)).toMatchObject({ ok: false, rule: "out_of_range" });
  });

  it("gives silver, platinum and palladium since July 2008 in parts of five years, without Saturdays", async () => {
    const first = "date_req1=02/07/2008&date_req2=30/06/2013";
    const second = "date_req1=01/07/2013&date_req2=01/12/2013";
    const at = (day: string) => (text: string) => text.replaceAll("20.11.2026", day);
    const friday = at("05.07.2008"); // in force from Saturday
    const saturday = at("01.12.2013");
    const context = prepared({
      [metalPath(first)]: friday(METALS),
      [dollarPath(first)]: friday(DOLLAR),
      [metalPath(second)]: saturday(METALS),
      [dollarPath(second)]: saturday(DOLLAR),
    });
    const days = await cbr.backfill?.(context, { fromMs: 0, toMs: Date.parse("2013-12-01T00:00:00Z") });
    const names = days?.map((each) => each.kind === "reference" && `${each.metal} ${new Date(each.observedAtMs).toISOString()}`);
    expect(names?.filter((name) => !`${name}`.includes("2026"))).toEqual(
      ["XAG", "XPT", "XPD"].map((metal) => `${metal} 2008-07-04T00:00:00.000Z`),
    );
    expect(context.asked).toHaveLength(4);
  });
});
