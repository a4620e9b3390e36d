/** Galeri24 in Indonesia: bars of three makers in IDR, each weight priced separately, both sides. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import type { Feed } from "../../feed/feed.ts";
import { SHOP_FRESH_MS } from "../../feed/freshness.ts";
import { missing, readHtml } from "../../payload/html.ts";
import { shaped } from "../../payload/json.ts";
import { withinDay } from "../../payload/local-day.ts";
import { readNuxt, valuesNamed } from "../../payload/nuxt.ts";
import { figureText, sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

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
  /** The date of the price. */
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
