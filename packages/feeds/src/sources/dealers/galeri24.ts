/**
 * Galeri24 in Indonesia: bars of three makers in IDR, each weight priced separately, both sides; read from the data its Nuxt
 * page embeds.
 */
import type { DealerObservation } from "@assay/pricing";
import { parse } from "devalue";
import type { Document } from "domhandler";
import { DomUtils } from "htmlparser2";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { shaped } from "../../payload/body.ts";
import { missing, oneIn, readHtml } from "../../payload/html.ts";
import { withinDay } from "../../payload/local-time.ts";
import { figureText, sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const asIs = (value: unknown): unknown => value;
/** Wrappers that Nuxt and its store put around values, which are irrelevant here; any other is refused. */
const MARKS = Object.fromEntries(
  ["Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef", "NuxtError", "Island", "skipHydrate"].map(
    (mark) => [mark, asIs] as const,
  ),
);

/**
 * The page's data, unpacked. Numbers in it have been floats: use figures only where they are text.
 * @throws FeedError when there is none, or it cannot be unpacked
 */
export const readNuxt = (page: Document): unknown => {
  const packed = DomUtils.textContent(oneIn(page, "script#__NUXT_DATA__", "data of Nuxt"));
  try {
    return parse(packed, MARKS);
  } catch (cause) {
    throw new FeedError("payload", "failed to unpack the page's data", { cause });
  }
};

/**
 * Every value of a property, anywhere in the data, which may contain reference cycles.
 * @param name the property's name
 */
export const valuesNamed = (data: unknown, name: string): unknown[] => {
  const seen = new Set<unknown>([data]);
  const found: unknown[] = [];
  // A Set iterates in insertion order and includes items added during the iteration.
  for (const value of seen) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, name)) found.push(Reflect.get(value, name));
    for (const within of value instanceof Set || value instanceof Map ? value.values() : Object.values(value)) seen.add(within);
  }
  return found;
};

const PATH = "/harga-emas";
const source: DealerSource = {
  key: "galeri24",
  country: "ID",
  dealer: "Galeri 24",
  kind: "dealer",
  taxIncluded: false,
  url: `https://galeri24.co.id${PATH}`,
};

/** The shop's own bars are always listed; everything beyond these makers is gifts and coins. */
const OWN = "GALERI 24";
const MAKERS = [OWN, "ANTAM", "UBS"];

const list = z.array(z.looseObject({ vendorName: z.string() }));
const bar = z.object({
  vendorName: z.string(),
  /** Weight of the bar, in grams. */
  denomination: figureText,
  sellingPrice: figureText,
  buybackPrice: sideText,
  date: z.iso.date().optional(),
});
type Bar = z.output<typeof bar>;

const productOf = ({ vendorName, denomination }: Pick<Bar, "vendorName" | "denomination">): DealerProduct => ({
  id: `${vendorName.toLowerCase().replaceAll(" ", "")}-${denomination}-gram`,
  product: `${vendorName} ${denomination} g`,
  form: "bar",
  karat: 24,
  fineness: null,
  weight: denomination,
  weightUnit: "gram",
});

/**
 * Every bar of the known makers, from the data the page embeds for its script.
 * @throws FeedError when it is missing, has none of the shop's own bars, or two prices of one
 */
export const parseGaleri24 = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const [prices] = valuesNamed(readNuxt(readHtml(text)), "goldPrice");
  if (prices === undefined) throw missing("list goldPrice");
  const ofMakers = shaped(prices, list).filter(({ vendorName }) => MAKERS.includes(vendorName));
  const bars = shaped(ofMakers, z.array(bar));
  if (!bars.some(({ vendorName }) => vendorName === OWN)) throw missing(`bar of ${OWN}`);
  const observations = bars.map(({ date, sellingPrice, buybackPrice, ...each }) => {
    const observedAtMs = date === undefined ? receivedAtMs : withinDay("Asia/Jakarta", date, receivedAtMs);
    return dealerObservation(source, productOf(each), { sell: sellingPrice, buyback: buybackPrice, observedAtMs });
  });
  const twice = observations.find(({ quote }, index) => observations.findIndex((other) => other.quote.id === quote.id) < index);
  if (twice) throw new FeedError("payload", `the page has two prices of ${twice.quote.product}`);
  return observations;
};

/** The feed; prices are set once a day. */
export const galeri24: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "PT Pegadaian Galeri Dua Empat",
  terms: "The shop's own price page; silent on redistribution.",
  intervalMs: 900_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://galeri24.co.id",
  request: { path: PATH, expect: "html" },
  parse: parseGaleri24,
});
