/** What the metal is worth by purity. */
import { METALS, metalName, unitText } from "../../data/catalogue.ts";
import { shown } from "../../figures/digits.ts";
import { ofPurity } from "../../figures/exact.ts";
import { listText, text } from "../../text/text.ts";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads } from "../../ui/table.tsx";
import { finenesses, hasKarats, priced, weighed } from "./choices.ts";
import type { MarketView } from "./market-view.ts";

const KARATS = [24, 22, 21, 20, 18, 16, 14, 10] as const;

const karatMetals = (): string => listText(METALS.filter(({ karats }) => karats).map(({ code }) => metalName(code)));

const priceColumn = (): string => text().names.per({ currency: priced.value, unit: unitText(weighed.value) });

const WithoutKarats = ({ price }: { readonly price: string | undefined }) =>
  finenesses.value.length === 0 ? (
    <Nothing>{text().purity.karatsFor({ metals: karatMetals() })}</Nothing>
  ) : (
    <table>
      <Heads columns={[text().purity.partsOf1000, ...figures(priceColumn())]} />
      <tbody>
        {finenesses.value.map((fineness) => (
          <tr key={fineness}>
            <th scope="row">{shown(String(fineness))}</th>
            <Cell of={price === undefined ? undefined : ofPurity(price, fineness, 1_000)} />
          </tr>
        ))}
      </tbody>
    </table>
  );

/** The price of a karat: of a gram as published, of another weight worked out from the price that is shown. */
const karatPrice = (karat: (typeof KARATS)[number], { row, price }: MarketView): string | undefined => {
  if (weighed.value === "gram") return row?.[`price_gram_${karat}k`];
  return price === undefined ? undefined : ofPurity(price, karat, 24);
};

/** The metal by purity, in the chosen currency and weight. */
export const KaratPanel = ({ view }: { readonly view: MarketView }) => (
  <Panel title={text().purity.title} place={`karat ${hasKarats.value ? "with-karats" : ""}`}>
    {!hasKarats.value ? (
      <WithoutKarats price={view.price} />
    ) : view.row === undefined ? (
      <Loading what="karats" lines={8} />
    ) : (
      <table>
        <Heads columns={[text().purity.purity, ...figures(priceColumn())]} />
        <tbody>
          {KARATS.map((karat) => (
            <tr key={karat}>
              <th scope="row">
                {text().names.karat({ karat })}{" "}
                <bdi dir="ltr" class="soft">
                  {shown(String(karat))} ⁄ {shown(String(KARATS[0]))}
                </bdi>
              </th>
              <Cell of={karatPrice(karat, view)} />
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Panel>
);
