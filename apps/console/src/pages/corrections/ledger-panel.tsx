/** The ledger, newest first: what each bar or settlement was, what it is, and whether the chain is whole. */
import type { Wire } from "@assay/sdk/trpc";
import { type Signal, useSignal } from "@preact/signals";
import { startText } from "../../data/clock.ts";
import { shown } from "../../figures/digits.ts";
import { calendarDay } from "../../figures/moments.ts";
import { lineOf, listText, text } from "../../text/text.ts";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Nothing, Pending } from "../../ui/loading.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { figures, Heads, Wide } from "../../ui/table.tsx";
import { type LedgerPage, ON_A_PAGE, useLedger } from "./ledger.ts";

const PARTS = ["open", "high", "low", "close", "volume"] as const;

const partText = (part: (typeof PARTS)[number]): string =>
  part === "volume" ? text().ledger.volume : text().chart.parts[part].long;

const PartName = ({ part }: { readonly part: (typeof PARTS)[number] }) => <span class="soft">{partText(part)}</span>;

/** The figures that are no longer what they were; of what was removed, its close. */
const Change = ({ of: { before, after } }: { readonly of: Wire.Correction }) => {
  const { change, gone } = text().ledger;
  if (after === null) return <>{gone({ part: <PartName part="close" />, figure: <Figure of={before.close} /> })}</>;
  return (
    <>
      {PARTS.filter((part) => before[part] !== after[part]).map((part) => (
        <span key={part} class="change-of">
          {change({ part: <PartName part={part} />, before: <Figure of={before[part]} />, after: <Figure of={after[part]} /> })}
        </span>
      ))}
    </>
  );
};

/** Which bar, settlement or rate. */
const subjectOf = ({ interval, bar_start, settlement_date, reference_date, futures_contract }: Wire.Correction): string => {
  if (interval !== null && bar_start !== null) return listText([interval, startText(bar_start, interval)]);
  const day = settlement_date ?? reference_date ?? null;
  return listText([futures_contract, day === null ? null : calendarDay(day)].filter((part) => part !== null));
};

const Row = ({ row, isBroken }: { readonly row: Wire.Correction; readonly isBroken: boolean }) => (
  <tr data-correction={row.number}>
    <td class="number">
      <Figure of={row.number} />
    </td>
    <th scope="row">
      {row.symbol}
      <span class="soft second">{subjectOf(row)}</span>
    </th>
    <td>
      <Change of={row} />
    </td>
    <td>{lineOf(text().barCorrections.reasons, row.reason, row.reason.replaceAll("_", " "))}</td>
    <td class="day">
      <Moment at={row.recorded_at} />
    </td>
    <td>
      <code dir="ltr" title={row.digest}>
        {row.digest.slice(0, 10)}
      </code>
      {isBroken ? <Badge tone="bad">≠</Badge> : null}
    </td>
  </tr>
);

const Verdict = ({ rows, chain }: LedgerPage) => {
  const says = text().ledger;
  if (chain === null) return <p class="verdict">{says.unchecked}</p>;
  if (chain.broken.length > 0)
    return (
      <p class="verdict" role="alert">
        <Badge tone="bad">≠</Badge> {says.broken({ numbers: listText(chain.broken.map((number) => shown(String(number)))) })}
      </p>
    );
  return (
    <p class="verdict" data-linked={chain.linked}>
      {says.whole({ rows: rows.length, linked: chain.linked })}
    </p>
  );
};

const Rows = ({ page }: { readonly page: LedgerPage }) => {
  const says = text().ledger;
  const { why, recorded } = text().barCorrections;
  return (
    <Wide label={says.rows}>
      <table>
        <Heads columns={[...figures(says.number), says.what, says.changed, why, recorded, says.digest]} />
        <tbody>
          {page.rows.map((row) => (
            <Row key={row.number} row={row} isBroken={page.chain?.broken.includes(row.number) ?? false} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
};

interface StepsProps {
  readonly last: Signal<number | null>;
  readonly shownLast: number;
  readonly newest: number;
}

/** To the page before and after. */
const Steps = ({ last, shownLast, newest }: StepsProps) => {
  const says = text().ledger;
  if (newest <= ON_A_PAGE) return null;
  const step = (to: number | null, words: string, isOff: boolean) => (
    <button
      type="button"
      class="small"
      disabled={isOff}
      onClick={() => {
        last.value = to;
      }}
    >
      {words}
    </button>
  );
  const after = shownLast + ON_A_PAGE;
  return (
    <div class="actions">
      {step(after >= newest ? null : after, says.newer, shownLast >= newest)}
      {step(shownLast - ON_A_PAGE, says.older, shownLast <= ON_A_PAGE)}
    </div>
  );
};

export const LedgerPanel = ({ head }: { readonly head: Wire.ChainHead }) => {
  const says = text().ledger;
  const last = useSignal<number | null>(null);
  const shownLast = last.value ?? head.number;
  const { data: page, error, askAgain } = useLedger(head, shownLast);
  return (
    <Panel title={says.rows} aside={<Steps last={last} shownLast={shownLast} newest={head.number} />}>
      {page === undefined ? (
        <Pending what="corrections" lines={8} error={error} askAgain={askAgain} />
      ) : page.rows.length === 0 ? (
        <Nothing>
          {head.number === 0 ? says.none : says.noneInReach({ from: Math.max(1, shownLast - ON_A_PAGE + 1), to: shownLast })}
        </Nothing>
      ) : (
        <>
          <Verdict {...page} />
          <Rows page={page} />
        </>
      )}
      <p class="soft note">{says.others}</p>
    </Panel>
  );
};
