/** The National Bank of Romania: valid and broken documents. */
import { referencePrice } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { bnr, parseBnr } from "./bnr.ts";

const BODY = fixture("bnr.xml");

describe("bnr", () => {
  it("gives gold with the dollar of the same document", async () => {
    const found = await bnr.fetch(prepared({ "/nbrfxrates.xml": BODY }));
    expect(found).toEqual([
      {
        kind: "reference",
        source: "bnr",
        metal: "XAU",
        perGram: "563.2800",
        perUsd: "4.3750",
        observedAtMs: Date.parse("2026-11-20T00:00:00Z"),
      },
    ]);
    expect(parseBnr(BODY).map(referencePrice)).toEqual(["4004.5638"]);
  });

  it("gives the newest day where the document has several, in any order", async () => {
    const [cube = ""] = /<Cube.*<\/Cube>/.exec(BODY) ?? [];
    const older = cube.replace("2026-11-20", "2026-11-19").replace("563.2800", "560.0000");
    const found = await bnr.fetch(prepared({ "/nbrfxrates.xml": BODY.replace(cube, cube + older) }));
    expect(found).toMatchObject([{ perGram: "563.2800" }]);
  });

  it.each([
    ["HTML", HTML_PAGE, /document type/],
    ["a document without a day", BODY.replace(/<Cube.*<\/Cube>/, ""), /Cube/],
    ["a day without gold", BODY.replace("XAU", "XAG"), /XAU must be there once on 2026-11-20/],
    ["a day without the dollar", BODY.replace("USD", "AUD"), /USD must be there once/],
    ["gold twice", BODY.replace('currency="EUR"', 'currency="XAU"'), /XAU must be there once/],
    ["gold of several grams", BODY.replace('"XAU"', '"XAU" multiplier="100"'), /multiplier: must be 1/],
    ["a decimal comma", BODY.replace("563.2800", "563,2800"), /#text/],
    ["a price of nothing", BODY.replace("563.2800", "0.0000"), /#text/],
    ["another currency's rates", BODY.replace(">RON<", ">EUR<"), /OrigCurrency.*must be RON/],
    ["a day that does not exist", BODY.replace('date="2026-11-20"', 'date="20.11.2026"'), /date: must be a date/],
    ["the same day twice", BODY.replace(/(<Cube.*<\/Cube>)/, "$1$1"), /two (rates|prices)/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseBnr(body)).toThrow(message);
  });
});
