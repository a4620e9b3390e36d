/** Bao Tin Minh Chau in Vietnam: bars and plain rings in VND per chi; requires an operator's key. */
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { DAY_FIRST, localInstant } from "../../payload/local-time.ts";
import { sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

export const BTMC = "btmc";
const source: DealerSource = {
  key: BTMC,
  country: "VN",
  dealer: "Bảo Tín Minh Châu",
  kind: "dealer",
  taxIncluded: false,
  url: "https://btmc.vn",
};

const FOUR_NINES = { karat: 24, fineness: "999.9", weight: "1", weightUnit: "chi" } as const;
/** Products of four nines, by name prefix. */
const PRODUCTS: readonly (readonly [name: string, product: DealerProduct])[] = [
  ["VÀNG MIẾNG SJC", { id: "sjc-chi", product: "Vàng miếng SJC", form: "bar", ...FOUR_NINES }],
  ["VÀNG MIẾNG VRTL", { id: "bar-chi", product: "Vàng miếng Rồng Thăng Long", form: "bar", ...FOUR_NINES }],
  ["NHẪN TRÒN TRƠN", { id: "ring-chi", product: "Nhẫn tròn trơn Rồng Thăng Long", form: "jewellery", ...FOUR_NINES }],
];

/** Every field's name ends in its row number. */
const row = z.record(z.string(), z.string("must be text"));
const body = z.object({ DataList: z.object({ Data: z.union([z.array(row), row.transform((only) => [only])]) }) });
const prices = z.object({
  h: z.literal("999.9", "must be of 999.9"),
  ps: sideText,
  pb: sideText,
  d: localInstant("Asia/Ho_Chi_Minh", DAY_FIRST),
});

const quoteOf = (fields: z.output<typeof row>): DealerObservation | null => {
  const number = fields["@row"];
  const field = (name: string): string | undefined => fields[`@${name}_${number}`];
  const title = (field("n") ?? "").normalize("NFC").trim().toUpperCase();
  const product = PRODUCTS.find(([name]) => title.startsWith(name))?.[1];
  if (!product) return null;
  const read = prices.safeParse({ h: field("h"), ps: field("ps"), pb: field("pb"), d: field("d") });
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new FeedError("payload", `unexpected ${issue?.path.join(".")} of row ${Number(number)}: ${issue?.message}`);
  }
  const { ps: sell, pb: buyback, d: observedAtMs } = read.data;
  return sell === null && buyback === null ? null : dealerObservation(source, product, { sell, buyback, observedAtMs });
};

/**
 * The newest price of each four-nines product; the list covers the whole day. `ps` is what a customer pays.
 * @throws FeedError when there is none, or a field is missing
 */
export const parseBtmc = (text: string): readonly DealerObservation[] => {
  const newest = new Map<string, DealerObservation>();
  for (const found of readJson(text, body).DataList.Data.map(quoteOf)) {
    if (found && found.observedAtMs > (newest.get(found.quote.id)?.observedAtMs ?? 0)) newest.set(found.quote.id, found);
  }
  if (newest.size === 0) throw new FeedError("payload", "no price of 999.9 gold");
  return [...newest.values()];
};

/**
 * The feed with a key, which the publisher accepts only in the query.
 * @param key the operator's
 */
export const btmc = (key: string): Feed =>
  dealerFeed({
    source,
    license: "operator-licence",
    publisher: "Bảo Tín Minh Châu",
    terms: "Needs the operator's key and is answered in Vietnam alone, without encryption; silent on redistribution.",
    intervalMs: 300_000,
    freshForMs: SHOP_FRESH_MS,
    baseUrl: "http://api.btmc.vn",
    request: { path: `/api/BTMCAPI/getpricebtmc?key=${encodeURIComponent(key)}`, expect: "json" },
    parse: parseBtmc,
  });
