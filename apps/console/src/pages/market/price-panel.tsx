/** The price, large: what it is, how it moved today, and when it was computed. */
import { CURRENCIES, METALS } from "@assay/sdk";
import { useEffect, useRef } from "preact/hooks";
import { liveState, type Tick, tick } from "../../data/live.ts";
import { dayChange } from "../../figures/day-change.ts";
import { higher, lower } from "../../figures/exact.ts";
import { Figure, shown } from "../../ui/figure.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { METAL_TEXT } from "../../ui/metal-text.ts";
import { Age, Moment } from "../../ui/moment.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Select } from "../../ui/select.tsx";
import { currency, metal, priced, symbol, WEIGHT_TEXT, WEIGHTS, weighed, weight } from "./choices.ts";
import type { Day, MarketView, Row } from "./market-view.ts";
import { PriceBadges } from "./price-badges.tsx";

/** Classes that tint a figure for a moment after it moved. */
const useMove = (price: string | undefined): "" | "rose" | "fell" => {
  const last = useRef({ name: symbol.value, price, move: "" as "" | "rose" | "fell", turn: 0 });
  const before = last.current;
  if (before.name !== symbol.value) last.current = { ...before, name: symbol.value, price, move: "" };
  else if (price !== undefined && before.price !== undefined && price !== before.price)
    last.current = { ...before, price, move: higher(price, before.price) === price ? "rose" : "fell" };
  else if (before.price === undefined) last.current = { ...before, price };
  return last.current.move;
};

/** The live price, where it is the one shown. */
const liveTick = (): Tick | null => {
  const newest = tick.value;
  const isShown = weighed.value === "oz" || weighed.value === "pound";
  return newest !== null && isShown && newest.symbol === symbol.value ? newest : null;
};

const Change = ({ change, percent }: { readonly change: string; readonly percent: string }) => {
  const isFall = change.startsWith("-");
  const isNone = /^-?0(\.0+)?$/.test(change);
  return (
    <p class={`change ${isNone ? "" : isFall ? "down" : "up"}`}>
      <span aria-hidden="true">{isNone ? "" : isFall ? "▼" : "▲"}</span> <Figure of={isFall || isNone ? change : `+${change}`} />{" "}
      (<Figure of={isFall || isNone ? percent : `+${percent}`} unit="%" />) <span class="soft">today</span>
    </p>
  );
};

/** Where the price is between the day's low and high. */
const Range = ({ low, high, price }: { readonly low: string; readonly high: string; readonly price: string }) => {
  const [from, to, now] = [Number(low), Number(high), Number(price)];
  const share = to > from ? (now - from) / (to - from) : 0.5;
  return (
    <div class="range">
      <span>
        <span class="soft">Low</span> <Figure of={low} />
      </span>
      <span class="track" aria-hidden="true">
        <i style={{ transform: `translateX(${(share * 100).toFixed(1)}%)` }} />
      </span>
      <span>
        <span class="soft">High</span> <Figure of={high} />
      </span>
    </div>
  );
};

const DayLine = ({ day, price }: { readonly day: Day | null; readonly price: string | undefined }) => {
  const live = liveTick();
  const now = live?.price ?? price;
  if (day === null || now === undefined || (weighed.value !== "oz" && weighed.value !== "pound"))
    return <p class="change soft">&nbsp;</p>;
  const moved =
    live !== null && day.previousClose !== undefined
      ? dayChange(live.price, day.previousClose)
      : { change: day.change, percent: day.changePercent };
  return (
    <>
      {moved.change === undefined || moved.percent === undefined ? (
        <p class="change soft">No close of the day before is known</p>
      ) : (
        <Change change={moved.change} percent={moved.percent} />
      )}
      {day.low === undefined || day.high === undefined ? null : (
        <Range low={lower(day.low, now)} high={higher(day.high, now)} price={now} />
      )}
    </>
  );
};

