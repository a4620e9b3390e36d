/**
 * Bullion dealers of India on the VOTS platform: tab-separated rows in INR, with different rows per dealer. Two are built in; others
 * come from the operator's list, which is validated as a whole before any dealer is polled.
 */
import { readFileSync } from "node:fs";
import { DEALER_FORMS, DEALER_WEIGHT_UNITS } from "@assay/contract";
import type { DealerObservation } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import type { Feed } from "../../feed/feed.ts";
import { isPublishedFigure, sideText } from "../../payload/published.ts";
import { type DealerProduct, type DealerSource, dealerFeed, dealerObservation } from "./dealer-source.ts";

interface VotsRow extends DealerProduct {
  /** The row's number, assigned by the dealer. */
  readonly row: string;
  /** The prefix of the row's name, to detect a number reassigned to another product. */
  readonly name: string;
}

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

const THREE_NINES = { karat: 24, fineness: "999", weight: "10", weightUnit: "gram" } as const;

/** Arihant, in Mumbai; prices include sales tax. */
export const ARIHANT: VotsDealer = {
  key: "vots-arihant",
  dealer: "Arihant Spot",
  url: "https://www.arihantspot.in",
  baseUrl: "https://bcast.arihantspot.com:7768",
  template: "arihant",
  rows: [
    {
      row: "2728",
      name: "GOLD 999 WITH GST",
      id: "gold-999-gst",
      product: "Gold 999 with GST, per 10 g",
      form: "bar",
      taxIncluded: true,
      ...THREE_NINES,
    },
  ],
};

/** Navkar, in Mumbai. */
export const NAVKAR: VotsDealer = {
  key: "vots-navkar",
  dealer: "Navkar Gold",
  url: "https://navkargold.com",
  baseUrl: "https://bcast.navkargold.com:7768",
  template: "navkar",
  rows: [
    {
      row: "7594",
      name: "GOLD 999 IMP",
      id: "gold-999",
      product: "Gold 999 imported, per 10 g",
      form: "bar",
      ...THREE_NINES,
    },
  ],
};

/** The dealers that need no configuration. */
export const VOTS_DEALERS: readonly VotsDealer[] = [ARIHANT, NAVKAR];

const MAX_DEALERS = 50;
const MAX_ROWS = 50;

const phrase = z.string().trim().min(1, "is empty").max(120, "is longer than 120");
const word = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by -");
const figure = z.string().refine(isPublishedFigure, "must be a positive figure, as text");
const webUrl = z.url({ protocol: /^https?$/, error: "must be a URL of http or https" });
const origin = webUrl
  .refine((text) => /^https?:\/\/[^/?#@]+\/?$/.test(text), "must be scheme, host and port alone")
  .transform((text) => text.replace(/\/$/, ""));

const row = z
  .strictObject({
    row: z.string().regex(/^[0-9]{1,9}$/, "must be the row's number, as text"),
    name: phrase,
    id: word,
    product: phrase,
    form: z.enum(DEALER_FORMS),
    karat: z.number().positive().max(24),
    fineness: figure.nullable(),
    weight: figure,
    weight_unit: z.enum(DEALER_WEIGHT_UNITS),
    tax_included: z.boolean(),
  })
  .transform(({ weight_unit: weightUnit, tax_included: taxIncluded, ...rest }) => ({ ...rest, weightUnit, taxIncluded }));

const dealer = z
  .strictObject({
    key: word.refine((key) => key.startsWith("vots-"), "must begin with vots-"),
    dealer: phrase,
    page: webUrl,
    url: origin,
    template: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be letters, digits, - and _"),
    rows: z.array(row).min(1).max(MAX_ROWS),
  })
  .refine(({ rows }) => new Set(rows.map(({ id }) => id)).size === rows.length, "has a row's id twice")
  .transform(({ page: url, url: baseUrl, ...rest }): VotsDealer => ({ ...rest, url: url.replace(/\/+$/, ""), baseUrl }));

const BUILT_IN = new Set(VOTS_DEALERS.map(({ key }) => key));
const file = z
  .array(dealer)
  .min(1)
  .max(MAX_DEALERS)
  .refine((dealers) => new Set(dealers.map(({ key }) => key)).size === dealers.length, "has a key twice")
  .refine((dealers) => dealers.every(({ key }) => !BUILT_IN.has(key)), "has the key of a dealer that is built in");

/** The dealers, or the error in the file. */
type VotsFile = { readonly ok: true; readonly dealers: readonly VotsDealer[] } | { readonly ok: false; readonly fault: string };

/**
 * Reads the file.
 * @returns the first error, with its location, when there is one
 */
export const readVotsFile = (path: string): VotsFile => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (thrown) {
    return { ok: false, fault: thrown instanceof SyntaxError ? "it is not JSON" : "it cannot be read" };
  }
  const read = file.safeParse(value);
  if (read.success) return { ok: true, dealers: read.data };
  const issue = read.error.issues[0];
  return { ok: false, fault: `${issue?.path.join(".") || "the list"} ${issue?.message ?? "is invalid"}` };
};
