/** Real-world pages: badly nested, in right-to-left scripts, with scripts between the lines. */
import { describe, expect, it } from "vitest";
import { oneIn, plainText, readHtml, selectIn, shownText } from "./html.ts";

describe("a page", () => {
  it("is read as a browser shows it", () => {
    const page = readHtml(
      "<p>بيع:\u200f <b>7,015</b>&nbsp;جنيه<script>var p = 1</script><style>p{}</style><!-- no --><p>（税込）",
    );
    expect(shownText(page)).toBe("بيع: 7,015 جنيه (税込)");
    expect(plainText("\u202b１２，３４５　円\u202c")).toBe("12,345 円");
    expect(plainText("540.5²")).toBe("540.5²");
  });

  it("can be searched however badly it is nested", () => {
    const page = readHtml("<table><tr class=gold><td>金<td class='retail_tax'>1 円</tr><tr><td>銀<td>2 円</table></div>");
    expect(selectIn(page, "tr").map((row) => selectIn(row, "td").map(shownText))).toEqual([
      ["金", "1 円"],
      ["銀", "2 円"],
    ]);
  });

  it("reports what is missing or duplicated", () => {
    const page = readHtml("<p>one</p><p>two</p>");
    expect(() => oneIn(page, "table", "table of prices")).toThrow("the page has no table of prices");
    expect(() => oneIn(page, "p", "paragraph")).toThrow("the page has more than one paragraph");
  });

  it("is refused when it is nested too deeply, before that takes time", () => {
    expect(shownText(readHtml(`${"<div>".repeat(500)}deep`))).toBe("deep");
    expect(() => readHtml("<div>".repeat(200_000))).toThrow("nested too deeply");
  });
});
