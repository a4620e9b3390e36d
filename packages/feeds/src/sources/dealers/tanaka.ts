/** Tanaka Kikinzoku in Japan: gold per gram in JPY, both sides including 10 % consumption tax. */
import type { DealerObservation } from "@assay/pricing";
import type { Element } from "domhandler";
import { FeedError } from "../../feed/error.ts";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { missing, oneIn, readHtml, selectIn, shownText } from "../../payload/html.ts";
import { localInstant } from "../../payload/local-time.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const PATH = "/commodity/souba/index.php";
const source: DealerSource = {
  key: "tanaka",
  country: "JP",
  dealer: "Tanaka Kikinzoku",
  kind: "dealer",
  taxIncluded: true,
  url: `https://gold.tanaka.co.jp${PATH}`,
};

/** Sold as bars of 99.99 %; the price is per gram of any of them. */
const GOLD: DealerProduct = {
  id: "gram",
  product: "金地金",
  form: "bar",
  karat: 24,
  fineness: "999.9",
  weight: "1",
  weightUnit: "gram",
};

const GOLD_ROW = "金";

/** The timestamp above the table on business days: at 9:30, and again at 14:00 when prices moved a lot. */
const publishedAt = localInstant(
  "Asia/Tokyo",
  /(?<year>\d{4})年 ?(?<month>\d{1,2})月 ?(?<day>\d{1,2})日 ?(?<hour>\d{1,2}):(?<minute>\d\d) ?公表/,
);

/** The row's cell below a heading; the heading must say that tax is included. */
const priceBelow = (headings: readonly string[], cells: readonly Element[], heading: string): string => {
  const cell = cells[headings.findIndex((text) => text.startsWith(heading) && text.includes("税込"))];
  if (!cell) throw missing(`column ${heading} with tax`);
  return printedPrice(shownText(cell), heading, { grouping: "comma", after: "円" });
};

/**
 * The row of gold, by the headings of its columns.
 * @throws FeedError when the table, its row or a column is missing
 */
export const parseTanaka = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const page = readHtml(text);
  const table = oneIn(page, "table#metal_price", "table of metal prices");
  const headings = selectIn(table, "th").map(shownText);
  const rows = selectIn(table, "tr").map((row) => selectIn(row, "td"));
  const cells = rows.find(([metal]) => metal && shownText(metal) === GOLD_ROW);
  if (!cells) throw missing("row of gold");
  if (cells.length !== headings.length) throw new FeedError("payload", "the row of gold has other columns than the headings");
  const published = publishedAt.safeParse(shownText(page));
  const prices = {
    sell: priceBelow(headings, cells, "店頭小売価格"),
    buyback: priceBelow(headings, cells, "店頭買取価格"),
    observedAtMs: published.success ? published.data : receivedAtMs,
  };
  return [dealerObservation(source, GOLD, prices)];
};

export const tanaka: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Tanaka Kikinzoku Kogyo K.K.",
  terms: "The shop's own price page; silent on redistribution, prices are for reference.",
  intervalMs: 900_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://gold.tanaka.co.jp",
  request: { path: PATH, expect: "html" },
  parse: parseTanaka,
});
