/** PNJ in Vietnam: bars, plain rings and 24-karat jewellery in VND per chi, published in thousands. */
import { type DealerObservation, shiftPoint } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { type Feed, SHOP_FRESH_MS } from "../../feed/feed.ts";
import { readJson } from "../../payload/body.ts";
import { DAY_FIRST, localInstant } from "../../payload/local-time.ts";
import { sideNumber } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

const source: DealerSource = {
  key: "pnj",
  country: "VN",
  dealer: "PNJ",
  kind: "dealer",
  taxIncluded: false,
  url: "https://giavang.pnj.com.vn",
};

const FOUR_NINES = { karat: 24, fineness: "999.9", weight: "1", weightUnit: "chi" } as const;
/** Products of four nines, by the publisher's code. */
const PRODUCTS: ReadonlyMap<string, DealerProduct> = new Map([
  ["SJC", { id: "sjc-chi", product: "Vàng miếng SJC 999.9", form: "bar", ...FOUR_NINES }],
  ["N24K", { id: "ring-chi", product: "Nhẫn trơn PNJ 999.9", form: "jewellery", ...FOUR_NINES }],
  ["24K", { id: "jewellery-chi", product: "Vàng nữ trang 999.9", form: "jewellery", ...FOUR_NINES }],
]);

/** Prices are published without the last three digits. */
const THOUSANDS = 3;

const row = z.object({ masp: z.string("must be text"), tensp: z.string("must be text"), giaban: sideNumber, giamua: sideNumber });
const body = z.object({
  data: z.array(row),
  updateDate: localInstant("Asia/Ho_Chi_Minh", DAY_FIRST),
});

const inDong = (price: string | null): string | null => (price === null ? null : shiftPoint(price, THOUSANDS));

const productOf = ({ masp, tensp }: z.output<typeof row>): DealerProduct | undefined => {
  const product = PRODUCTS.get(masp);
  if (product && !/999[.,]9/.test(tensp)) throw new FeedError("payload", `unexpected ${masp}: must be of 999.9`);
  return product;
};

/**
 * The products of four nines that have a price; `giaban` is what a customer pays.
 * @throws FeedError when there is none, or a fineness does not match its code
 */
export const parsePnj = (text: string): readonly DealerObservation[] => {
  const { data, updateDate: observedAtMs } = readJson(text, body);
  const found = data.flatMap((one) => {
    const product = productOf(one);
    const [sell, buyback] = [inDong(one.giaban), inDong(one.giamua)];
    if (!product || (sell === null && buyback === null)) return [];
    return [dealerObservation(source, product, { sell, buyback, observedAtMs })];
  });
  if (found.length === 0) throw new FeedError("payload", "no price of 999.9 gold");
  return found;
};

export const pnj: Feed = dealerFeed({
  source,
  license: "undocumented",
  publisher: "Phu Nhuan Jewelry Joint Stock Company",
  terms: "The request of the shop's own page; silent on redistribution, may be withdrawn at any time.",
  intervalMs: 300_000,
  freshForMs: SHOP_FRESH_MS,
  baseUrl: "https://edge-api.pnj.io",
  request: { path: "/ecom-frontend/v1/get-gold-price?zone=00", expect: "json" },
  parse: parsePnj,
});
