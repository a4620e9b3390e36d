/** The sources side by side, and how far each is from the price. */
import type { Wire } from "@assay/sdk/trpc";
import { metalOf, unitText } from "../../data/catalogue.ts";
import { distancePercent, inTermsOf } from "../../figures/exact.ts";
import { ruleText, text } from "../../text/text.ts";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import { isInBars, metal, priced, weighed } from "./choices.ts";
import type { MarketView } from "./market-view.ts";

/** Distances beyond this fill half the bar, in percent. */
const WIDEST_PERCENT = 0.2;

/** A source's price in the money and weight of the price that is shown: they differ by the same factor. */
const inMoney = (source: string | undefined, own: string | undefined, shown: string | undefined): string | undefined => {
  if (source === undefined || isInBars.value) return source;
  return own === undefined || shown === undefined ? undefined : inTermsOf(source, own, shown);
};

const inWhat = (): string => {
  const { inDollars, inMoney: converted } = text().priceSources;
  const unit = unitText(metalOf(metal.value).unit);
  return isInBars.value
    ? inDollars({ unit })
    : converted({ unit, per: text().names.per({ currency: priced.value, unit: unitText(weighed.value) }) });
};

const Offset = ({ percent }: { readonly percent: string }) => {
  const share = Math.max(-1, Math.min(1, Number(percent) / WIDEST_PERCENT)) * 50;
  return (
    <span class="offset" dir="ltr" aria-hidden="true">
      <i style={share < 0 ? { right: "50%", width: `${-share}%` } : { left: "50%", width: `${share}%` }} />
    </span>
  );
};

/** What became of a source whose reading is not in the price; nothing for one that is. */
const Verdict = ({ of: { verdict, role, rule } }: { readonly of: Wire.Source }) => {
  const { reference, referenceLong, standby, standbyLong } = text().priceSources;
  const why =
    verdict === "refused"
      ? [text().status.refused, ...(rule === undefined ? [] : [ruleText(rule)])].join(": ")
      : verdict === "silent"
        ? text().sources.kinds.silent
        : null;
  if (why !== null) return <Badge tone="warn">{why}</Badge>;
  const [name, long] = role === "reference" ? [reference, referenceLong] : [standby, standbyLong];
  return verdict === "standby" ? (
    <Badge tone="plain" title={long}>
      {name}
    </Badge>
  ) : null;
};

export const SourcesPanel = ({ view: { dollars, price: shown, error, isLeftOut } }: { readonly view: MarketView }) => (
  <Panel title={text().priceSources.title} place="sources">
    {dollars === undefined ? (
      error === null && !isLeftOut ? (
        <Loading what="sources" lines={4} />
      ) : (
        <Nothing>{text().priceSources.withPrice}</Nothing>
      )
    ) : dollars.sources === undefined || dollars.sources.length === 0 ? (
      <Nothing>{text().priceSources.none}</Nothing>
    ) : (
      <Wide label={text().priceSources.title}>
        <table>
          <Heads columns={[text().priceSources.source, ...figures(priced.value, text().priceSources.offBy)]} />
          <tbody>
            {dollars.sources.map((each) => {
              const { source, display_name, price, is_stale } = each;
              const percent = price === undefined || dollars.price === undefined ? null : distancePercent(price, dollars.price);
              return (
                <tr key={source}>
                  <th scope="row">
                    <bdi>{display_name ?? source}</bdi> <Verdict of={each} />{" "}
                    {is_stale && each.verdict !== "silent" ? <Badge tone="warn">{text().ui.stale}</Badge> : null}
                  </th>
                  <Cell of={inMoney(price, dollars.price, shown)} />
                  <td class="number">
                    {percent === null ? null : <Offset percent={percent} />}
                    <Figure of={percent} unit="%" />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Wide>
    )}
    <p class="soft note">
      {text().priceSources.median} {inWhat()}
    </p>
  </Panel>
);
