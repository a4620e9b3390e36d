/** Corrections of what the chart shows: closed bars that are no longer what they were, why, and since when. */
import type { Wire } from "@assay/sdk/trpc";
import { signal } from "@preact/signals";
import type { Interval } from "../../charts/forming.ts";
import { type Answer, useAnswer } from "../../data/answers.ts";
import { startText } from "../../data/clock.ts";
import { key } from "../../data/key.ts";
import { lineOf, text } from "../../text/text.ts";
import { Figure } from "../../ui/figure.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import { isInBars, series } from "./choices.ts";

/** Rows of one answer at most; whoever needs more has the route. */
const MOST = 10_000;
const EVERY_SECONDS = 300;

/** Whether the reader has asked for them. Without a key they are one of the ten calls a minute, so the first page does not ask. */
const areWanted = signal(false);

/** Corrections by the start of their bar, newest last, and how asking for them went. */
export interface Corrections extends Pick<Answer<unknown>, "error" | "askAgain"> {
  /** Null until they are known. */
  readonly byStart: ReadonlyMap<number, readonly Wire.Correction[]> | null;
  readonly starts: ReadonlySet<number>;
  /** Whether there are more than one answer has. */
  readonly isCut: boolean;
}

const NONE: ReadonlySet<number> = new Set();

/** Each answer is sorted once: the chart draws its marks again when they are another object. */
const sorted = new WeakMap<object, Map<Interval, Corrections["byStart"] & object>>();

const sort = (page: Wire.CorrectionsPage, length: Interval): Map<number, Wire.Correction[]> => {
  const byStart = new Map<number, Wire.Correction[]>();
  for (const row of page.corrections) {
    if (row.interval !== length || row.bar_start === null) continue;
    const startMs = Date.parse(row.bar_start);
    byStart.set(startMs, [...(byStart.get(startMs) ?? []), row]);
  }
  return byStart;
};

const sortedOf = (page: Wire.CorrectionsPage, length: Interval): ReadonlyMap<number, readonly Wire.Correction[]> => {
  const ofPage = sorted.get(page) ?? new Map();
  const found = ofPage.get(length) ?? sort(page, length);
  sorted.set(page, ofPage.set(length, found));
  return found;
};

const startsOf = new WeakMap<object, ReadonlySet<number>>();

const keysOf = (byStart: ReadonlyMap<number, unknown>): ReadonlySet<number> => {
  const found = startsOf.get(byStart) ?? new Set(byStart.keys());
  startsOf.set(byStart, found);
  return found;
};

/**
 * Follows the corrections of the chosen metal's bars.
 * @param length the interval of the chart
 * @param isReady whether the chart has anything to mark
 */
export const useCorrections = (length: Interval, isReady: boolean): Corrections => {
  const symbol = series.value;
  const isAsked = key.value !== null || areWanted.value || !isInBars.value;
  const { data, error, askAgain } = useAnswer(
    ["corrections", symbol],
    (api, options) => api.corrections.list.query({ symbol, limit: MOST }, options),
    { everySeconds: EVERY_SECONDS, isWanted: isReady && isAsked },
  );
  const byStart = data === undefined ? null : sortedOf(data, length);
  return {
    byStart,
    starts: byStart === null ? NONE : keysOf(byStart),
    isCut: data !== undefined && data.meta.count === MOST,
    error,
    askAgain,
  };
};

const reasonText = (reason: string): string => lineOf(text().barCorrections.reasons, reason, reason.replaceAll("_", " "));

/** The newest correction of the bar under the pointer. */
export const CorrectedFrom = ({ of: { before, after, reason, recorded_at } }: { readonly of: Wire.Correction }) => (
  <span class="corrected">
    {text().barCorrections.corrected({
      when: <Moment at={recorded_at} />,
      before: <Figure of={before.close} />,
      after: after === null ? text().barCorrections.removed : <Figure of={after.close} />,
      why: reasonText(reason),
    })}
  </span>
);

/** Rows shown at once. */
const SHOWN = 30;

const columns = () => {
  const { bar, before, now, why, recorded } = text().barCorrections;
  return [bar, ...figures(before, now), why, recorded];
};

const Rows = ({ rows }: { readonly rows: readonly Wire.Correction[] }) => (
  <Wide label={text().barCorrections.title}>
    <table>
      <Heads columns={columns()} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.number} data-correction={row.number}>
            <th scope="row">{row.bar_start === null || row.interval === null ? "–" : startText(row.bar_start, row.interval)}</th>
            <Cell of={row.before.close} />
            {row.after === null ? <td class="number">{text().barCorrections.removed}</td> : <Cell of={row.after.close} />}
            <td>{reasonText(row.reason)}</td>
            <td class="day">
              <Moment at={row.recorded_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Wide>
);

/** The list, folded away; opening it is asking for it. */
export const CorrectionsList = ({ corrections }: { readonly corrections: Corrections }) => {
  const { byStart, error, askAgain, isCut } = corrections;
  const lines = text().barCorrections;
  const rows = byStart === null ? [] : [...byStart.values()].flat().toSorted((one, other) => other.number - one.number);
  return (
    <details
      class="as-table corrections"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) areWanted.value = true;
      }}
    >
      <summary>{byStart === null ? lines.title : rows.length === 0 ? lines.none : lines.some({ count: rows.length })}</summary>
      {error !== null && byStart === null ? (
        <Refusal error={error} askAgain={askAgain} />
      ) : byStart === null ? (
        <Loading what="corrections" lines={2} />
      ) : rows.length === 0 ? (
        <Nothing>{lines.never}</Nothing>
      ) : (
        <>
          <Rows rows={rows.slice(0, SHOWN)} />
          {rows.length > SHOWN || isCut ? (
            <p class="soft note">
              {isCut ? lines.oldestOnly({ count: MOST }) : ""}{" "}
              {lines.newestShown({ count: SHOWN, path: <code dir="ltr">/v1/corrections</code> })}
            </p>
          ) : null}
        </>
      )}
    </details>
  );
};
