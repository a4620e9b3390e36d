/** Differences between venues that could be traded now; usually there are none. */
import type { SurfaceMetal } from "@assay/sdk";
import type { Wire } from "@assay/sdk/trpc";
import { useAnswer } from "../../data/answers.ts";
import { calendarDay } from "../../figures/moments.ts";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Loading, Nothing } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";

const Side = ({ leg }: { readonly leg: Wire.SignalBuy | Wire.SignalSell }) => (
  <td>
    {leg.side} at <Figure of={leg.price} /> <span class="soft second">{leg.venue}</span>
  </td>
);

const Row = ({ signal }: { readonly signal: Wire.ArbitrageSignal }) => (
  <tr>
    <th scope="row">
      <Figure of={signal.strike} /> <span class="soft second">{calendarDay(signal.horizon_target)}</span>
    </th>
    <Side leg={signal.buy} />
    <Side leg={signal.sell} />
    <td class="number">
      <Figure of={signal.net_edge_bps} />
    </td>
    <td class="number">
      <Figure of={signal.executable_size_usd} />
    </td>
    <td class="number">
      <Age at={signal.detected_at} />
    </td>
  </tr>
);

/** The panel. */
export const SignalsPanel = ({ metal }: { readonly metal: SurfaceMetal }) => {
  const { data, error, askAgain } = useAnswer(
    ["signals", metal],
    (api, options) => api.signals.arbitrage.query({ metal }, options),
    { everySeconds: 30 },
  );
  return (
    <Panel title="Signals between venues">
      {error !== null && data === undefined ? (
        <Refusal error={error} askAgain={askAgain} />
      ) : data === undefined ? (
        <Loading what="the signals" lines={3} />
      ) : data.signals.length === 0 ? (
        <Nothing>No edge between venues survives its fees at the moment, which is the normal case.</Nothing>
      ) : (
        <Wide label="Signals">
          <table>
            <Heads columns={["Strike", "Buy", "Sell", ...figures("Net edge, bps", "Size, USD", "Seen")]} />
            <tbody>
              {data.signals.map((one) => (
                <Row key={one.id} signal={one} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </Panel>
  );
};
