/** Twelve countries side by side: what the cheapest bar costs above spot, and how far its two prices are apart. */
import type { Wire } from "@assay/sdk/trpc";
import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type Cheapest, cheapestOf, spanOf } from "./premiums.ts";

interface StripProps {
  readonly cheapest: Cheapest | null;
  readonly span: readonly [number, number];
}

/** From what the dealer pays to what the dealer asks; the thin line is spot. */
const Strip = ({ cheapest, span: [from, to] }: StripProps) => {
  const at = (bps: number): string => `${(((bps - from) / (to - from)) * 100).toFixed(2)}%`;
  const start = cheapest === null ? 0 : Math.min(cheapest.buybackBps ?? cheapest.premiumBps, cheapest.premiumBps);
  return (
    <span class="strip" aria-hidden="true">
      <i class="spot" style={{ left: at(0) }} />
      {cheapest === null ? null : (
        <i
          class="spread"
          style={{
            left: at(start),
            right: `calc(100% - ${at(Math.max(cheapest.premiumBps, cheapest.buybackBps ?? cheapest.premiumBps))})`,
          }}
        />
      )}
    </span>
  );
};

interface CountriesProps {
  readonly countries: readonly Wire.PhysicalQuotes[];
  readonly chosen: Signal<string>;
}

/** The panel. */
export const CountriesPanel = ({ countries, chosen }: CountriesProps) => {
  const rows = useMemo(() => countries.map((country) => ({ country, cheapest: cheapestOf(country) })), [countries]);
  const span = useMemo(() => spanOf(rows.map(({ cheapest }) => cheapest)), [rows]);
  return (
    <Panel title="Premium over spot">
      <ul class="countries">
        {rows.map(({ country, cheapest }) => (
          <li key={country.country}>
            <button
              type="button"
              aria-pressed={chosen.value === country.country}
              onClick={() => {
                chosen.value = country.country;
              }}
            >
              <span class="country">{country.name}</span>
              <Strip cheapest={cheapest} span={span} />
              {cheapest === null ? (
                <Badge tone="warn">no fresh quote</Badge>
              ) : (
                <>
                  <span class="number">
                    <Figure of={cheapest.premiumBps} unit="bps" />
                  </span>
                  <span class="number soft spread-figure">
                    spread <Figure of={cheapest.quote.spread_bps} />
                  </span>
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p class="soft note">
        Each strip is the cheapest bar of a country: its right end is what the dealer asks, its left end what the dealer pays, and
        a lone mark is a dealer who names no price to pay; the thin line is spot. Premiums are in basis points of spot in the
        local currency, tax included where the dealer includes it.
      </p>
    </Panel>
  );
};
