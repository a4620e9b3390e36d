/** Twelve countries side by side: what the cheapest bar costs above spot, and how far its two prices are apart. */
import type { Wire } from "@assay/sdk/trpc";
import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { countryText } from "../../data/catalogue.ts";
import { percentOfBps } from "../../figures/exact.ts";
import { text } from "../../text/text.ts";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type Cheapest, cheapestOf, isReference, spanOf } from "./premiums.ts";

interface StripProps {
  readonly cheapest: Cheapest | null;
  readonly span: readonly [number, number];
}

/** From what the dealer pays to what the dealer asks; the thin line is spot. */
const Strip = ({ cheapest, span: [from, to] }: StripProps) => {
  const at = (bps: number): string => `${(((bps - from) / (to - from)) * 100).toFixed(2)}%`;
  const start = cheapest === null ? 0 : Math.min(cheapest.buybackBps ?? cheapest.premiumBps, cheapest.premiumBps);
  return (
    <span class="strip" dir="ltr" aria-hidden="true">
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

/** Why a country has no bar to show. */
const NoQuote = ({ country: { quotes } }: { readonly country: Wire.PhysicalQuotes }) =>
  quotes.some((quote) => isReference(quote) && !quote.is_stale) ? (
    <Badge tone="plain">{text().physical.onlyReference}</Badge>
  ) : (
    <Badge tone="warn">{text().physical.noQuote}</Badge>
  );

interface CountriesProps {
  readonly countries: readonly Wire.PhysicalQuotes[];
  readonly chosen: Signal<string>;
}

export const CountriesPanel = ({ countries, chosen }: CountriesProps) => {
  const rows = useMemo(() => countries.map((country) => ({ country, cheapest: cheapestOf(country) })), [countries]);
  const span = useMemo(() => spanOf(rows.map(({ cheapest }) => cheapest)), [rows]);
  return (
    <Panel title={text().physical.premiumOverSpot}>
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
              <span class="country">{countryText(country.country, country.name)}</span>
              <Strip cheapest={cheapest} span={span} />
              {cheapest === null ? (
                <NoQuote country={country} />
              ) : (
                <>
                  <span class="number">
                    <Figure of={percentOfBps(cheapest.premiumBps)} unit="%" />
                  </span>
                  <span class="number soft spread-figure">
                    {text().physical.spread({
                      figure: (
                        <Figure
                          of={cheapest.quote.spread_bps === null ? null : percentOfBps(cheapest.quote.spread_bps)}
                          unit="%"
                        />
                      ),
                    })}
                  </span>
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p class="soft note">{text().physical.note}</p>
    </Panel>
  );
};
