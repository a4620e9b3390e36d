/** Probability: what options and prediction markets say a metal will cost on a day. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/sdk";
import { signal } from "@preact/signals";
import { useAnswer } from "../../data/answers.ts";
import { choice } from "../../data/choices.ts";
import { key } from "../../data/key.ts";
import { OPENS_WITH } from "../../data/opens-with.ts";
import { calendarDay } from "../../figures/moments.ts";
import { AsCall } from "../../ui/call.tsx";
import { Loading } from "../../ui/loading.tsx";
import { NeedsKey } from "../../ui/needs-key.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Select } from "../../ui/select.tsx";
import { SignalsPanel } from "./signals-panel.tsx";
import { SurfacePanel } from "./surface-panel.tsx";

const METAL_TEXT: Readonly<Record<SurfaceMetal, string>> = { xau: "Gold", xag: "Silver" };

const metal = choice<SurfaceMetal>("probability", "metal", SURFACE_METALS, "xau");
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
        <Segments label="Metal" chosen={metal} options={SURFACE_METALS.map((value) => ({ value, text: METAL_TEXT[value] }))} />
        {days.length === 0 ? null : (
          <Select
            label="Day"
            chosen={horizon}
            value={day}
            options={days.map((one) => ({
              value: one.horizon,
              text: `${calendarDay(one.horizon)} · ${Math.round(one.days_to_expiry)} days · ${one.markets_count} quotes`,
            }))}
          />
        )}
      </div>
      {surface.data !== undefined ? (
        <SurfacePanel surface={surface.data} />
      ) : (
        <section class="panel tall">
          {failed.error === null ? (
            <Loading what="the distribution" lines={12} />
          ) : (
            <Refusal error={failed.error} askAgain={failed.askAgain} />
          )}
        </section>
      )}
      {failed.error === null ? <SignalsPanel metal={code} /> : null}
    </>
  );
};

/** The page. */
export const ProbabilityPage = () => (
  <div class="page">
    <PageHead title="Probability">What option prices and prediction markets imply that a metal will cost on a day.</PageHead>
    {key.value === null ? <NeedsKey what="Distributions and signals are shown" tier={OPENS_WITH["surface.get"]} /> : <Content />}
    <AsCall
      calls={[
        { what: "The days", path: `v1/surface/${metal.value}/expiries`, sdk: `assay.surface.expiries("${metal.value}")` },
        {
          what: "A day's distribution",
          path: `v1/surface/${metal.value}${horizon.value === "" ? "" : `?horizon=${horizon.value}`}`,
          sdk: `assay.surface.get("${metal.value}"${horizon.value === "" ? "" : `, { horizon: "${horizon.value}" }`})`,
        },
        {
          what: "Signals between venues",
          path: `v1/signals/arbitrage?metal=${metal.value}`,
          sdk: `assay.signals.arbitrage({ metal: "${metal.value}" })`,
        },
      ]}
    />
  </div>
);
