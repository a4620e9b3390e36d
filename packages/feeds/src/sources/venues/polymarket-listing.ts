/**
 * Polymarket's monthly events, found by their slugs, with their markets: JSON in which some fields contain JSON as text, and strikes
 * only in titles.
 */
import { DAY_MS, type DecimalText, MINUTE_MS, type SurfaceMetal } from "@assay/contract";
import { businessDayFromEnd, type DigitalMarket, MONTH_NAMES, NEW_YORK, wallTimeMs } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import type { FeedContext } from "../../feed/feed.ts";
import { readEach } from "../../feed/read-parts.ts";
import { readJson, shaped } from "../../payload/body.ts";
import { amountNumber, figureNumber, isoInstant, isPublishedFigure } from "../../payload/published.ts";

/**
 * What an event's markets ask about the settlement: whether it is above a strike on the month's final trading day (`over-under`),
 * in which range it is then (`settle`), or whether it reaches a strike on any day before (`hit`).
 */
const EVENT_FORMS = ["over-under", "settle", "hit"] as const;
type EventForm = (typeof EVENT_FORMS)[number];

interface MonthlyEvent {
  readonly slug: string;
  readonly form: EventForm;
  readonly metal: SurfaceMetal;
  /** What settles it: the active month's settlement. */
  readonly reference: string;
  /** When the month's final trading day settles. */
  readonly expiresAtMs: number;
}

/** The current month and those after it: events are created up to half a year ahead. */
const MONTHS_AHEAD = 7;

interface Product {
  readonly code: "gc" | "si";
  readonly metal: SurfaceMetal;
  /** When the exchange settles it, New York time. */
  readonly settledAtMs: number;
}

const PRODUCTS: readonly Product[] = [
  { code: "gc", metal: "xau", settledAtMs: (13 * 60 + 30) * MINUTE_MS },
  { code: "si", metal: "xag", settledAtMs: (13 * 60 + 25) * MINUTE_MS },
];

/**
 * Every event that may be open, soonest first.
 * @param nowMs epoch milliseconds; events that have ended by then are omitted
 */
export const monthlyEvents = (nowMs: number): MonthlyEvent[] => {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS_AHEAD }, (_, ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)))
    .flatMap((month) => {
      const year = month.getUTCFullYear();
      const finalDay = businessDayFromEnd(year, month.getUTCMonth() + 1, 1);
      return PRODUCTS.flatMap(({ code, metal, settledAtMs }) =>
        EVENT_FORMS.map((form) => ({
          slug: `${code}-${form}-${MONTH_NAMES[month.getUTCMonth()]?.slice(0, 3)}-${year}`,
          form,
          metal,
          reference: `cme:${code.toUpperCase()}-settlement`,
          expiresAtMs: wallTimeMs(NEW_YORK, finalDay, settledAtMs),
        })),
      );
    })
    .filter(({ expiresAtMs }) => expiresAtMs > nowMs);
};

/** A strike, and whether reaching it is enough. */
export interface Strike {
  readonly kind: "terminal" | "touch";
  readonly strike: DecimalText;
}

const FIGURES = /[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?/g;
const OVER = /\b(over|above|higher|more)\b/i;
const UNDER = /\b(under|below|lower|less)\b/i;
/** The topmost of an event's ranges, which has no upper end. */
const TOPMOST = /^[>≥]|\+$|\bor (more|higher|above)$/i;

/** Text allowed around the only figure of a terminal market's title. */
const AROUND = /[$>≥+\s]|\b(or (more|higher|above)|over|above)\b/gi;

const figuresIn = (title: string): string[] => (title.match(FIGURES) ?? []).map((figure) => figure.replaceAll(",", ""));

/**
 * A market's strike, from its title within its event.
 * @param form the event's
 * @param title what distinguishes the market within the event, such as `$4,800`
 * @param question the market's own
 * @returns null for markets that do not pay above one strike: ranges with two ends, and markets that pay below one
 * @throws FeedError when the title lacks a strike where one is required
 */
export const strikeOf = (form: EventForm, title: string, question: string): Strike | null => {
  const figures = figuresIn(title);
  if (form === "settle" && (figures.length > 1 || !TOPMOST.test(title.trim()))) return null;
  if (form === "over-under" && (UNDER.test(question) || !OVER.test(question))) return null;
  const [strike] = figures;
  // In `$4.8k` the figure alone would be a thousand times too small.
  const isStrange = form !== "hit" && title.replace(FIGURES, "").replace(AROUND, "") !== "";
  if (strike === undefined || figures.length > 1 || isStrange || !isPublishedFigure(strike)) {
    throw new FeedError("payload", "unexpected groupItemTitle: must hold one strike, such as $4,800");
  }
  return { kind: form === "hit" ? "touch" : "terminal", strike };
};

/** A trading market, without its book. */
export type TradedMarket = Omit<DigitalMarket, "book" | "retrievedAtMs"> & {
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
