/** Tanaka's page: valid, broken and captured, and the quote gate. */
import { describe, expect, it } from "vitest";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { parseTanaka, tanaka } from "./tanaka.ts";

const PAGE = fixture("tanaka.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "151.10" };
const read = (page: string) => parseTanaka(page, NOW_MS);

describe("Tanaka", () => {
  it("sells and buys back gold by the gram, with tax in both, at the time above its table", () => {
    expect(read(PAGE)).toMatchObject([
      {
        source: "tanaka",
        observedAtMs: Date.parse("2026-11-20T00:30:00Z"),
        quote: {
          id: "tanaka:gram",
          country: "JP",
          currency: "JPY",
          sell: "21650",
          buyback: "21392",
          taxIncluded: true,
          form: "bar",
          fineness: "999.9",
          weight: "1",
          weightUnit: "gram",
        },
      },
    ]);
  });

  it("is as new as its arrival where the page bears no time", () => {
    expect(read(PAGE.replace("09:30公表", ""))[0]?.observedAtMs).toBe(NOW_MS);
  });

  it("finds its columns by their headings", () => {
    const cells = /(<t[hd][^>]*>[^<]*小売[^<]*<\/th>)(<th>前日比<\/th>)(<th>[^<]*買取[^<]*<\/th>)/;
    const swapped = PAGE.replace(cells, "$3$2$1").replace(/21,650(.*)21,392/, "21,392$121,650");
    expect(read(swapped)[0]?.quote).toMatchObject({ sell: "21650", buyback: "21392" });
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await tanaka.fetch(prepared({ "/commodity/souba/index.php": PAGE })));
    expect(gated(found, MOMENT)).toEqual(["ok"]);
    expect(gated(slipped(found, 1), MOMENT)).toEqual(["unit_slip"]);
    expect(gated(slipped(found, -3), MOMENT)).toEqual(["unit_slip"]);
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no table of metal prices"],
    ["a page without the row of gold", PAGE.replace("<td>金</td>", "<td>金貨</td>"), "the page has no row of gold"],
    ["prices without tax", PAGE.replaceAll("税込", "税抜"), "the page has no column 店頭小売価格 with tax"],
    ["another currency", PAGE.replace("21,650 円", "21,650 ドル"), "unexpected 店頭小売価格: must be of the form 1,234.50 円"],
    ["another unit", PAGE.replace("21,392 円", "21,392 円/10g"), "unexpected 店頭買取価格: must be of the form 1,234.50 円"],
    ["another mark between thousands", PAGE.replace("21,650", "21.650"), "unexpected 店頭小売価格"],
    ["a dash", PAGE.replace("21,392 円", "-"), "unexpected 店頭買取価格"],
    ["a row with a cell too few", PAGE.replace("<td>+95 円</td>", ""), "other columns than the headings"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads a captured page", (test) => {
    const page = captured("payloads/japan_tanaka.html");
    if (page === null) return test.skip("no ../shared/data beside the repository");
    const found = read(page);
    expect(found.map(({ quote }) => [quote.sell, quote.buyback])).toEqual([["23964", "23690"]]);
    expect(gated(found, { usdPerOzt: "4193", rate: "159" })).toEqual(["ok"]);
  });
});
