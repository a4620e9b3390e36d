/** The India Bullion and Jewellers Association's benchmark: gold per 10 g by fineness in INR, without GST, twice a business day. */
import type { DealerObservation } from "@assay/pricing";
import type { Document } from "domhandler";
import type { Feed } from "../../feed/feed.ts";
import { missing, readHtml, selectIn, shownText } from "../../payload/html.ts";
import { printedPrice } from "../../payload/printed-figure.ts";
import { type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "ibja",
  country: "IN",
  dealer: "India Bullion and Jewellers Association",
  kind: "benchmark",
  taxIncluded: false,
  url: "https://ibjarates.com/",
};

const PURITIES = [
  { fineness: "999", karat: 24, isRequired: true },
  { fineness: "995", karat: 24, isRequired: true },
  { fineness: "916", karat: 22, isRequired: true },
  { fineness: "750", karat: 18, isRequired: false },
  { fineness: "585", karat: 14, isRequired: false },
] as const;

/** A session's printed rate; empty before it is set, undefined where the page has no field for it. */
const session = (page: Document, fineness: string, name: "AM" | "PM"): string | undefined => {
  const [span] = selectIn(page, `#lblGold${fineness}_${name}`);
  return span && shownText(span);
};

/**
 * Each fineness at the day's latest rate: the afternoon's once it is set, otherwise the morning's.
 * @throws FeedError when 999, 995 or 916 has no rate, or a field is missing
 */
export const parseIbja = (text: string, receivedAtMs: number): readonly DealerObservation[] => {
  const page = readHtml(text);
  return PURITIES.flatMap(({ fineness, karat, isRequired }) => {
    const what = `rate of gold ${fineness}`;
    const [morning, afternoon] = [session(page, fineness, "AM"), session(page, fineness, "PM")];
    if (morning === undefined && afternoon === undefined && !isRequired) return [];
    if (morning === undefined || afternoon === undefined) throw missing(what);
    const latest = afternoon || morning;
    if (latest === "") throw missing(what);
    const sell = printedPrice(latest, what, { grouping: "comma" });
    const product = { id: `gold-${fineness}`, product: `Gold ${fineness}`, form: "reference", karat, fineness } as const;
    const prices = { sell, buyback: null, observedAtMs: receivedAtMs };
    return [dealerObservation(source, { ...product, weight: "10", weightUnit: "gram" }, prices)];
  });
};

/** The feed; the page's rates have no timestamp. */
export const ibja: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "India Bullion and Jewellers Association Ltd.",
  terms: "The association's public page; it sells a feed of its own, so ask it before serving third parties.",
  intervalMs: 900_000,
  baseUrl: "https://ibjarates.com",
  request: { path: "/", expect: "html", browserLike: true },
  parse: parseIbja,
});
