/** What changes hands, large, for the customer to read across the counter, and how old its prices are. */
import type { Wire } from "@assay/sdk/trpc";
import { metalText } from "../../data/catalogue.ts";
import { currency } from "../../data/choices.ts";
import { timeText } from "../../data/clock.ts";
import { key } from "../../data/key.ts";
import { useFrontDocument, useUsage } from "../../data/questions.ts";
import { lostSince } from "../../data/service.ts";
import { shown } from "../../figures/digits.ts";
import { staleText, text } from "../../text/text.ts";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import type { BillView } from "./bill.ts";
import { pieces } from "./pieces.ts";
import { readPiece } from "./quote-request.ts";
import { type Sums, sumsOf } from "./sums.ts";

/** Who pays, as a heading. */
export const payerText = ({ payer, bought, sold }: Sums): string => {
  const { counter } = text();
  if (payer === "shop") return counter.wePay;
  return sold !== null && bought !== null ? counter.toPayLess : counter.toPay;
};

/** Pieces with a weight that cannot be priced as they are typed. */
const unread = (): number =>
  pieces.value.filter((piece) => piece.weight.value.trim() !== "" && "missing" in readPiece(piece)).length;

const NO_TOTAL = "…";

const Both = ({ sums }: { readonly sums: Sums }) =>
  sums.sold === null || sums.bought === null ? null : (
    <p class="soft parts">
      <span>{text().counter.sold({ figure: <Figure of={sums.sold} /> })}</span>
      <span>{text().counter.bought({ figure: <Figure of={sums.bought} /> })}</span>
    </p>
  );

/** What holds for every price of the service; null until it is known. */
export interface Origin {
  readonly mode: "simulated" | "replay" | "live" | null;
  /** Minutes that prices are late on purpose. */
  readonly delay: number | null;
}

export const useOrigin = (): Origin => {
  const document = useFrontDocument(false).data;
  const usage = useUsage().data;
  const mode = document?.mode ?? null;
  if (key.value === null) return { mode, delay: document?.delay_minutes ?? null };
  if (usage === undefined) return { mode, delay: null };
  return { mode, delay: usage.tier === "free" ? (document?.delay_minutes ?? 15) : 0 };
};

/** That the prices are no market's; null where they are, or it is not known. */
export const modeText = ({ mode }: Origin): string | null => {
  const { counter, chart } = text();
  return mode === "simulated" ? counter.simulated : mode === "replay" ? chart.pictured.replay : null;
};

const staleLine = ({ metal, stale_reason }: Wire.Bill["prices"][number]): string =>
  text().counter.staleMetal({ metal: metalText(metal), why: staleText(stale_reason) });

/** Which prices of a bill are stale, and why. */
export const staleLines = ({ prices }: Wire.Bill): readonly string[] => [
  ...new Set(prices.filter(({ is_stale }) => is_stale).map(staleLine)),
];

/** How old the prices are, in words that a customer may read. */
const Timeliness = ({ bill }: { readonly bill: Wire.Bill | null }) => {
  const origin = useOrigin();
  const { delay } = origin;
  const noMarket = modeText(origin);
  const late = bill === null ? [] : staleLines(bill);
  const lost = lostSince.value;
  return (
    <div class="timeliness" aria-live="polite">
      <p class="badges">
        {noMarket === null ? null : <Badge tone="accent">{noMarket}</Badge>}
        {lost === null ? null : <Badge tone="bad">{text().counter.notRefreshed({ since: timeText(lost) })}</Badge>}
        {delay === null ? null : delay > 0 ? (
          <Badge tone="warn">{text().counter.pricesOf({ minutes: delay })}</Badge>
        ) : late.length === 0 && lost === null && bill !== null ? (
          <Badge tone="good">{text().counter.pricesNow}</Badge>
        ) : null}
        {late.map((said) => (
          <Badge key={said} tone="warn">
            {said}
          </Badge>
        ))}
      </p>
      {bill === null ? null : (
        <p class="soft">
          {text().counter.computed({ when: <Moment at={bill.computed_at} />, age: <Age at={bill.computed_at} /> })}
        </p>
      )}
    </div>
  );
};

export const TotalPanel = ({ view }: { readonly view: BillView }) => {
  const { bill, error, askAgain, isAsked } = view;
  const sums = bill === null ? null : sumsOf(bill);
  const left = (bill?.items.filter((item) => item.error !== undefined).length ?? 0) + unread();
  return (
    <section class="panel total" aria-labelledby="total-title">
      <h2 id="total-title">{sums === null ? text().counter.toPay : payerText(sums)}</h2>
      <p class="digits" style={{ "--characters": shown(sums?.due ?? NO_TOTAL).length }} data-total={sums?.due} aria-live="polite">
        {sums === null ? <span class="soft">{isAsked && error === null ? NO_TOTAL : "–"}</span> : <Figure of={sums.due} />}{" "}
        <span class="in">{currency}</span>
      </p>
      {sums === null ? null : <Both sums={sums} />}
      {left === 0 || sums === null ? null : (
        <p class="fault" role="alert">
          {text().counter.without({ count: left })}
        </p>
      )}
      {error === null ? null : <Refusal error={error} askAgain={askAgain} />}
      <Timeliness bill={bill} />
    </section>
  );
};
