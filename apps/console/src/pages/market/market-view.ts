/** What the market page shows, whether it comes from the shared document or from the routes. */
import type { TierName } from "@assay/sdk";
import type { Wire } from "@assay/sdk/trpc";
import { isAsking, opens, openTier } from "../../data/access.ts";
import { type Answer, useAnswer } from "../../data/answers.ts";
import { key } from "../../data/key.ts";
import type { FrontDocument } from "../../data/questions.ts";
import { useFrontDocument, useStatus, useUsage } from "../../data/questions.ts";
import { forWeight } from "../../figures/exact.ts";
import {
  conversion,
  grams,
  isInAll,
  isInRow,
  isOwnWeight,
  isPublished,
  metal,
  ownGrams,
  priced,
  series,
  symbol,
  weighed,
} from "./choices.ts";

/** A row of prices, with or without a key. */
export type Row = Wire.SpotRow & { readonly price_kilogram?: string | undefined; readonly price_tola?: string | undefined };

/** The day of a symbol in its own currency, as far as it is known. */
export interface Day {
  readonly open: string | undefined;
  readonly high: string | undefined;
  readonly low: string | undefined;
  readonly previousClose: string | undefined;
  readonly change: string | undefined;
  readonly changePercent: string | undefined;
}

export interface MarketView {
  readonly row: Row | undefined;
  /** The row in dollars, which has the sources. */
  readonly dollars: Row | undefined;
  /** The price for the chosen weight, as published; undefined until it is there. */
  readonly price: string | undefined;
  readonly day: Day | null;
  readonly mode: "simulated" | "replay" | "live" | null;
  readonly state: "open" | "closed" | null;
  /** Whether prices are late on purpose. */
  readonly isDelayed: boolean;
  readonly tier: TierName;
  /** Whether that is the key's own, and not what stands in until it is known. */
  readonly isTierKnown: boolean;
  /** Whether the key may follow a stream; null until it is known. */
  readonly hasStreams: boolean | null;
  readonly document: FrontDocument | undefined;
  /** Whether the chosen metal is left out without a key, so that there is nothing to wait for. */
  readonly isLeftOut: boolean;
  readonly error: Error | null;
  readonly askAgain: () => void;
}

/** How often the page is read again. */
export const EVERY_SECONDS = 10;

/** A figure of the row for the chosen weight. */
export const weighing = (figure: string | undefined): string | undefined =>
  figure === undefined || isOwnWeight.value ? figure : forWeight(figure, grams.value, ownGrams.value);

/** A kilogram's price has more digits to divide than an ounce's. */
const GRAMS_A_KILOGRAM = "1000";

/** The price without a key: the document has it for three weights as published, and for the others it is worked out. */
const weightOf = (row: Row | undefined): string | undefined => {
  if (isOwnWeight.value || row === undefined) return row?.price;
  const { price_gram_24k: gram, price_tola: tola, price_kilogram: kilogram } = row;
  const published = { gram, tola, kg: kilogram }[weighed.value];
  return published ?? (kilogram === undefined ? weighing(row.price) : forWeight(kilogram, grams.value, GRAMS_A_KILOGRAM));
};

type DayFigure = "open_price" | "high_price" | "low_price" | "prev_close_price" | "ch" | "chp";
type DayFigures = { readonly [Name in DayFigure]?: string | undefined };

const dayOf = (from: DayFigures | undefined): Day | null =>
  from?.open_price === undefined && from?.prev_close_price === undefined
    ? null
    : {
        open: weighing(from.open_price),
        high: weighing(from.high_price),
        low: weighing(from.low_price),
        previousClose: weighing(from.prev_close_price),
        change: weighing(from.ch),
        changePercent: from.chp,
      };

const find = (document: FrontDocument | undefined, code: string, inCurrency: string): Row | undefined =>
  document?.symbols.find((row) => row.symbol === code && row.quote_currency === inCurrency && row.contract_type === "spot") as
    | Row
    | undefined; // the document's rows are those of the price routes

/** A row with everything the tier may see of it. */
const useRow = (name: string, isWanted: boolean): Answer<Wire.SpotRow> =>
  useAnswer(["spot", name], (api, options) => api.spot.get.query({ symbol: name, include: "all" }, options), {
    everySeconds: EVERY_SECONDS,
    isWanted,
  });

/** The weights that rows do not have are conversions. */
const useConverted = (isWanted: boolean): Answer<Wire.Conversion> => {
  const question = conversion.value;
  const { from, to, amount, unit } = question;
  return useAnswer(["convert", from, to, amount, unit], (api, options) => api.convert.get.query(question, options), {
    everySeconds: EVERY_SECONDS,
    isWanted,
  });
};

const fromDocument = ({ data: document, error, askAgain }: Answer<FrontDocument>): MarketView => {
  const row = find(document, metal.value, isInAll.value ? priced.value : "USD");
  return {
    row,
    error,
    askAgain,
    document,
    tier: "free",
    isTierKnown: true,
    hasStreams: false,
    isDelayed: true,
    isLeftOut: document !== undefined && row === undefined,
    dollars: find(document, metal.value, "USD"),
    price: weightOf(row),
    day: dayOf(document?.days.find((day) => day.symbol === symbol.value)),
    mode: document?.mode ?? null,
    state: document?.market.state ?? null,
  };
};

/** Where it cannot be known the service is asked, and says so itself. */
const hasStreamsOf = ({ data: usage, error }: Answer<Wire.Usage>): boolean | null => {
  if (key.value === null) return opens("stream.sse");
  return usage === undefined ? (error === null ? null : true) : usage.max_streams !== null;
};

/** The page's figures, kept up to date. */
export const useMarketView = (): MarketView => {
  const asks = isAsking.value;
  const document = useFrontDocument(!asks);
  const usage = useUsage();
  const status = useStatus(asks);
  const row = useRow(symbol.value, asks);
  const dollars = useRow(series.value, asks);
  const converted = useConverted(asks && !isPublished.value);
  if (!asks) return fromDocument(document);
  const tier = openTier.value ?? usage.data?.tier ?? "free";
  return {
    row: row.data,
    dollars: dollars.data,
    price: isPublished.value ? weightOf(row.data) : converted.data?.result,
    // The day of a row is none in a currency that has no row.
    day: isInRow.value ? dayOf(row.data) : null,
    mode: document.data?.mode ?? null,
    state: status.data?.market.state ?? null,
    isDelayed: usage.data !== undefined && tier === "free",
    tier,
    isTierKnown: openTier.value !== null || usage.data !== undefined || usage.error !== null,
    hasStreams: hasStreamsOf(usage),
    document: undefined,
    isLeftOut: false,
    error: row.error ?? (isPublished.value ? null : converted.error),
    askAgain: row.askAgain,
  };
};
