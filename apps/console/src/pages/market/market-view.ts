/** What the market page shows, whether it comes from the shared document or with a key. */

import type { TierName } from "@assay/sdk";
import type { Wire } from "@assay/sdk/trpc";
import { useUsage } from "../../data/account.ts";
import { type Answer, useAnswer } from "../../data/answers.ts";
import type { FrontDocument } from "../../data/document-shape.ts";
import { useFrontDocument } from "../../data/front-document.ts";
import { key } from "../../data/key.ts";
import { useStatus } from "../../data/service-state.ts";
import { conversion, metal, priced, symbol, type Weight, weighed } from "./choices.ts";

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

/** The page's figures. */
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
  readonly document: FrontDocument | undefined;
  /** Whether the chosen metal is left out without a key, so that there is nothing to wait for. */
  readonly isLeftOut: boolean;
  readonly error: Error | null;
  readonly askAgain: () => void;
}

const EVERY_SECONDS = 10;

const weightOf = (row: Row | undefined, weight: Weight | "pound"): string | undefined => {
  if (weight === "gram") return row?.price_gram_24k;
  if (weight === "kg") return row?.price_kilogram;
  if (weight === "tola") return row?.price_tola;
  return row?.price;
};

type DayFigure = "open_price" | "high_price" | "low_price" | "prev_close_price" | "ch" | "chp";
type DayFigures = { readonly [Name in DayFigure]?: string | undefined };

const dayOf = (from: DayFigures | undefined): Day | null =>
  from?.open_price === undefined && from?.prev_close_price === undefined
    ? null
    : {
        ...{ open: from.open_price, high: from.high_price, low: from.low_price, previousClose: from.prev_close_price },
        ...{ change: from.ch, changePercent: from.chp },
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

const withoutKey = ({ data: document, error, askAgain }: Answer<FrontDocument>): MarketView => {
  const row = find(document, metal.value, priced.value);
  const isInDollars = priced.value === "USD";
  return {
    ...{ row, error, askAgain, document, tier: "free", isDelayed: true },
    isLeftOut: document !== undefined && row === undefined,
    dollars: find(document, metal.value, "USD"),
    price: weightOf(row, weighed.value),
    day: isInDollars ? dayOf(document?.days.find((day) => day.symbol === symbol.value)) : null,
    mode: document?.mode ?? null,
    state: document?.market.state ?? null,
  };
};

/** The page's figures, kept up to date. */
export const useMarketView = (): MarketView => {
  const isKeyed = key.value !== null;
  const document = useFrontDocument(!isKeyed);
  const usage = useUsage();
  const status = useStatus(isKeyed);
  const row = useRow(symbol.value, isKeyed);
  const dollars = useRow(`${metal.value}-USD-SPOT`, isKeyed);
  const isInRow = weighed.value === "oz" || weighed.value === "pound" || (weighed.value === "gram" && metal.value === "XAU");
  const converted = useConverted(isKeyed && !isInRow);
  if (!isKeyed) return withoutKey(document);
  const tier = usage.data?.tier ?? "free";
  return {
    row: row.data,
    dollars: dollars.data,
    price: isInRow ? weightOf(row.data, weighed.value) : converted.data?.result,
    day: dayOf(row.data),
    mode: document.data?.mode ?? null,
    state: status.data?.market.state ?? null,
    isDelayed: usage.data !== undefined && tier === "free",
    ...{ tier, document: undefined, isLeftOut: false },
    error: row.error ?? (isInRow ? null : converted.error),
    askAgain: row.askAgain,
  };
};
