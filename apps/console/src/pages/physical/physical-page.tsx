/** Physical metal: what dealers ask above spot, by country and by product. */
import type { Wire } from "@assay/sdk/trpc";
import { opens } from "../../data/access.ts";
import { type Answer, useAnswer } from "../../data/answers.ts";
import { countryText, unitText } from "../../data/catalogue.ts";
import { choice } from "../../data/choices.ts";
import { percentOfBps } from "../../figures/exact.ts";
import { lineOf, text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Gated } from "../../ui/gated.tsx";
import { Nothing, PendingPanel } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import { CountriesPanel } from "./countries-panel.tsx";
import { isReference } from "./premiums.ts";

const Percent = ({ ofBps }: { readonly ofBps: number | null }) => <Cell of={ofBps === null ? null : percentOfBps(ofBps)} />;

const Row = ({ quote }: { readonly quote: Wire.DealerQuote }) => (
  <tr>
    <th scope="row">
      <bdi>{quote.product}</bdi>{" "}
      {isReference(quote) ? (
        <Badge tone="plain" title={text().physical.referenceLong}>
          {text().physical.reference}
        </Badge>
      ) : null}
      <span class="soft second">
        <bdi>{quote.dealer}</bdi>
        {quote.tax_included ? ` · ${text().physical.taxIncluded}` : ""}
      </span>
    </th>
    <Cell of={quote.weight} unit={lineOf(text().names.short, quote.weight_unit, quote.weight_unit)} />
    <Cell of={quote.sell_price} />
    <Cell of={quote.buyback_price} />
    <Percent ofBps={quote.premium_over_spot_bps} />
    <Percent ofBps={quote.spread_bps} />
    <td class="number">{quote.is_stale ? <Badge tone="warn">{text().ui.stale}</Badge> : <Age at={quote.quoted_at} />}</td>
  </tr>
);

const columnsOf = ({ currency }: Wire.PhysicalQuotes) => {
  const { product, weight, asks, pays, premium, spreadPercent, quoted } = text().physical;
  return [product, ...figures(weight, asks({ currency }), pays, premium, spreadPercent, quoted)];
};

/** A country's dealers: every product, its two prices, and how far they are from spot. */
const QuotesPanel = ({ country }: { readonly country: Wire.PhysicalQuotes }) => (
  <Panel title={text().physical.dealersIn({ country: countryText(country.country, country.name) })}>
    {country.spot_reference === null ? (
      <p class="soft">{text().physical.noSpot}</p>
    ) : (
      <p class="legend">
        <span>
          <span class="soft">{text().physical.spot}</span>{" "}
          <Figure
            of={country.spot_reference.price_local_per_gram}
            unit={text().names.per({ currency: country.currency, unit: unitText("gram") })}
          />
        </span>
        {country.spot_reference.fx_rate === null ? null : (
          <span>
            <span class="soft">{text().physical.rate}</span>{" "}
            <Figure of={country.spot_reference.fx_rate} unit={text().names.per({ currency: country.currency, unit: "USD" })} />
          </span>
        )}
        <Age at={country.spot_reference.computed_at} />
        {country.spot_reference.is_stale ? <Badge tone="warn">{text().ui.stale}</Badge> : null}
      </p>
    )}
    {country.quotes.length === 0 ? (
      <Nothing>{text().physical.noDealer}</Nothing>
    ) : (
      <Wide label={text().physical.dealers}>
        <table>
          <Heads columns={columnsOf(country)} />
          <tbody>
            {country.quotes.map((quote) => (
              <Row key={quote.id} quote={quote} />
            ))}
          </tbody>
        </table>
      </Wide>
    )}
    {country.errors.length === 0 ? null : (
      <p class="soft note">
        <bdi>{country.errors.join("; ")}</bdi>
      </p>
    )}
  </Panel>
);

const COUNTRIES = ["AE", "CN", "EG", "HK", "ID", "IN", "JP", "MY", "NP", "PK", "SA", "VN"] as const;

const country = choice<string>("physical", "country", COUNTRIES, "AE");

/** All countries: a call each, sent together, so they are read every five minutes only. */
const useCountries = (): Answer<readonly Wire.PhysicalQuotes[]> =>
  useAnswer(
    ["physical"],
    async (api, options) => {
      const { countries } = await api.physical.list.query(undefined, options);
      return Promise.all(countries.map((one) => api.physical.get.query({ country: one.country }, options)));
    },
    { everySeconds: 300 },
  );

const Content = () => {
  const { data, error, askAgain } = useCountries();
  if (data === undefined) return <PendingPanel what="dealers" lines={12} error={error} askAgain={askAgain} />;
  const chosen = data.find((one) => one.country === country.value) ?? data[0];
  return (
    <>
      <CountriesPanel countries={data} chosen={country} />
      {chosen === undefined ? null : <QuotesPanel country={chosen} />}
    </>
  );
};

export const PhysicalPage = () => (
  <div class="page">
    <PageHead title={text().ui.pages.physical}>{text().physical.intro}</PageHead>
    <Gated part="physical.get" what="physical">
      <Content />
    </Gated>
    <AsCall
      calls={[
        { what: text().calls.countries, path: "v1/physical", sdk: "assay.physical.list()", isOpen: opens("physical.get") },
        {
          what: text().calls.country,
          path: `v1/physical/${country.value}`,
          sdk: `assay.physical.get("${country.value}")`,
          isOpen: opens("physical.get"),
        },
      ]}
    />
  </div>
);
