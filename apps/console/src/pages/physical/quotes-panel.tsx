/** A country's dealers: every product, its two prices, and how far they are from spot. */
import type { Wire } from "@assay/sdk/trpc";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Nothing } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";

const UNIT_TEXT: Readonly<Record<Wire.DealerQuote["weight_unit"], string>> = {
  ...{ gram: "g", kg: "kg", oz: "oz", tola: "tola", tael: "tael", luong: "luong", chi: "chi" },
};

const Row = ({ quote }: { readonly quote: Wire.DealerQuote }) => (
  <tr>
    <th scope="row">
      {quote.product}
      <span class="soft second">
        {quote.dealer}
        {quote.tax_included ? ", tax included" : ""}
      </span>
    </th>
    <td class="number">
      <Figure of={quote.weight} unit={UNIT_TEXT[quote.weight_unit]} />
    </td>
    <td class="number">
      <Figure of={quote.sell_price} />
    </td>
    <td class="number">
      <Figure of={quote.buyback_price} />
    </td>
    <td class="number">
      <Figure of={quote.premium_over_spot_bps} />
    </td>
    <td class="number">
      <Figure of={quote.spread_bps} />
    </td>
    <td class="number">{quote.is_stale ? <Badge tone="warn">stale</Badge> : <Age at={quote.quoted_at} />}</td>
  </tr>
);

/** The panel. */
export const QuotesPanel = ({ country }: { readonly country: Wire.PhysicalQuotes }) => (
  <Panel title={`Dealers in ${country.name}`}>
    {country.spot_reference === null ? (
      <p class="soft">No spot price to compare with at the moment.</p>
    ) : (
      <p class="legend">
        <span>
          <span class="soft">Spot</span>{" "}
          <Figure of={country.spot_reference.price_local_per_gram} unit={`${country.currency} per gram`} />
        </span>
        {country.spot_reference.fx_rate === null ? null : (
          <span>
            <span class="soft">Rate</span> <Figure of={country.spot_reference.fx_rate} unit={`${country.currency} per USD`} />
          </span>
        )}
        <Age at={country.spot_reference.computed_at} />
        {country.spot_reference.is_stale ? <Badge tone="warn">stale</Badge> : null}
      </p>
    )}
    {country.quotes.length === 0 ? (
      <Nothing>No dealer is read in this country yet.</Nothing>
    ) : (
      <Wide label="Dealers">
        <table>
          <Heads
            columns={[
              "Product",
              ...figures("Weight", `Asks, ${country.currency}`, "Pays", "Premium, bps", "Spread, bps", "Quoted"),
            ]}
          />
          <tbody>
            {country.quotes.map((quote) => (
              <Row key={quote.id} quote={quote} />
            ))}
          </tbody>
        </table>
      </Wide>
    )}
    {country.errors.length === 0 ? null : <p class="soft note">{country.errors.join("; ")}</p>}
  </Panel>
);
