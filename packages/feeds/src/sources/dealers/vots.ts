/** Bullion dealers of India on the VOTS platform: tab-separated rows in INR, with different rows per dealer. */
import type { DealerObservation } from "@assay/pricing";
import { FeedError } from "../../feed/error.ts";
import type { Feed } from "../../feed/feed.ts";
import { sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

/** A row of a dealer's list. */
export interface VotsRow extends DealerProduct {
  /** The row's number, assigned by the dealer. */
  readonly row: string;
  /** The prefix of the row's name, to detect a number reassigned to another product. */
  readonly name: string;
}

/** A dealer on the platform. */
export interface VotsDealer {
  readonly key: string;
  readonly dealer: string;
  /** A human-readable page. */
  readonly url: string;
  /** Scheme, host and port of its broadcast. */
  readonly baseUrl: string;
  /** The list's name in the path. */
  readonly template: string;
  readonly rows: readonly VotsRow[];
}

/** Number, name, buy, sell, high, low, and optionally a status. */
const LEAST_CELLS = 6;

const sourceOf = ({ key, dealer, url }: VotsDealer): DealerSource => ({
  key,
  country: "IN",
  dealer,
  kind: "dealer",
  taxIncluded: false,
  url,
});

const words = (text: string): string => text.trim().replaceAll(/\s+/g, " ").toUpperCase();

/** The cells of every row, by row number; a row may start with an empty cell. */
const rowsOf = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text
      .split(/\r?\n/)
      .map((line) => line.replace(/^\t+/, "").split("\t"))
      .filter(([row = ""]) => /^[0-9]+$/.test(row.trim()))
      .map((cells) => [(cells[0] ?? "").trim(), cells] as const),
  );

const sideOf = (row: string, name: string, cell: string | undefined): string | null => {
  const read = sideText.safeParse(cell);
  if (!read.success) throw new FeedError("payload", `unexpected ${name} of row ${row}: ${read.error.issues[0]?.message}`);
  return read.data;
};

/**
 * The dealer's quoted rows; buying and selling are from the dealer's side, and a side is a dash while closed. There is no
 * timestamp.
 * @returns nothing while the dealer is closed, which is no fault
 * @throws FeedError when a row is missing or belongs to another product
 */
export const parseVots = (text: string, dealer: VotsDealer, observedAtMs: number): readonly DealerObservation[] => {
  const published = rowsOf(text);
  const source = sourceOf(dealer);
  return dealer.rows.flatMap(({ row, name, ...product }) => {
    const cells = published.get(row);
    if (!cells) throw new FeedError("payload", `row ${row} is missing`);
    if (cells.length < LEAST_CELLS) throw new FeedError("payload", `row ${row} is cut short`);
    const [, title = "", buy, ask] = cells;
    if (!words(title).startsWith(words(name))) throw new FeedError("payload", `row ${row} is of another product`);
    const [sell, buyback] = [sideOf(row, "sell", ask), sideOf(row, "buy", buy)];
    return sell === null && buyback === null ? [] : [dealerObservation(source, product, { sell, buyback, observedAtMs })];
  });
};

/** The feed of a dealer. */
export const votsFeed = (dealer: VotsDealer): Feed =>
  dealerFeed({
    source: sourceOf(dealer),
    license: "undocumented",
    publisher: dealer.dealer,
    terms: "The request of the dealer's own page; silent on redistribution, may be withdrawn at any time.",
    // The dealers' own pages poll twice a second.
    intervalMs: 60_000,
    baseUrl: dealer.baseUrl,
    request: {
      path: `/VOTSBroadcastStreaming/Services/xml/GetLiveRateByTemplateID/${dealer.template}`,
      expect: "text",
      headers: { referer: `${dealer.url}/` },
    },
    parse: (text, receivedAtMs) => parseVots(text, dealer, receivedAtMs),
  });
