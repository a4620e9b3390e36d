/** A metal's distribution on a day: percentiles, the chart, the strikes behind it. */
import type { Wire } from "@assay/sdk/trpc";
import { useMemo } from "preact/hooks";
import { calendarDay, lengthText } from "../../figures/moments.ts";
import { asPercent } from "../../figures/shift.ts";
import { Badge } from "../../ui/badge.tsx";
import { Drawing } from "../../ui/drawing.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";

const draw = async (place: HTMLElement) => (await import("../../charts/distribution.ts")).drawDistribution(place);

const PERCENTILES = ["p10", "p25", "p50", "p75", "p90"] as const;

const CONFIDENCE_TONE = { high: "good", medium: "plain", low: "warn" } as const;

const Percentiles = ({ surface }: { readonly surface: Wire.Surface }) => (
  <dl class="tiles">
    {PERCENTILES.map((name) => (
      <div key={name}>
        <dt>{name === "p50" ? "Median" : `${name.slice(1)} % below`}</dt>
        <dd>
          <Figure of={surface.percentiles[name]} />
        </dd>
      </div>
    ))}
  </dl>
);

const Strikes = ({ points }: Pick<Wire.Surface, "points">) => (
  <details class="as-table">
    <summary>The {points.length} strikes behind it</summary>
    <Wide label="Strikes">
      <table>
        <Heads columns={[...figures("Strike, USD", "Chance above", "As quoted"), "From"]} />
        <tbody>
          {points.map((point) => (
            <tr key={point.strike}>
              <td class="number">
                <Figure of={point.strike} />
              </td>
              <td class="number">
                <Figure of={asPercent(point.prob_above)} unit="%" />
              </td>
              <td class="number">
                <Figure of={point.raw_prob_above === null ? null : asPercent(point.raw_prob_above)} unit="%" />
              </td>
              <td class="soft">{point.extrapolated ? "beyond the quotes" : point.sources.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  </details>
);

/** The panel. */
export const SurfacePanel = ({ surface }: { readonly surface: Wire.Surface }) => {
  const strikes = useMemo(
    () => surface.points.map(({ strike, prob_above }) => ({ strike, above: prob_above })),
    [surface.points],
  );
  return (
    <Panel title={`On ${calendarDay(surface.horizon)}`}>
      <p class="legend">
        <span>
          <span class="soft">Spot</span> <Figure of={surface.spot_usd} />
        </span>
        <span>
          <span class="soft">Forward</span> <Figure of={surface.forward_usd} />
        </span>
        <span class="soft">{lengthText(surface.snapshot_age_seconds * 1_000)} old</span>
        <Badge tone={CONFIDENCE_TONE[surface.confidence]}>{surface.confidence} confidence</Badge>
        {surface.thin_liquidity ? <Badge tone="warn">few quotes</Badge> : null}
        {surface.flags.map((flag) => (
          <Badge key={flag} tone="plain">
            {flag.replaceAll("_", " ")}
          </Badge>
        ))}
      </p>
      <Percentiles surface={surface} />
      <div class="drawing-place">
        <Drawing
          draw={draw}
          data={strikes}
          label={`Chance of a price above each of ${strikes.length} strikes; the median is ${surface.percentiles.p50}`}
        />
      </div>
      <p class="soft note">
        <b class="key-line" /> chance of ending above a price <b class="key-area" /> where the probability lies.{" "}
        {surface.venues.map(({ venue, markets_used }) => `${venue}: ${markets_used} quotes`).join(", ")}. {surface.disclaimer}
      </p>
      <Strikes points={surface.points} />
    </Panel>
  );
};
