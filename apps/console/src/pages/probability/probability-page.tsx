/** Probability: what options and prediction markets say a metal will cost on a day, and where venues differ. */
import type { Wire } from "@assay/sdk/trpc";
import { signal } from "@preact/signals";
import { opens } from "../../data/access.ts";
import { useAnswer } from "../../data/answers.ts";
import { codesOf, GOLD, METALS, metalText } from "../../data/catalogue.ts";
import { choice } from "../../data/choices.ts";
import { calendarDay } from "../../figures/moments.ts";
import { text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Choose, Select } from "../../ui/choose.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gated } from "../../ui/gated.tsx";
import { Loading, Nothing, Pending } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import { SurfacePanel } from "./surface-panel.tsx";

const Side = ({ leg }: { readonly leg: Wire.SignalBuy | Wire.SignalSell }) => (
  <td>
    {text().probability.legs[leg.side]({ price: <Figure of={leg.price} /> })}{" "}
    <span class="soft second">
      <bdi>{leg.venue}</bdi>
    </span>
  </td>
);

const Row = ({ signal }: { readonly signal: Wire.ArbitrageSignal }) => (
  <tr>
    <th scope="row">
      <Figure of={signal.strike} /> <span class="soft second">{calendarDay(signal.horizon_target)}</span>
    </th>
    <Side leg={signal.buy} />
    <Side leg={signal.sell} />
    <Cell of={signal.net_edge_bps} />
    <Cell of={signal.executable_size_usd} />
    <td class="number">
      <Age at={signal.detected_at} />
    </td>
  </tr>
);

/** Differences between venues that could be traded now; usually there are none. */
const SignalsPanel = ({ metal }: { readonly metal: string }) => {
  const { data, error, askAgain } = useAnswer(
    ["signals", metal],
    (api, options) => api.signals.arbitrage.query({ metal }, options),
    { everySeconds: 30 },
  );
  const lines = text().probability;
  return (
    <Panel title={lines.signalsTitle}>
      {data === undefined ? (
        <Pending what="signals" lines={3} error={error} askAgain={askAgain} />
      ) : data.signals.length === 0 ? (
        <Nothing>{lines.noSignals}</Nothing>
      ) : (
        <Wide label={lines.signals}>
          <table>
            <Heads columns={[lines.strike, lines.buy, lines.sell, ...figures(lines.netEdge, lines.size, lines.seen)]} />
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

/** The routes of surfaces have codes in lower case. */
const CODES = codesOf(METALS.filter(({ has_surface }) => has_surface));
const options = () => CODES.map((code) => ({ value: code.toLowerCase(), text: metalText(code) }));

const metal = choice(
  "probability",
  "metal",
  CODES.map((code) => code.toLowerCase()),
  GOLD.toLowerCase(),
);
/** The day; empty for the service's default. */
const horizon = signal("");

const Content = () => {
  const code = metal.value;
  const index = useAnswer(["expiries", code], (api, options) => api.surface.expiries.query({ metal: code }, options), {
    everySeconds: 60,
  });
  const days = index.data?.horizons ?? [];
  const day = days.some((one) => one.horizon === horizon.value) ? horizon.value : (index.data?.default_horizon ?? "");
  const surface = useAnswer(
    ["surface", code, day],
    (api, options) => api.surface.get.query({ metal: code, horizon: day }, options),
    { everySeconds: 60, isWanted: day !== "" },
  );
  const failed = index.error !== null && index.data === undefined ? index : surface;
  return (
    <>
      <div class="choices">
        <Choose label={text().ui.metal} chosen={metal} options={options()} />
        {days.length === 0 ? null : (
          <Select
            label={text().probability.day}
            chosen={horizon}
            value={day}
            options={days.map((one) => ({
              value: one.horizon,
              text: text().probability.dayOption({
                day: calendarDay(one.horizon),
                days: Math.round(one.days_to_expiry),
                quotes: one.markets_count,
              }),
            }))}
          />
        )}
      </div>
      {surface.data !== undefined ? (
        <SurfacePanel surface={surface.data} />
      ) : (
        <section class="panel tall">
          {failed.error === null ? (
            <Loading what="distribution" lines={12} />
          ) : (
            <Refusal error={failed.error} askAgain={failed.askAgain} />
          )}
        </section>
      )}
      {failed.error === null ? <SignalsPanel metal={code} /> : null}
    </>
  );
};

export const ProbabilityPage = () => (
  <div class="page">
    <PageHead title={text().ui.pages.probability}>{text().probability.intro}</PageHead>
    <Gated part="surface.get" what="probability">
      <Content />
    </Gated>
    <AsCall
      calls={[
        {
          what: text().calls.days,
          path: `v1/surface/${metal.value}/expiries`,
          sdk: `assay.surface.expiries("${metal.value}")`,
          isOpen: opens("surface.get"),
        },
        {
          what: text().calls.distribution,
          path: `v1/surface/${metal.value}${horizon.value === "" ? "" : `?horizon=${horizon.value}`}`,
          sdk: `assay.surface.get("${metal.value}"${horizon.value === "" ? "" : `, { horizon: "${horizon.value}" }`})`,
          isOpen: opens("surface.get"),
        },
        {
          what: text().calls.signals,
          path: `v1/signals/arbitrage?metal=${metal.value}`,
          sdk: `assay.signals.arbitrage({ metal: "${metal.value}" })`,
          isOpen: opens("surface.get"),
        },
      ]}
    />
  </div>
);
