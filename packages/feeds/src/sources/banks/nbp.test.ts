/** Narodowy Bank Polski: valid, incomplete and broken bodies. */
import { type ReferenceObservation, referencePrice } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { nbp, parseNbpDollar, parseNbpGold } from "./nbp.ts";

const GOLD = fixture("nbp-gold.json.txt");
const DOLLAR = fixture("nbp-dollar.json.txt");
const RANGE = "2026-11-06/2026-11-20/?format=json";

const read = async (gold = GOLD, dollar = DOLLAR) =>
  (await nbp.fetch(
    prepared({ [`/api/cenyzlota/${RANGE}`]: gold, [`/api/exchangerates/rates/a/usd/${RANGE}`]: dollar }),
  )) as readonly ReferenceObservation[]; // it reports nothing else

describe("nbp", () => {
  it("gives gold of the newest day whose dollar is published too", async () => {
    const found = await read();
    expect(found).toEqual([
      {
        kind: "reference",
        source: "nbp",
        metal: "XAU",
        perGram: "468.02",
        perUsd: "3.6400",
        observedAtMs: Date.parse("2026-11-19T00:00:00Z"),
      },
    ]);
    expect(found.map(referencePrice)).toEqual(["3999.1893"]);
  });

  it("refuses a fortnight without a price, and prices without a dollar of the same day", async () => {
    await expect(read("[]")).rejects.toThrow("no price with a rate of the dollar of the same day");
    await expect(read(GOLD, DOLLAR.replaceAll("2026-11", "2026-10"))).rejects.toThrow("no price with a rate");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["a decimal comma", GOLD.replace("469.80", '"469,80"'), /2.cena: must be a number/],
    ["a price of nothing", GOLD.replace("469.80", "0"), /cena/],
    ["a null price", GOLD.replace("469.80", "null"), /cena/],
    ["a missing price", GOLD.replace('"cena":469.80', '"cenna":469.80'), /cena/],
    ["a day that does not exist", GOLD.replace("2026-11-20", "2026-11-31"), /2.data: must be a date/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseNbpGold(body)).toThrow(message);
  });

  it.each([
    ["another currency", DOLLAR.replace('"USD"', '"EUR"'), /code: must be USD/],
    ["another table", DOLLAR.replace('"table":"A"', '"table":"C"'), /table: must be A/],
    ["a rate of nothing", DOLLAR.replace("3.6400", "0.0000"), /rates.1.mid/],
    ["two rates for one day", DOLLAR.replace("2026-11-18", "2026-11-19"), /two rates of the dollar/],
  ])("refuses the dollar with %s", (_what, body, message) => {
    expect(() => parseNbpDollar(body)).toThrow(message);
  });
});
