/** A Polymarket market's strike, from its title within its event. */
import type { DecimalText } from "@assay/contract";
import { FeedError } from "../../feed/error.ts";
import { isPublishedFigure } from "../../payload/published.ts";
import type { EventForm } from "./polymarket-events.ts";

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
