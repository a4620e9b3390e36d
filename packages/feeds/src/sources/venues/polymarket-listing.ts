/** Polymarket's events with their markets: JSON in which some fields are JSON again, as text. */
import type { DecimalText } from "@assay/contract";
import type { DigitalMarket } from "@assay/pricing";
import { z } from "zod";
import type { FeedContext } from "../../feed.ts";
import { FeedError } from "../../feed-error.ts";
import { readJson, shaped } from "../../payload/json.ts";
import { amountNumber, figureNumber, isoInstant } from "../../payload/published.ts";
import type { MonthlyEvent } from "./polymarket-events.ts";
import { strikeOf } from "./polymarket-strike.ts";
import { readEach } from "./read-each.ts";

/** A market that trades, without its book. */
export type TradedMarket = Omit<DigitalMarket, "book" | "retrievedAtMs"> & {
  /** The token that pays on yes. */
  readonly yesToken: string;
};

const DAY_MS = 86_400_000;
/** An event's end is told as a day, and by another clock; further off it is of another month. */
const END_WITHIN_MS = 4 * DAY_MS;
/** No schedule there is has a larger one. */
const LARGEST_EXPONENT = 8;

/** A list of texts, written as JSON within a text. */
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
  // Only shown; a market is not given up for it.
  volumeNum: amountNumber.nullish().catch(null),
});
type Market = z.output<typeof market>;

/** The token of the outcome Yes, wherever it stands. */
const yesTokenOf = ({ outcomes, clobTokenIds }: Market): string => {
  const token = clobTokenIds[outcomes.indexOf("Yes")];
  const isPair = outcomes.length === 2 && clobTokenIds.length === 2 && outcomes.includes("No");
  if (!isPair || token === undefined || !/^[0-9]{1,80}$/.test(token)) {
    throw new FeedError("payload", "unexpected outcomes: must be Yes and No with a token each");
  }
  return token;
};

/** What the market says of its fees; unknown where it says that there are some and not which. */
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
 * The markets that trade and pay above one strike, or on reaching it, of the events that were asked for.
 * @param asked the events there may be
 * @throws FeedError when the body is no list of events, or holds none that can be read
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
