/** A metal's distribution on a day: percentiles, the chart, the strikes behind it. */
import type { Wire } from "@assay/sdk/trpc";
import { useMemo } from "preact/hooks";
import { asPercent, percentText, shown } from "../../figures/digits.ts";
import { calendarDay, lengthText } from "../../figures/moments.ts";
import { unbroken } from "../../text/marks.ts";
import { lineOf, listText, sentenceOf, text } from "../../text/text.ts";
import { Drawing } from "../../ui/drawing.tsx";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Panel, Tile } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";

const draw = async (place: HTMLElement) => (await import("../../charts/distribution.ts")).drawDistribution(place);

const PERCENTILES = ["p10", "p25", "p50", "p75", "p90"] as const;

const CONFIDENCE_TONE = { high: "good", medium: "plain", low: "warn" } as const;

const Percentiles = ({ surface }: { readonly surface: Wire.Surface }) => (
  <dl class="tiles">
    {PERCENTILES.map((name) => (
      <Tile
        key={name}
        name={
          name === "p50" ? text().probability.median : text().probability.chanceBelow({ percent: percentText(name.slice(1)) })
        }
      >
        <Figure of={surface.percentiles[name]} />
      </Tile>
    ))}
  </dl>
);

const strikeColumns = () => {
  const { strikeUsd, chanceAbove, asQuoted, from } = text().probability;
  return [...figures(strikeUsd, chanceAbove, asQuoted), from];
};

const Strikes = ({ points }: Pick<Wire.Surface, "points">) => (
  <details class="as-table">
    <summary>{text().probability.strikesBehind({ count: points.length })}</summary>
    <Wide label={text().probability.strikes}>
      <table>
        <Heads columns={strikeColumns()} />
        <tbody>
          {points.map((point) => (
            <tr key={point.strike}>
              <Cell of={point.strike} />
              <td class="number">
                <Figure of={asPercent(point.prob_above)} unit="%" />
              </td>
              <td class="number">
                <Figure of={point.raw_prob_above === null ? null : asPercent(point.raw_prob_above)} unit="%" />
              </td>
              <td class="soft">{point.extrapolated ? text().probability.beyond : listText(point.sources)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  </details>
);

export const SurfacePanel = ({ surface }: { readonly surface: Wire.Surface }) => {
  const strikes = useMemo(
    () => surface.points.map(({ strike, prob_above }) => ({ strike, above: prob_above })),
    [surface.points],
  );
  const lines = text().probability;
  return (
    <Panel title={lines.on({ day: calendarDay(surface.horizon) })}>
      <p class="legend">
        <span>
          <span class="soft">{lines.spot}</span> <Figure of={surface.spot_usd} />
        </span>
        <span>
          <span class="soft">{lines.forward}</span> <Figure of={surface.forward_usd} />
        </span>
        <span class="soft">{lines.old({ length: lengthText(surface.snapshot_age_seconds * 1_000) })}</span>
        <Badge tone={CONFIDENCE_TONE[surface.confidence]}>{lines.confidence[surface.confidence]}</Badge>
        {surface.thin_liquidity ? <Badge tone="warn">{lines.fewQuotes}</Badge> : null}
        {surface.flags.map((flag) => (
          <Badge key={flag} tone="plain">
            {lineOf(lines.flags, flag, flag.replaceAll("_", " "))}
          </Badge>
        ))}
      </p>
      <Percentiles surface={surface} />
      <div class="drawing-place">
        <Drawing
          draw={draw}
          data={strikes}
          label={lines.label({ strikes: strikes.length, median: shown(surface.percentiles.p50) })}
        />
      </div>
      <p class="soft note">
        {lines.key({ lineKey: <b class="key-line" />, areaKey: <b class="key-area" /> })}{" "}
        {listText(surface.venues.map(({ venue, markets_used }) => lines.venue({ venue: unbroken(venue), quotes: markets_used })))}
      </p>
      <p class="soft note">
        <bdi>{sentenceOf(surface.disclaimer, lines.disclaimer)}</bdi>
      </p>
      <Strikes points={surface.points} />
    </Panel>
  );
};
