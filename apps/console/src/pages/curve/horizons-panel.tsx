/** The forward curve: what each contract settled at, and what carrying the metal until then costs a year. */
import type { Wire } from "@assay/sdk/trpc";
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { TenorPoint } from "../../charts/tenors.ts";
import { carryPercent } from "../../figures/exact.ts";
import { calendarDay, daysUntil, lengthText } from "../../figures/moments.ts";
import { Drawing } from "../../ui/drawing.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Age } from "../../ui/moment.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segments.tsx";

const shownLine = signal<"price" | "carry">("price");

const LINES = [
  { value: "price", text: "Price" },
  { value: "carry", text: "Carry, % a year" },
] as const;

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
      {calendarDay(horizon.expiry)} <span class="soft second">{days} days</span>
    </th>
    {horizon.futures === null ? (
      <td colSpan={6} class="soft">
        {horizon.errors.join("; ") || "no settlement is known"}
      </td>
    ) : (
      <>
        <td>{horizon.futures.contract}</td>
        <td class="number">
          <Figure of={horizon.futures.settle_usd} />
        </td>
        <td class="number">
          <Figure of={carry} unit="%" />
        </td>
        <td class="number">
          <Figure of={horizon.futures.open_interest} />
        </td>
        <td class="number">
          <Figure of={horizon.futures.volume} />
        </td>
        <td class="number">{lengthText(horizon.futures.settle_age_seconds * 1_000)}</td>
      </>
    )}
  </tr>
);

/** The panel. */
export const HorizonsPanel = ({ view, name }: { readonly view: Wire.ForwardView; readonly name: string }) => {
  const tenors = useMemo(() => tenorsOf(view), [view]);
  const points = useMemo(() => pointsOf(view, tenors, shownLine.value), [view, tenors, shownLine.value]);
  const unit = view.asset === "HG" ? "pound" : "troy ounce";
  return (
    <Panel title={`${name} forward`} aside={<Segments label="Line" chosen={shownLine} options={LINES} />}>
      <p class="legend">
        <span>
          <span class="soft">Spot</span> <Figure of={view.spot_usd} /> <span class="soft">USD per {unit}</span>
        </span>
        <Age at={view.computed_at} />
      </p>
      <div class="drawing-place">
        <Drawing
          draw={draw}
          data={points}
          label={`${name}: ${points.length} points from spot to ${tenors.at(-1)?.horizon.expiry ?? "no expiry"}`}
        />
      </div>
      <Wide label="Contracts">
        <table>
          <Heads
            columns={["Last day", "Contract", ...figures("Settlement, USD", "Carry a year", "Open interest", "Volume", "Age")]}
          />
          <tbody>
            {tenors.map((tenor) => (
              <Row key={tenor.horizon.expiry} tenor={tenor} />
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="soft note">
        Carry is against the nearest contract, which settled on the same day as the others: (settlement / nearest − 1) × 365 /
        days between them, not compounded. Settlements from {view.sources.map(({ publisher }) => publisher).join(", ")}.
      </p>
    </Panel>
  );
};
