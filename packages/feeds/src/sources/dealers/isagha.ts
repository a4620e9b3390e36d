/** iSagha in Egypt, a board of the gold trade: gold by the gram and karat in EGP, both sides. */
import { type DealerObservation, dec } from "@assay/pricing";
import type { Document, Element, ParentNode } from "domhandler";
import type { Feed } from "../../feed.ts";
import { FeedError } from "../../feed-error.ts";
import { missing, readHtml, selectIn, shownText, valueIn } from "../../payload/html.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";
import { gramOf, type KaratRow, karatOf, onePerKarat } from "./gold-by-karat.ts";

const PATH = "/prices";
const source: DealerSource = {
  key: "isagha",
  country: "EG",
  dealer: "iSagha",
  kind: "board",
  taxIncluded: false,
  url: `https://market.isagha.com${PATH}`,
};

const valuesIn = (node: ParentNode): Element[] => selectIn(node, ".prices-strip__value");

/**
 * A karat's two prices. The page's words for its sides are a customer's to some and the shop's to others; what holds for every
 * dealer is that the higher price is the one a customer pays.
 */
const rowOf = (karat: number, values: readonly Element[]): KaratRow => {
  const what = `price of ${karat} karat gold`;
  const [one, other, ...more] = values.map((value) => printedPrice(shownText(value), what, { grouping: "comma" }));
  if (one === undefined || other === undefined || more.length > 0) throw missing(`two sides of the ${what}`);
  return dec(one).lt(other) ? { karat, sell: other, buyback: one } : { karat, sell: one, buyback: other };
};

/** Tiles that bear a karat's name; those of ounces and dollars bear another. */
const namedRows = (tiles: readonly Element[]): KaratRow[] =>
  tiles.flatMap((tile) => {
    const name = valueIn(tile, ".prices-strip__name", "name in a tile of prices");
    const karat = /^عيار (\p{Nd}{2})$/u.exec(name)?.[1];
    return karat === undefined ? [] : [rowOf(karatOf(karat), valuesIn(tile))];
  });

/** In the order of the strip. */
const UNNAMED = [24, 21, 18];
/** How far the strip's prices per pure gram are apart at most: by more than a spread, and by less than karats are. */
const MOST_APART = 1.05;

/**
 * The strip without names: two prices of each karat, then the ounce. What each is, is told by its price per pure gram, never by its place
 * alone.
 */
const unnamedRows = (page: Document): KaratRow[] => {
  const values = valuesIn(page);
  if (values.length !== 2 * UNNAMED.length + 1) throw missing("strip of prices");
  const rows = UNNAMED.map((karat, index) => rowOf(karat, values.slice(2 * index, 2 * index + 2)));
  const pure = rows.flatMap(({ karat, sell, buyback }) => [Number(sell) / karat, Number(buyback) / karat]);
  if (!(Math.max(...pure) / Math.min(...pure) < MOST_APART))
    throw new FeedError("payload", "the strip of prices is not that of 24, 21 and 18 karat");
  return rows;
};

/**
 * Every karat.
 * @throws FeedError when 24 or 21 karat is missing, or a price is of another form
 */
export const parseIsagha = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const page = readHtml(text);
  const tiles = selectIn(page, ".prices-strip__tile");
  const rows = tiles.length > 0 ? namedRows(tiles) : unnamedRows(page);
  return onePerKarat(rows, [24, 21]).map(({ karat, ...sides }) =>
    dealerObservation(source, gramOf(karat, `ذهب عيار ${karat}`), { ...sides, observedAtMs: receivedAtMs }),
  );
};

/** The feed; the page bears no time. */
export const isagha: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "iSagha",
  terms: "A public board of the trade; silent on redistribution.",
  intervalMs: 300_000,
  baseUrl: "https://market.isagha.com",
  request: { path: PATH, expect: "html" },
  parse: parseIsagha,
});
