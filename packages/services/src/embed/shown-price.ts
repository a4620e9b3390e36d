/** The price that a badge or an embedded page shows, in its reader's digits. */
import { hash } from "node:crypto";
import { catalogue } from "@assay/catalogue";
import {
  type AssayPages,
  CURRENCIES,
  type Currency,
  type DecimalText,
  Encoded,
  type MarketMode,
  MINUTE_MS,
  readCurrency,
  unsupportedCurrency,
  type Verb,
} from "@assay/contract";
import {
  measuredPrice,
  measureOf,
  metalUnit,
  type PriceSymbol,
  presentCrossed,
  purityShare,
  readPriceSymbol,
  type StaleReason,
} from "@assay/pricing";
import { LRUCache } from "lru-cache";
import { asOf, requireSymbol } from "../access/gate.ts";
import type { Caller, ServiceDeps, VerbContext } from "../context.ts";
import { refuseParameter } from "../input.ts";
import { marketMode } from "../market/writer-report.ts";
import { type Sparkline, sparklineOf } from "./sparkline.ts";
import { type ShownLanguage, WORDS, writtenCount } from "./words.ts";

type Route = AssayPages["badge"]["get"] | AssayPages["embed"]["get"];

export interface ShownPrice {
  /** The metal's name in lower case. */
  readonly metal: string;
  readonly currency: Currency;
  readonly unit: string;
  /** In parts of 24; null for pure metal. */
  readonly karat: number | null;
  /** Null when there is none. */
  readonly price: DecimalText | null;
  readonly computedAtMs: number | null;
  /** Why the price is stale; null when it is not. */
  readonly stale: StaleReason | null;
  readonly delayMinutes: number;
  readonly mode: MarketMode;
  /** Null where nobody asked for one: English, and figures as published. */
  readonly language: ShownLanguage | null;
  /** Null for the page's own. */
  readonly theme: "light" | "dark" | null;
  /** Null where it is not drawn, or nothing is known of the days before. */
  readonly line: Sparkline | null;
}

export type ShownPriceDeps = Pick<ServiceDeps, "market" | "live" | "catalog" | "disabled">;

const METAL_NAMES = catalogue.spotMetals.map(({ name }) => name).join(", ");

/** How long an answer is reused. */
const REUSE_MS = 10_000;
/** Answers kept: what is asked for is others' choice. */
const MAX_KEPT = 500;

interface Rendering {
  /** Whether it has the line of the days before. */
  readonly hasLine: boolean;
  readonly render: (shown: ShownPrice) => { readonly body: string; readonly headers: Readonly<Record<string, string>> };
}

interface PriceOptions extends Pick<ShownPrice, "unit" | "karat" | "language" | "theme"> {
  readonly symbol: PriceSymbol;
}

/** Creates the verb of a route that shows one price. */
export const showingPrice = (
  { market, live, catalog, disabled }: ShownPriceDeps,
  { hasLine, render }: Rendering,
): Verb<Route, VerbContext> => {
  const modeNow = marketMode(live);
  const isDrawn = hasLine && !disabled.has("bars");

  const shownAt = async ({ symbol, ...options }: PriceOptions, caller: Caller, asOfMs: number): Promise<ShownPrice> => {
    const { price, rate, stale } = market.standingOf(symbol, asOfMs);
    const known = price === null || rate === null ? null : { usd: price.price, rate, computedAtMs: price.computedAtMs };
    const isOwn = options.karat === null && options.unit === metalUnit(symbol.metal);
    const measure = measureOf(symbol.metal, options.unit, purityShare({ karat: options.karat ?? undefined }));
    return {
      ...options,
      metal: catalogue.metal(symbol.metal).name,
      currency: symbol.currency,
      // As the routes show it, to the digit.
      price: known && (isOwn ? presentCrossed(known.usd, known.rate) : measuredPrice(known.usd, known.rate, measure)),
      computedAtMs: known?.computedAtMs ?? null,
      stale: stale.isStale ? stale.reason : null,
      delayMinutes: caller.reach.delayMs / MINUTE_MS,
      mode: await modeNow(),
      line: isDrawn ? await sparklineOf(market, { symbol, caller, asOfMs, newest: known }) : null,
    };
  };

  const kept = new LRUCache<string, { readonly startMs: number; readonly answer: Promise<Encoded<string>> }>({ max: MAX_KEPT });
  const make = async (options: PriceOptions, caller: Caller, startMs: number): Promise<Encoded<string>> => {
    const { body, headers } = render(await shownAt(options, caller, asOf(caller, startMs)));
    return new Encoded(body, { etag: `"${hash("sha256", body).slice(0, 32)}"` }, headers);
  };

  return (input, { caller, nowMs, fail }) => {
    const reading = readPriceSymbol(input.metal);
    if (reading.kind !== "known") return fail("not_found", { message: `There is no such metal; use one of ${METAL_NAMES}.` });
    requireSymbol(catalog, caller, reading.entry, fail);
    const wanted = input.currency ?? reading.entry.currency;
    const currency = readCurrency(wanted);
    if (!currency) return fail("unsupported_currency", { message: unsupportedCurrency("currency", wanted, CURRENCIES) });
    const { metal } = reading.entry;
    const { unit = metalUnit(metal), karat = null, lang: language = null, theme = null } = input;
    if (karat !== null && !catalogue.metal(metal).karats) return refuseParameter(fail, "karat", "is a purity of gold");
    const startMs = Math.floor(nowMs / REUSE_MS) * REUSE_MS;
    const name = [reading.entry.instrument, currency, unit, karat, language, theme].join(" ");
    const known = kept.get(name);
    if (known?.startMs === startMs) return known.answer;
    // The route takes no key, so all its callers see the same.
    const answer = make({ symbol: { ...reading.entry, currency }, unit, karat, language, theme }, caller, startMs);
    kept.set(name, { startMs, answer });
    return answer;
  };
};

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const capital = (text: string, language: ShownLanguage): string =>
  `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}`;

/** The metal, with its purity. */
export const subjectOf = ({ metal, karat }: Pick<ShownPrice, "metal" | "karat">, language: ShownLanguage): string => {
  const words = WORDS[language];
  const name = capital(words.metals[metal] ?? metal, language);
  return karat === null ? name : `${name} ${words.karat(writtenCount(karat, language))}`;
};

/** A unit in a language, or else by the catalogue's name. */
export const unitNamed = (unit: string, language: ShownLanguage): string =>
  WORDS[language].units[unit] ?? catalogue.rows.units.find(({ code }) => code === unit)?.name ?? unit;

/** Whether the figure is no market price; empty for one that is. */
export const originOf = ({ mode }: Pick<ShownPrice, "mode">, language: ShownLanguage): string => {
  const { simulated, replay } = WORDS[language];
  return mode === "live" ? "" : mode === "replay" ? replay : simulated;
};

export const latenessOf = ({ delayMinutes }: Pick<ShownPrice, "delayMinutes">, language: ShownLanguage): string => {
  const { live, late } = WORDS[language];
  return delayMinutes === 0 ? live : late(writtenCount(delayMinutes, language));
};
