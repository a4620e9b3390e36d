/** Polymarket's events with their markets: JSON in which some fields contain JSON as text. */
import { DAY_MS, type DecimalText } from "@assay/contract";
import type { DigitalMarket } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import type { FeedContext } from "../../feed/feed.ts";
import { readJson, shaped } from "../../payload/json.ts";
import { amountNumber, figureNumber, isoInstant } from "../../payload/published.ts";
import type { MonthlyEvent } from "./polymarket-events.ts";
import { strikeOf } from "./polymarket-strike.ts";
import { readEach } from "./read-each.ts";

/** A trading market, without its book. */
export type TradedMarket = Omit<DigitalMarket, "book" | "retrievedAtMs"> & {
  /** The token that pays on yes. */
  readonly yesToken: string;
};

/** Tolerance for an event's end date, which has day precision and another time zone; beyond it the event is of another month. */
const END_WITHIN_MS = 4 * DAY_MS;
/** Larger than in any existing fee schedule. */
const LARGEST_EXPONENT = 8;

/** A JSON list of strings within a string. */
const listInText = z
  .string("must be text")
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message: "must hold JSON" });
      return z.NEVER;
    }
  })
  .pipe(z.array(z.string()));

const event = z.object({ slug: z.string(), endDate: isoInstant.nullish(), markets: z.array(z.unknown()) });
const flag = z
  .boolean("must be true or false")
  .nullish()
  .transform((value) => value === true);
const state = z.object({ closed: flag, enableOrderBook: flag, acceptingOrders: flag });
const market = z.object({
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,127}$/, "must be a slug"),
  question: z.string(),
  groupItemTitle: z.string(),
  outcomes: listInText,
  clobTokenIds: listInText,
  feesEnabled: z.boolean().nullish(),
  feeSchedule: z.object({ rate: amountNumber, exponent: amountNumber }).nullish(),
  orderMinSize: figureNumber.nullish(),
  // Display only; a missing value does not reject the market.
  volumeNum: amountNumber.nullish().catch(null),
});
type Market = z.output<typeof market>;

/** The token of the outcome Yes, at any position. */
const yesTokenOf = ({ outcomes, clobTokenIds }: Market): string => {
  const token = clobTokenIds[outcomes.indexOf("Yes")];
  const isPair = outcomes.length === 2 && clobTokenIds.length === 2 && outcomes.includes("No");
  if (!isPair || token === undefined || !/^[0-9]{1,80}$/.test(token)) {
    throw new FeedError("payload", "unexpected outcomes: must be Yes and No with a token each");
  }
  return token;
};

/** The market's stated fees; unknown where it has fees but does not say which. */
const feesOf = ({ feesEnabled, feeSchedule, orderMinSize }: Market): Pick<DigitalMarket, "feeModel" | "feeTerms"> => {
  const least: { leastContracts?: DecimalText } = orderMinSize ? { leastContracts: orderMinSize } : {};
  if (feesEnabled === false) return { feeModel: "polymarket", feeTerms: { rate: "0", ...least } };
  const exponent = Number(feeSchedule?.exponent);
  if (!feeSchedule || !Number.isInteger(exponent) || exponent > LARGEST_EXPONENT) return { feeModel: "unknown" };
  return { feeModel: "polymarket", feeTerms: { rate: feeSchedule.rate, exponent, ...least } };
};

const marketOf = (value: unknown, { form, metal, reference, expiresAtMs }: MonthlyEvent): TradedMarket | null => {
  const { closed, enableOrderBook, acceptingOrders } = shaped(value, state);
  if (closed || !enableOrderBook || !acceptingOrders) return null;
  const read = shaped(value, market);
  const found = strikeOf(form, read.groupItemTitle, read.question);
  if (!found) return null;
  return {
    venue: "polymarket",
    marketId: read.slug,
    metal,
    ...found,
    expiresAtMs,
    reference,
    ...feesOf(read),
    volumeUsd: read.volumeNum ?? null,
    yesToken: yesTokenOf(read),
  };
};

/**
 * The trading markets that pay above one strike, or on reaching it, of the requested events.
 * @param asked the possible events
 * @throws FeedError when the body is not a list of events, or none can be parsed
 */
export const parsePolymarketEvents = (
  text: string,
  asked: readonly MonthlyEvent[],
  partial: FeedContext["partial"],
): TradedMarket[] => {
  const known = new Map(asked.map((each) => [each.slug, each]));
  const read = (value: unknown): TradedMarket[] => {
    const { slug, endDate, markets } = shaped(value, event);
    const ours = known.get(slug);
    if (!ours) return [];
    if (endDate && Math.abs(endDate - ours.expiresAtMs) > END_WITHIN_MS) {
      throw new FeedError("payload", "unexpected endDate: must be the end of the month in the slug");
    }
    return readEach(markets, "market", (each) => marketOf(each, ours), partial);
  };
  return readEach(readJson(text, z.array(z.unknown())), "event", read, partial).flat();
};
