/** iSagha in Egypt, a price board of the gold trade: gold per gram by karat in EGP, both sides. */
import { type DealerObservation, dec } from "@assay/pricing";
import type { Document, Element, ParentNode } from "domhandler";
import { FeedError } from "../../feed/error.ts";
import type { Feed } from "../../feed/feed.ts";
import { missing, readHtml, selectIn, shownText, valueIn } from "../../payload/html.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import {
  type DealerSource,
  dealerFeed,
  dealerObservation,
  gramOf,
  type KaratRow,
  karatOf,
  onePerKarat,
} from "./dealer-source.ts";

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
 * A karat's two prices. The page's labels for the sides can be read from the customer's or the shop's view; at every dealer the
 * higher price is the one a customer pays.
 */
const rowOf = (karat: number, values: readonly Element[]): KaratRow => {
  const what = `price of ${karat} karat gold`;
  const [one, other, ...more] = values.map((value) => printedPrice(shownText(value), what, { grouping: "comma" }));
  if (one === undefined || other === undefined || more.length > 0) throw missing(`two sides of the ${what}`);
  return dec(one).lt(other) ? { karat, sell: other, buyback: one } : { karat, sell: one, buyback: other };
};

/** Tiles labelled with a karat; those of ounces and dollars have other labels. */
const namedRows = (tiles: readonly Element[]): KaratRow[] =>
  tiles.flatMap((tile) => {
    const name = valueIn(tile, ".prices-strip__name", "name in a tile of prices");
    const karat = /^عيار (\p{Nd}{2})$/u.exec(name)?.[1];
    return karat === undefined ? [] : [rowOf(karatOf(karat), valuesIn(tile))];
  });

/** In the order of the strip. */
const UNNAMED = [24, 21, 18];
/** How far apart the strip's prices per pure gram are at most: more than a spread, less than the step between karats. */
const MOST_APART = 1.05;

/**
 * The strip without labels: two prices of each karat, then the ounce. Each is identified by its price per pure gram, never by its
 * position alone.
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
 * @throws FeedError when 24 or 21 karat is missing, or the price format differs
 */
export const parseIsagha = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const page = readHtml(text);
  const tiles = selectIn(page, ".prices-strip__tile");
  const rows = tiles.length > 0 ? namedRows(tiles) : unnamedRows(page);
  return onePerKarat(rows, [24, 21]).map(({ karat, ...sides }) =>
    dealerObservation(source, gramOf(karat, `ذهب عيار ${karat}`), { ...sides, observedAtMs: receivedAtMs }),
  );
};

/** The feed; the page has no timestamp. */
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
