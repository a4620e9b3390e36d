import { describe, expect, it } from "vitest";
import { widthOf } from "./badge.ts";

/** Widths of Chromium at 11 px: the wider of Noto Sans Devanagari, Hind and Mukta; of DejaVu Sans and Noto Sans Arabic. */
const MEASURED: readonly (readonly [text: string, width: number])[] = [
  ["सोना 22 कैरेट · कृत्रिम भाव, बाज़ार भाव नहीं · 15 मिनट की देरी से", 266],
  ["प्लैटिनम · लाइव", 63.2],
  ["₹3,53,924.97 / ट्रॉय औंस", 118.3],
  ["भाव उपलब्ध नहीं", 67.2],
  ["الذهب عيار ٢٢ · محاكاة، وليس سعر سوق · متأخر ١٥ دقيقة", 271.1],
  ["الفضة · مباشر", 65.8],
  ["١٢٧٬٦٦١٫٦١ US$ / كيلوغرام", 130.2],
  ["لا يوجد سعر", 55.2],
];

describe("the width of a badge's text", () => {
  it.each(MEASURED)("is a little more than it takes: %s", (text, width) => {
    expect(widthOf(text)).toBeGreaterThanOrEqual(width);
    expect(widthOf(text)).toBeLessThan(width * 1.17);
  });

  it("is that of Verdana in Latin, and of squares in Chinese", () => {
    expect(widthOf("gold, 15 min late")).toBe(100);
    expect(widthOf("4003.20 USD/oz")).toBe(95);
    expect(widthOf("暂无价格")).toBe(44);
  });
});
