/** The forward curve: what each contract settled at, and what carrying the metal until then costs a year. */
import type { Wire } from "@assay/sdk/trpc";
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { TenorPoint } from "../../charts/tenors.ts";
import { metalOf, unitText } from "../../data/catalogue.ts";
import { carryPercent } from "../../figures/exact.ts";
import { calendarDay, daysUntil, lengthText } from "../../figures/moments.ts";
import { listText, text } from "../../text/text.ts";
import { Segments } from "../../ui/choose.tsx";
import { Drawing } from "../../ui/drawing.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Age } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";

const shownLine = signal<"price" | "carry">("price");

const drawn = () => [
  { value: "price" as const, text: text().curve.price },
  { value: "carry" as const, text: text().curve.carry },
];

const draw = async (place: HTMLElement) => (await import("../../charts/tenors.ts")).drawTenors(place);

/** A contract of the curve, with what is worked out from it. */
interface Tenor {
  readonly horizon: Wire.Horizon;
  readonly days: number;
  readonly carry: string | null;
}

const tenorsOf = ({ horizons, computed_at }: Wire.ForwardView): readonly Tenor[] => {
  const daysTo = ({ expiry }: Wire.Horizon): number => daysUntil(expiry, Date.parse(computed_at));
  const nearest = horizons.find(({ futures }) => futures !== null);
  return horizons.map((horizon) => {
    const days = daysTo(horizon);
    const [later, earlier] = [horizon.futures?.settle_usd, nearest?.futures?.settle_usd];
    const isKnown = later !== undefined && earlier !== undefined && nearest !== undefined;
    return { horizon, days, carry: isKnown ? carryPercent(later, earlier, days - daysTo(nearest)) : null };
  });
};

const pointsOf = (view: Wire.ForwardView, tenors: readonly Tenor[], line: "price" | "carry"): readonly TenorPoint[] => {
  const points = tenors.flatMap(({ horizon, days, carry }) => {
    const figure = line === "price" ? horizon.futures?.settle_usd : carry;
    return figure === undefined || figure === null || days < 1 ? [] : [{ days, figure }];
  });
  return line === "price" ? [{ days: 0, figure: view.spot_usd }, ...points] : points;
};

const Row = ({ tenor: { horizon, days, carry } }: { readonly tenor: Tenor }) => (
  <tr>
    <th scope="row" class="day">
      {calendarDay(horizon.expiry)} <span class="soft second">{text().time.days({ count: days })}</span>
    </th>
    {horizon.futures === null ? (
      <td colSpan={6} class="soft">
        <bdi>{horizon.errors.join("; ") || text().curve.noSettlement}</bdi>
      </td>
    ) : (
      <>
        <td>{horizon.futures.contract}</td>
        <Cell of={horizon.futures.settle_usd} />
        <Cell of={carry} unit="%" />
        <Cell of={horizon.futures.open_interest} />
        <Cell of={horizon.futures.volume} />
        <td class="number">{lengthText(horizon.futures.settle_age_seconds * 1_000)}</td>
      </>
    )}
  </tr>
);

export const HorizonsPanel = ({ view, name }: { readonly view: Wire.ForwardView; readonly name: string }) => {
  const tenors = useMemo(() => tenorsOf(view), [view]);
  const points = useMemo(() => pointsOf(view, tenors, shownLine.value), [view, tenors, shownLine.value]);
  const lines = text().curve;
  const last = tenors.at(-1)?.horizon.expiry;
  const unit = unitText(metalOf(view.asset).unit);
  return (
    <Panel title={lines.title({ metal: name })} aside={<Segments label={lines.line} chosen={shownLine} options={drawn()} />}>
      <p class="legend">
        <span>
          <span class="soft">{lines.spot}</span> <Figure of={view.spot_usd} />{" "}
          <span class="soft">{text().names.per({ currency: "USD", unit })}</span>
        </span>
        <Age at={view.computed_at} />
      </p>
      <div class="drawing-place">
        <Drawing
          draw={draw}
          data={points}
          label={lines.label({
            metal: name,
            points: points.length,
            last: last === undefined ? lines.noExpiry : calendarDay(last),
          })}
        />
      </div>
      <Wide label={lines.contracts}>
        <table>
          <Heads
            columns={[
              lines.lastDay,
              lines.contract,
              ...figures(lines.settlementUsd, lines.carryAYear, lines.openInterest, lines.volume, lines.age),
            ]}
          />
          <tbody>
            {tenors.map((tenor) => (
              <Row key={tenor.horizon.expiry} tenor={tenor} />
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="soft note">{lines.note({ publishers: listText(view.sources.map(({ publisher }) => publisher)) })}</p>
    </Panel>
  );
};
