/** The sources side by side, and how far each is from the price. */
import { distanceBps } from "../../figures/exact.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import type { MarketView } from "./market-view.ts";

/** Distances beyond this fill half the bar, in basis points. */
const WIDEST_BPS = 20;

const Offset = ({ bps }: { readonly bps: string }) => {
  const share = Math.max(-1, Math.min(1, Number(bps) / WIDEST_BPS)) * 50;
  return (
    <span class="offset" aria-hidden="true">
      <i style={share < 0 ? { right: "50%", width: `${-share}%` } : { left: "50%", width: `${share}%` }} />
    </span>
  );
};

/** The panel. */
export const SourcesPanel = ({ view: { dollars, error, isLeftOut } }: { readonly view: MarketView }) => (
  <Panel title="Sources" place="sources">
    {dollars === undefined ? (
      error === null && !isLeftOut ? (
        <Loading what="the sources" lines={4} />
      ) : (
        <Nothing>They are shown with the price.</Nothing>
      )
    ) : dollars.sources === undefined || dollars.sources.length === 0 ? (
      <Nothing>No source reports this price at the moment.</Nothing>
    ) : (
      <Wide label="Sources">
        <table>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col" class="number">
                USD
              </th>
              <th scope="col" class="number" colSpan={2}>
                bps from the price
              </th>
            </tr>
          </thead>
          <tbody>
            {dollars.sources.map(({ source, display_name, price, is_stale, informational }) => {
              const bps = price === undefined || dollars.price === undefined ? null : distanceBps(price, dollars.price);
              return (
                <tr key={source}>
                  <th scope="row">
                    {display_name ?? source} {is_stale ? <Badge tone="warn">stale</Badge> : null}{" "}
                    {informational ? (
                      <Badge tone="plain" title="For reference: it never sets the price">
                        reference
                      </Badge>
                    ) : null}
                  </th>
                  <td class="number">
                    <Figure of={price} />
                  </td>
                  <td class="offset-cell">{bps === null ? null : <Offset bps={bps} />}</td>
                  <td class="number">
                    <Figure of={bps} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Wide>
    )}
    <p class="soft note">
      The price is the median of the fresh sources that agree, in dollars per {dollars?.unit === "pound" ? "pound" : "troy ounce"}
      .
    </p>
  </Panel>
);
