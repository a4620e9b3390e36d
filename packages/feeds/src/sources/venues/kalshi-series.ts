/** Kalshi's series on metals, and what a series says of its fees. */
import type { SurfaceMetal } from "@assay/contract";
import { type DigitalMarket, dec } from "@assay/pricing";
import { z } from "zod";
import { readJson } from "../../payload/json.ts";
import { amountNumber } from "../../payload/published.ts";

/** A series: the same question, asked every hour, day, week, month or year. */
export interface KalshiSeries {
  readonly ticker: string;
  readonly metal: SurfaceMetal;
}

/**
 * The series whose markets pay by the price at one instant, that of their close. Those that ask whether a price is up or down from
 * before are left out: they have no strike.
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

/** What trading costs in a series. */
export type KalshiFees = Pick<DigitalMarket, "feeModel" | "feeTerms">;

/** A series whose fees could not be read: its markets make no signal. */
export const UNKNOWN_FEES: KalshiFees = { feeModel: "unknown" };

/** The general rate, of which a series charges a multiple. */
const GENERAL_RATE = "0.07";
/** Makers' fees do not concern who takes. */
const QUADRATIC = /^quadratic(_|$)/;

const body = z.object({ series: z.object({ ticker: z.string(), fee_type: z.string(), fee_multiplier: amountNumber }) });

/**
 * What a series charges; unknown where it is by another formula than the general one.
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
