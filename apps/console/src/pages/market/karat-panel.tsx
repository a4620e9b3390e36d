/** Gold per gram by purity, in the chosen currency. */
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { metal, priced } from "./choices.ts";
import type { MarketView } from "./market-view.ts";

const KARATS = [24, 22, 21, 20, 18, 16, 14, 10] as const;

/** The panel. */
export const KaratPanel = ({ view: { row } }: { readonly view: MarketView }) => (
  <Panel title="Per gram by karat" place="karat">
    {metal.value !== "XAU" ? (
      <Nothing>Karats are for gold.</Nothing>
    ) : row === undefined ? (
      <Loading what="the karat table" lines={8} />
    ) : (
      <table>
        <Heads columns={["Purity", ...figures(`${priced} per gram`)]} />
        <tbody>
          {KARATS.map((karat) => (
            <tr key={karat}>
              <th scope="row">
                {karat} karat <span class="soft">{karat} ⁄ 24</span>
              </th>
              <td class="number">
                <Figure of={row[`price_gram_${karat}k`]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Panel>
);
