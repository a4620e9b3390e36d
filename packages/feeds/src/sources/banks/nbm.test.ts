/** The National Bank of Moldova: valid, incomplete and broken documents. */
import { type ReferenceObservation, referencePrice } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { nbm, parseNbmDollar, parseNbmMetals } from "./nbm.ts";

const METALS = fixture("nbm-metals.xml");
const CURRENCIES = fixture("nbm-currencies.xml");
const QUERY = "date=20.11.2026&get_xml=1";

const read = async (metals = METALS, currencies = CURRENCIES) => {
  const context = prepared({
    [`/en/official_metal_rates?${QUERY}`]: metals,
    [`/en/official_exchange_rates?${QUERY}`]: currencies,
  });
  const found = (await nbm.fetch(context)) as readonly ReferenceObservation[]; // it reports nothing else
  return { found, partials: context.partials.map(({ message }) => message) };
};

describe("nbm", () => {
  it("gives gold and silver with the dollar of the same day", async () => {
    const { found, partials } = await read();
    expect(found.map((each) => `${each.metal} ${referencePrice(each)}`)).toEqual(["XAU 4003.4291", "XAG 48.2287"]);
    expect(found[0]).toMatchObject({ perGram: "2188.1250", perUsd: "17.0000", observedAtMs: Date.parse("2026-11-20T00:00:00Z") });
    expect(partials).toEqual([]);
  });

  it("reports a missing metal, and gives the other", async () => {
    const { found, partials } = await read(METALS.replace("XAG", "XXX"));
    expect(found.map(({ metal }) => metal)).toEqual(["XAU"]);
    expect(partials).toEqual(["XAG: no price"]);
  });

  it("refuses a day without prices, and a dollar of another day", async () => {
    await expect(read('<MetalPrice Date="20.11.2026" name="x"></MetalPrice>')).rejects.toThrow("no price with a rate");
    await expect(read(METALS, CURRENCIES.replace("20.11.2026", "19.11.2026"))).rejects.toThrow("no price with a rate");
    await expect(read(METALS, CURRENCIES.replace("USD", "XXX"))).rejects.toThrow("no price with a rate");
  });

  it.each([
    ["HTML", HTML_PAGE, /document type/],
    ["the document of currencies", CURRENCIES, /MetalPrice/],
    ["a decimal comma", METALS.replace("2188.1250", "2188,1250"), /Value.*plain notation/],
    ["a price of nothing", METALS.replace("2188.1250", "0.0000"), /Value/],
    ["a price per ten grams", METALS.replace("<Nominal>1<", "<Nominal>10<"), /Nominal.*must be 1/],
    ["ounces", METALS.replace("Gram gold", "Ounce gold"), /unexpected unit of XAU: must be Gram gold/],
    ["a day in another form", METALS.replace("20.11.2026", "2026-11-20"), /Date: must be a date such as 24.04.2026/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseNbmMetals(body)).toThrow(message);
  });

  it("refuses a dollar that is not per one, or not a figure; other currencies may be", () => {
    expect(() => parseNbmDollar(CURRENCIES.replace("17.0000", "17,0000"))).toThrow(/Value/);
    const hundred = CURRENCIES.replace(/(USD<\/CharCode>\s*<Nominal>)1</, "$1100<");
    expect(() => parseNbmDollar(hundred)).toThrow(/Nominal: must be 1/);
    expect(parseNbmDollar(CURRENCIES.replace("10.9270", "0.0000")).get("2026-11-20")).toBe("17.0000");
  });
});
