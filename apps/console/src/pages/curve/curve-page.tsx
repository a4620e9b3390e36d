/** The curve: what metal costs for later delivery, and what each day settled at. */
import { type FuturesSymbol, METALS, type Metal } from "@assay/sdk";
import { useAnswer } from "../../data/answers.ts";
import { choice } from "../../data/choices.ts";
import { key } from "../../data/key.ts";
import { AsCall } from "../../ui/call.tsx";
import { Loading } from "../../ui/loading.tsx";
import { METAL_TEXT } from "../../ui/metal-text.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Segments } from "../../ui/segments.tsx";
import { HorizonsPanel } from "./horizons-panel.tsx";
import { SettlementsPanel } from "./settlements-panel.tsx";

const asset = choice<Metal>("curve", "metal", METALS, "XAU");

const CONTRACTS: Readonly<Record<Metal, FuturesSymbol>> = { XAU: "GC", XAG: "SI", HG: "HG" };

/** The page. */
export const CurvePage = () => {
  const code = asset.value;
  // Without a key this is one of ten calls a minute, so it is not refreshed automatically.
  const { data, error, askAgain } = useAnswer(
    ["forward", code],
    (api, options) => api.forwardView.get.query({ asset: code }, options),
    { everySeconds: key.value === null ? null : 30 },
  );
  return (
    <div class="page">
      <PageHead
        title="Curve"
        aside={<Segments label="Metal" chosen={asset} options={METALS.map((value) => ({ value, text: METAL_TEXT[value] }))} />}
      >
        Settlements of the futures up to a year out, and what carrying the metal until then costs.
      </PageHead>
      {data !== undefined ? (
        <HorizonsPanel view={data} name={METAL_TEXT[code]} />
      ) : (
        <section class="panel tall">
          {error === null ? <Loading what="the curve" lines={10} /> : <Refusal error={error} askAgain={askAgain} />}
        </section>
      )}
      <SettlementsPanel symbol={CONTRACTS[code]} />
      <AsCall
        calls={[
          { what: "The forward curve", path: `v1/forward-view/${code}`, sdk: `assay.forwardView.get("${code}")`, isOpen: true },
          {
            what: "Daily settlements",
            path: `v1/settlements?symbol=${CONTRACTS[code]}&limit=30`,
            sdk: `assay.settlements.list({ symbol: "${CONTRACTS[code]}", limit: 30 })`,
          },
        ]}
      />
    </div>
  );
};
