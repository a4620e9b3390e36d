/** How the price moved, and what stands beside it: its sides, the day's first prices, and its moment. */
import { type Tick, tick } from "../../data/live.ts";
import { dayChange, higher, lower, withSign } from "../../figures/exact.ts";
import { text } from "../../text/text.ts";
import { Figure } from "../../ui/figure.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Tile } from "../../ui/panel.tsx";
import { isInBars, isInRow, symbol } from "./choices.ts";
import { type Day, type Row, weighing } from "./market-view.ts";

/** The live price, where it is the one shown. */
export const liveTick = (): Tick | null => {
  const newest = tick.value;
  return newest !== null && isInBars.value && newest.symbol === symbol.value ? newest : null;
};

interface ChangeProps {
  readonly change: string;
  readonly percent: string;
  /** Since when, such as `today`. */
  readonly since: string;
}

const Change = ({ change, percent, since }: ChangeProps) => {
  const isFall = change.startsWith("-");
  const isNone = /^-?0(\.0+)?$/.test(change);
  return (
    <p class={`change ${isNone ? "" : isFall ? "down" : "up"}`}>
      <span aria-hidden="true">{isNone ? "" : isFall ? "▼" : "▲"}</span> <Figure of={withSign(change)} /> (
      <Figure of={withSign(percent)} unit="%" />) <span class="soft">{since}</span>
    </p>
  );
};

/** Where the price is between the day's low and high. */
const Range = ({ low, high, price }: { readonly low: string; readonly high: string; readonly price: string }) => {
  const [from, to, now] = [Number(low), Number(high), Number(price)];
  const share = to > from ? (now - from) / (to - from) : 0.5;
  return (
    <div class="range" dir="ltr">
      <span dir="auto">
        <span class="soft">{text().price.low}</span> <Figure of={low} />
      </span>
      <span class="track" aria-hidden="true">
        <i style={{ transform: `translateX(${(share * 100).toFixed(1)}%)` }} />
      </span>
      <span dir="auto">
        <span class="soft">{text().price.high}</span> <Figure of={high} />
      </span>
    </div>
  );
};

interface DayLineProps {
  readonly day: Day | null;
  readonly price: string | undefined;
}

/** How the price moved today, as the service has it in the price's own money. */
export const DayLine = ({ day, price }: DayLineProps) => {
  const live = liveTick();
  const now = live?.price ?? price;
  if (now === undefined || day === null) return <p class="change soft">&nbsp;</p>;
  const moved =
    live !== null && day.previousClose !== undefined
      ? dayChange(live.price, day.previousClose)
      : { change: day.change, percent: day.changePercent };
  return (
    <>
      {moved.change === undefined || moved.percent === undefined ? (
        <p class="change soft">{text().price.noClose}</p>
      ) : (
        <Change change={moved.change} percent={moved.percent} since={text().price.today} />
      )}
      {day.low === undefined || day.high === undefined ? null : (
        <Range low={lower(day.low, now)} high={higher(day.high, now)} price={now} />
      )}
    </>
  );
};

const Pair = ({ name, of }: { readonly name: string; readonly of: string | undefined }) =>
  of === undefined ? null : (
    <Tile name={name}>
      <Figure of={of} />
    </Tile>
  );

interface SidesProps {
  readonly row: Row;
  readonly day: Day | null;
  readonly live: Tick | null;
}

/** When the price was made, and its two sides, which come with the row and may be a little older. */
const Made = ({ row: { computed_at }, live }: Pick<SidesProps, "row" | "live">) => {
  const at = live === null ? computed_at : new Date(live.atMs).toISOString();
  if (at === undefined) return null;
  return (
    <div class="whole">
      <dt>{text().ui.computed}</dt>
      <dd>
        <Moment at={at} /> <span class="soft">·</span> <Age at={at} />
        {live === null || computed_at === undefined ? null : (
          <span class="soft"> · {text().price.sides({ when: <Moment at={computed_at} /> })}</span>
        )}
      </dd>
    </div>
  );
};

/** What stands beside the price: its two sides, the day's first prices, and its moment. */
export const Sides = ({ row, day, live }: SidesProps) => (
  <dl class="sides">
    {isInRow.value ? (
      <>
        <Pair name={text().price.bid} of={weighing(row.bid)} />
        <Pair name={text().price.ask} of={weighing(row.ask)} />
      </>
    ) : null}
    <Pair name={text().price.open} of={day?.open} />
    <Pair name={text().price.previousClose} of={day?.previousClose} />
    {live === null ? null : (
      <div class="whole">
        <dt>{text().price.confidence}</dt>
        <dd>
          ± <Figure of={live.conf} />
        </dd>
      </div>
    )}
    <Made row={row} live={live} />
  </dl>
);
