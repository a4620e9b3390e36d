/** Daily settlements of the front contract, newest first. */
import type { FuturesSymbol } from "@assay/sdk";
import { useAnswer } from "../../data/answers.ts";
import { key } from "../../data/key.ts";
import { OPENS_WITH } from "../../data/opens-with.ts";
import { calendarDay } from "../../figures/moments.ts";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { NeedsKey } from "../../ui/needs-key.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";

/** The panel. */
export const SettlementsPanel = ({ symbol }: { readonly symbol: FuturesSymbol }) => {
  const { data, error, askAgain } = useAnswer(
    ["settlements", symbol],
    (api, options) => api.settlements.list.query({ symbol, limit: 30 }, options),
    { everySeconds: 600, isWanted: key.value !== null },
  );
  if (key.value === null) return <NeedsKey what="Daily settlements are shown" tier={OPENS_WITH["settlements.list"]} />;
  const disclaimer = data?.settlements.find((row) => row.disclaimer !== undefined)?.disclaimer;
  return (
    <Panel title={`Settlements of ${symbol}`}>
      {error !== null && data === undefined ? (
        <Refusal error={error} askAgain={askAgain} />
      ) : data === undefined ? (
        <Loading what="the settlements" lines={12} />
      ) : data.settlements.length === 0 ? (
        <Nothing>No settlement is stored yet.</Nothing>
      ) : (
        <Wide label="Settlements">
          <table>
            <Heads columns={["Day", ...figures("Settlement, USD", "Before", "Change", "Volume", "Open interest"), "Source"]} />
            <tbody>
              {data.settlements.map((row) => (
                <tr key={row.settlement_date}>
                  <th scope="row" class="day">
                    {calendarDay(row.settlement_date)}
                  </th>
                  {[row.settlement_price, row.prior_settlement, row.change_value, row.volume, row.open_interest].map(
                    (figure, part) => (
                      <td key={part} class="number">
                        <Figure of={figure} />
                      </td>
                    ),
                  )}
                  <td class="soft whole-words">{row.source ?? "unknown"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {disclaimer === undefined ? null : <p class="soft note">{disclaimer}</p>}
    </Panel>
  );
};