const Pair = ({ name, of }: { readonly name: string; readonly of: string | undefined }) =>
  of === undefined ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        <Figure of={of} />
      </dd>
    </div>
  );

interface SidesProps {
  readonly row: Row;
  readonly day: Day | null;
  readonly live: Tick | null;
}

/** What stands beside the price: its two sides or its band, the day's first prices, and its moment. */
const Sides = ({ row, day, live }: SidesProps) => {
  const isWhole = weighed.value === "oz" || weighed.value === "pound";
  const at = live === null ? row.computed_at : new Date(live.atMs).toISOString();
  return (
    <dl class="sides">
      {isWhole ? (
        <>
          {/* The sides come with the row; beside a younger live price they would be of another moment. */}
          {live === null ? (
            <>
              <Pair name="Bid" of={row.bid} />
              <Pair name="Ask" of={row.ask} />
            </>
          ) : (
            <div class="whole">
              <dt>Confidence band</dt>
              <dd>
                ± <Figure of={live.conf} />
              </dd>
            </div>
          )}
          <Pair name="Open" of={day?.open} />
          <Pair name="Previous close" of={day?.previousClose} />
        </>
      ) : null}
      {at === undefined ? null : (
        <div class="whole">
          <dt>Computed</dt>
          <dd>
            <Moment at={at} /> <span class="soft">·</span> <Age at={at} />
          </dd>
        </div>
      )}
    </dl>
  );
};

/** How much the panel will hold, so that it has its height before its figures are there. */
const heightOf = (isLeftOut: boolean): string => {
  if (isLeftOut) return "";
  if (weighed.value !== "oz" && weighed.value !== "pound") return "brief";
  return priced.value === "USD" ? "with-day" : "with-sides";
};

const NO_PRICE = "no price";

const TITLES = CURRENCIES.map((code) => ({ value: code, text: code }));

/** The panel. */
export const PricePanel = ({ view }: { readonly view: MarketView }) => {
  const { row, error, askAgain, day } = view;
  const live = liveTick();
  const price = live?.price ?? view.price;
  const move = useMove(price);
  const digits = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Restarted by hand: the same class twice would not run the animation again.
    for (const animation of digits.current?.getAnimations({ subtree: true }) ?? []) {
      animation.cancel();
      animation.play();
    }
  }, [price]);
  return (
    <section class={`panel price ${heightOf(view.isLeftOut)}`} aria-labelledby="price-title">
      <header class="panel-head">
        <h1 id="price-title">
          {METAL_TEXT[metal.value]} <span class="soft">{symbol.value}</span>
        </h1>
        <Segments label="Metal" chosen={metal} options={METALS.map((code) => ({ value: code, text: METAL_TEXT[code] }))} />
      </header>
      <PriceBadges view={view} live={liveState.value} />
      {view.isLeftOut ? (
        <Nothing>Without a key there is gold only; the tiers of a key name their metals.</Nothing>
      ) : row === undefined && error !== null ? (
        <Refusal error={error} askAgain={askAgain} />
      ) : row === undefined ? (
        <Loading what="the price" lines={4} />
      ) : (
        <>
          <p
            ref={digits}
            class={`digits ${move}`}
            style={{ "--characters": shown(price ?? NO_PRICE).length }}
            data-price={price}
            aria-live="off"
          >
            {price === undefined ? <span class="soft">{NO_PRICE}</span> : <Figure of={price} />}
          </p>
          <p class="per">
            {metal.value === "XAU" ? <Select label="Currency" chosen={currency} options={TITLES} /> : <strong>{priced}</strong>}{" "}
            per{" "}
            {metal.value === "HG" ? (
              <strong>pound</strong>
            ) : (
              <Select label="Weight" chosen={weight} options={WEIGHTS.map((one) => ({ value: one, text: WEIGHT_TEXT[one] }))} />
            )}
          </p>
          <DayLine day={day} price={price} />
          <Sides row={row} day={day} live={live} />
        </>
      )}
    </section>
  );
};
