/** Kalshi's series on metals, and their fees. */
import type { SurfaceMetal } from "@assay/contract";
import { type DigitalMarket, dec } from "@assay/pricing";
import { z } from "zod";
import { readJson } from "../../payload/json.ts";
import { amountNumber } from "../../payload/published.ts";

/** A series: the same question, repeated every hour, day, week, month or year. */
export interface KalshiSeries {
  readonly ticker: string;
  readonly metal: SurfaceMetal;
}

/**
 * Series whose markets settle on the price at their close. Those that ask whether a price is up or down from before are excluded:
 * they have no strike.
 */
export const KALSHI_SERIES: readonly KalshiSeries[] = [
  { ticker: "KXGOLDH", metal: "xau" },
  { ticker: "KXGOLDD", metal: "xau" },
  { ticker: "KXGOLDW", metal: "xau" },
  { ticker: "KXGOLDMON", metal: "xau" },
  { ticker: "KXGOLDDIRY", metal: "xau" },
  { ticker: "KXSILVERD", metal: "xag" },
  { ticker: "KXSILVERW", metal: "xag" },
];

/** A series's trading costs. */
export type KalshiFees = Pick<DigitalMarket, "feeModel" | "feeTerms">;

/** A series whose fees could not be read: its markets produce no signal. */
export const UNKNOWN_FEES: KalshiFees = { feeModel: "unknown" };

/** The general rate, which a series multiplies. */
const GENERAL_RATE = "0.07";
/** Makers' fees do not affect takers. */
const QUADRATIC = /^quadratic(_|$)/;

const body = z.object({ series: z.object({ ticker: z.string(), fee_type: z.string(), fee_multiplier: amountNumber }) });

/**
 * A series's fees; unknown where the formula is not the general one.
 * @throws FeedError when the body is not that series
 */
export const parseKalshiFees = (text: string, { ticker }: KalshiSeries): KalshiFees => {
  const schema = body.refine(({ series }) => series.ticker === ticker, {
    path: ["series", "ticker"],
    error: `must be ${ticker}`,
  });
  const { fee_type, fee_multiplier } = readJson(text, schema).series;
  if (!QUADRATIC.test(fee_type)) return UNKNOWN_FEES;
  return { feeModel: "kalshi", feeTerms: { rate: dec(GENERAL_RATE).mul(fee_multiplier).toFixed() } };
};
