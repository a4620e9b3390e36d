/** What is older than the range of the chart: read page by page as the reader moves into it, as deep as the tier goes. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { isAsking } from "../../data/access.ts";
import { type Pages, usePages } from "../../data/answers.ts";
import { DAILY_DEPTH_DAYS, tierText } from "../../data/tiers.ts";
import { text } from "../../text/text.ts";
import { type Course, ofBars, ofDays, type Series } from "./bars.ts";
import { cross, isInBars, weighed } from "./choices.ts";
import type { MarketView } from "./market-view.ts";
import { INTRADAY_DAYS } from "./ranges.ts";

/** Points of one page. */
const ON_A_PAGE = 1_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/** What is known of the past beyond the range. */
export interface Older {
  /** The course with what was read of it so far. */
  readonly course: Course;
  /** What is said of it, once the reader has asked; empty while there is more. */
  readonly says: string;
  readonly error: Error | null;
  /** Asks for more; it may be called often. */
  readonly more: () => void;
}

/** The first day that may be asked for; one is left to the clock, which goes on. */
const floorMs = (isDaily: boolean, depthDays: number | null, nowMs: number): number => {
  const days = isDaily ? depthDays : INTRADAY_DAYS;
  return days === null ? 0 : Math.ceil(nowMs / DAY_MS - days + 1) * DAY_MS;
};

/** What the reader began to move from: the pages continue it, whatever the range loses as its time goes on. */
interface Held {
  readonly name: string;
  readonly series: Series;
  /** Where the pages are from; null where the range begins at the tier's depth already. */
  readonly window: { readonly from: string; readonly to: string } | null;
}

const holdOf = (name: string, series: Series, depthDays: number | null): Held => {
  const oldestMs = Date.parse(series.bars[0]?.bar_start ?? "");
  const toMs = oldestMs - SECOND_MS;
  const fromMs = floorMs(series.interval === "1d", depthDays, Date.now());
  // Without a key the chart in dollars is of the shared document, which has all there is for everyone.
  const isMore = fromMs < toMs && (isAsking.value || !isInBars.value);
  return { name, series, window: isMore ? { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() } : null };
};

type Page = Wire.BarsPage | Wire.SeriesPage;

const useOlderPages = (held: Held | null): Pages<Page> => {
  const window = held?.window ?? null;
  const [isBars, crossing, unit] = [isInBars.value, cross.value, weighed.value];
  return usePages<Page>(
    ["older", held?.name ?? "", window?.to ?? ""],
    (api, cursor, options) => {
      const { symbol = "", interval = "1d" } = held?.series ?? {};
      const { from = "", to = "" } = window ?? {};
      const page = { limit: ON_A_PAGE, ...(cursor === undefined ? {} : { cursor }) };
      return isBars
        ? api.bars.list.query({ symbol, interval, from, to, ...page }, options)
        : api.series.list.query({ symbol: crossing, unit, from: from.slice(0, 10), to: to.slice(0, 10), ...page }, options);
    },
    window !== null,
  );
};

const turn = (page: Page, { symbol, interval }: Series): Series =>
  "bars" in page ? ofBars(symbol, interval)(page) : ofDays(page);

/** One course of several, the newest first; a point that two have is the newer one's. */
const joined = (newest: Series, older: readonly Series[]): Series => {
  const chunks: (readonly Wire.Bar[])[] = [];
  const made = new Map<string, Wire.SeriesPoint>();
  let first = "";
  for (const part of [newest, ...older]) {
    const before = first;
    const kept = part.bars.filter(({ bar_start }) => before === "" || bar_start < before);
    chunks.unshift(kept);
    first = kept[0]?.bar_start ?? first;
    for (const [day, point] of part.made ?? []) if (!made.has(day)) made.set(day, point);
  }
  return { ...newest, bars: chunks.flat(), made: newest.made === null ? null : made };
};

/** Follows the reader into the past of a course. */
export const useOlder = (course: Course, view: MarketView): Older => {
  const { series } = course;
  const name = series === null ? "" : [series.symbol, series.interval, weighed.value, course.range].join(" ");
  const begun = useSignal<Held | null>(null);
  const held = begun.value?.name === name ? begun.value : null;
  const { pages, error, isAsking: isUnderWay, isWhole, more } = useOlderPages(held);
  const whole = useMemo(
    () => (series === null || held === null ? series : joined(series, [held.series, ...pages.map((page) => turn(page, series))])),
    [series, held, pages],
  );
  const words = text().chart;
  const depthDays = DAILY_DEPTH_DAYS[view.tier];
  const end = (): string => {
    if (series?.interval !== "1d") return words.shortDepth({ days: INTRADAY_DAYS });
    return depthDays === null ? words.noMoreHistory : words.depth({ tier: tierText(view.tier), days: depthDays });
  };
  return {
    course: { ...course, series: whole },
    error: held === null ? null : error,
    says: held === null || error !== null ? "" : isUnderWay ? words.asking : isWhole || held.window === null ? end() : "",
    more: () => {
      if (held !== null) more();
      else if (series !== null && series.bars.length > 0) begun.value = holdOf(name, series, depthDays);
    },
  };
};
