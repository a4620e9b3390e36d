/** The price large, with what it is for, and what else is known of it. */
import { useEffect, useRef } from "preact/hooks";
import { CURRENCIES, GOLD, METALS, metalName, metalOptions, metalText, unitText } from "../../data/catalogue.ts";
import { currency, weight } from "../../data/choices.ts";
import { timeText } from "../../data/clock.ts";
import { key } from "../../data/key.ts";
import { type LiveState, liveState } from "../../data/live.ts";
import { includesTier, OPENS_WITH, tierText } from "../../data/tiers.ts";
import { shown } from "../../figures/digits.ts";
import { higher } from "../../figures/exact.ts";
import { lengthText } from "../../figures/moments.ts";
import { listText, locale, staleText, text } from "../../text/text.ts";
import { Choose, Select } from "../../ui/choose.tsx";
import { Badge, Figure } from "../../ui/figure.tsx";
import { askForKey } from "../../ui/key.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { failureOf, Refusal } from "../../ui/refusal.tsx";
import { cross, isConvertible, isInBars, metal, priced, weighed, weights } from "./choices.ts";
import { DayLine, liveTick, Sides } from "./day-line.tsx";
import { EVERY_SECONDS, type MarketView } from "./market-view.ts";

const withinSentence = (title: string): string => title.replace(/^./u, (first) => first.toLocaleLowerCase(locale.value));

const Timeliness = ({ view, live }: { readonly view: MarketView; readonly live: LiveState }) => {
  const lines = text().price;
  const pace = lengthText(EVERY_SECONDS * 1_000);
  if (view.isDelayed) return <Badge tone="warn">{lines.late({ minutes: view.document?.delay_minutes ?? 15 })}</Badge>;
  if (live.name === "lost")
    return (
      <Badge tone="bad" title={live.reason}>
        {lines.lost({ since: timeText(live.sinceMs) })}
      </Badge>
    );
  if (live.name === "refused") {
    const { title, text: why } = failureOf(live.error, Date.now());
    return (
      <Badge tone="plain" title={`${text().refusal.titled({ title })} ${why}`}>
        {lines.readNoStream({ length: pace, why: withinSentence(title) })}
      </Badge>
    );
  }
  if (key.value !== null && view.hasStreams === false && !includesTier(view.tier, OPENS_WITH["stream.sse"]))
    return (
      <Badge tone="plain">
        {lines.readNoStream({
          length: pace,
          why: withinSentence(text().refusal.tier({ tier: tierText(OPENS_WITH["stream.sse"]) })),
        })}
      </Badge>
    );
  if (live.name === "open" && isInBars.value) return <Badge tone="good">{lines.live}</Badge>;
  return <Badge tone="plain">{lines.read({ length: pace })}</Badge>;
};

/** The currency that the price's own one is fixed to. */
const anchor = (): string | null => {
  const peg = CURRENCIES.find(({ code }) => code === priced.value)?.peg;
  return peg?.fixed ? peg.to : null;
};

const Anchored = () => {
  const to = anchor();
  return to === null ? null : <Badge tone="plain">{text().price.fixedTo({ currency: to })}</Badge>;
};

/** What the price is, beside it: simulated, live, late, stale and why. */
const PriceBadges = ({ view, live }: { readonly view: MarketView; readonly live: LiveState }) => (
  <p class="badges" aria-live="polite">
    {view.mode === "simulated" ? (
      <Badge tone="accent" title={text().ui.simulatedLong}>
        {text().ui.simulated}
      </Badge>
    ) : null}
    {view.mode === "replay" ? <Badge tone="accent">{text().ui.replay}</Badge> : null}
    {view.row === undefined ? null : <Timeliness view={view} live={live} />}
    {view.row?.is_stale ? <Badge tone="warn">{text().price.stale({ why: staleText(view.row.stale_reason) })}</Badge> : null}
    {view.state === "closed" ? <Badge tone="plain">{text().price.closed}</Badge> : null}
    <Anchored />
  </p>
);

/** Classes that tint a figure for a moment after it moved. */
const useMove = (price: string | undefined): "" | "rose" | "fell" => {
  const name = `${cross.value} ${weighed.value}`;
  const last = useRef({ name, price, move: "" as "" | "rose" | "fell" });
  const before = last.current;
  if (before.name !== name) last.current = { name, price, move: "" };
  else if (price !== undefined && before.price !== undefined && price !== before.price)
    last.current = { ...before, price, move: higher(price, before.price) === price ? "rose" : "fell" };
  else if (before.price === undefined) last.current = { ...before, price };
  return last.current.move;
};

/** How much the panel will hold, so that it has its height before its figures are there. */
const heightOf = (isLeftOut: boolean): string => {
  if (isLeftOut) return "";
  return priced.value === "USD" ? "with-day" : "with-sides";
};

/** Codes only, which leave room for the weight beside them. */
const CODES = CURRENCIES.map(({ code }) => ({ value: code, text: code }));

/** The metals that the rows at hand are of, in words. */
const metalsOf = ({ document }: MarketView): string =>
  listText([...new Set(document?.symbols.map((row) => metalName(row.symbol)))]);

/** A metal that takes a key, and the ways on. */
const LeftOut = ({ view }: { readonly view: MarketView }) => (
  <>
    <Nothing>{text().price.leftOut({ metal: metalText(metal.value), others: metalsOf(view) })}</Nothing>
    <p class="remedy">
      <button type="button" class="primary" onClick={askForKey}>
        {text().key.use}
      </button>
      <button
        type="button"
        onClick={() => {
          metal.value = GOLD;
        }}
      >
        {text().price.show({ metal: metalName(GOLD) })}
      </button>
    </p>
  </>
);

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
          {metalText(metal.value)} <bdi class="soft">{cross.value}</bdi>
        </h1>
        <Choose label={text().ui.metal} chosen={metal} options={metalOptions(METALS)} />
      </header>
      <PriceBadges view={view} live={liveState.value} />
      {view.isLeftOut ? (
        <LeftOut view={view} />
      ) : row === undefined && error !== null ? (
        <Refusal error={error} askAgain={askAgain} />
      ) : row === undefined ? (
        <Loading what="price" lines={4} />
      ) : (
        <>
          <p
            ref={digits}
            class={`digits ${move}`}
            style={{ "--characters": (price === undefined ? text().price.none : shown(price)).length }}
            data-price={price}
            aria-live="off"
          >
            {price === undefined ? <span class="soft">{text().price.none}</span> : <Figure of={price} />}
          </p>
          <p class="per">
            {text().names.per({
              currency: isConvertible.value ? (
                <Select label={text().ui.currency} chosen={currency} options={CODES} />
              ) : (
                <strong>{priced}</strong>
              ),
              unit:
                weights.value.length === 1 ? (
                  <strong>{unitText(weighed.value)}</strong>
                ) : (
                  <Select
                    label={text().ui.weight}
                    chosen={weight}
                    value={weighed.value}
                    options={weights.value.map((one) => ({ value: one, text: unitText(one) }))}
                  />
                ),
            })}
          </p>
          <DayLine day={day} price={price} />
          <Sides row={row} day={day} live={live} />
        </>
      )}
    </section>
  );
};
