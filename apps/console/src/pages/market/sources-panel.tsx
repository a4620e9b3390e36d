/** The sources side by side, and how far each is from the price. */
import { distanceBps } from "../../figures/exact.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
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
          <Heads columns={["Source", ...figures("USD", "bps from the price")]} />
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
                  <td class="number">
                    {bps === null ? null : <Offset bps={bps} />}
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
