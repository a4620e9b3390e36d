/** The curve: what metal costs for later delivery, and what each day settled at. */
import { isAsking, opens } from "../../data/access.ts";
import { useAnswer } from "../../data/answers.ts";
import { codesOf, GOLD, METALS, metalOf, metalOptions, metalText } from "../../data/catalogue.ts";
import { choice } from "../../data/choices.ts";
import { withSign } from "../../figures/exact.ts";
import { calendarDay } from "../../figures/moments.ts";
import { lineOf, sentenceOf, text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Choose } from "../../ui/choose.tsx";
import { Gated } from "../../ui/gated.tsx";
import { Nothing, Pending, PendingPanel } from "../../ui/loading.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import { HorizonsPanel } from "./horizons-panel.tsx";

/** Daily settlements of the active contract, newest first. */
const SettlementsPanel = ({ symbol }: { readonly symbol: string }) => {
  const { data, error, askAgain } = useAnswer(
    ["settlements", symbol],
    (api, options) => api.settlements.list.query({ symbol, limit: 30 }, options),
    { everySeconds: 600 },
  );
  const lines = text().curve;
  const proxy = data?.settlements.find((row) => row.disclaimer !== undefined);
  return (
    <Panel title={lines.settlementsOf({ symbol })}>
      {data === undefined ? (
        <Pending what="settlements" lines={12} error={error} askAgain={askAgain} />
      ) : data.settlements.length === 0 ? (
        <Nothing>{lines.noneYet}</Nothing>
      ) : (
        <Wide label={lines.settlements}>
          <table>
            <Heads
              columns={[
                lines.day,
                ...figures(lines.settlementUsd, lines.previous, lines.change, lines.volume, lines.openInterest),
                lines.source,
              ]}
            />
            <tbody>
              {data.settlements.map((row) => (
                <tr key={row.settlement_date}>
                  <th scope="row" class="day">
                    {calendarDay(row.settlement_date)}
                  </th>
                  {[
                    row.settlement_price,
                    row.prior_settlement,
                    row.change_value === null ? null : withSign(row.change_value),
                    row.volume,
                    row.open_interest,
                  ].map((figure, part) => (
                    <Cell key={part} of={figure} />
                  ))}
                  <td class="soft whole-words">{row.source ?? text().figures.unknown}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {proxy?.disclaimer === undefined ? null : (
        <p class="soft note">
          <bdi>{sentenceOf(proxy.disclaimer, lineOf(lines.proxies, proxy.source_type, proxy.disclaimer))}</bdi>
        </p>
      )}
    </Panel>
  );
};

const WITH_FUTURES = METALS.filter(({ futures }) => futures !== null);

const asset = choice("curve", "metal", codesOf(WITH_FUTURES), GOLD);

export const CurvePage = () => {
  const code = asset.value;
  const product = metalOf(code).futures?.product ?? code;
  // For everyone this is one of ten calls a minute, so it is not refreshed automatically.
  const { data, error, askAgain } = useAnswer(
    ["forward", code],
    (api, options) => api.forwardView.get.query({ asset: code }, options),
    { everySeconds: isAsking.value ? 30 : null },
  );
  return (
    <div class="page">
      <PageHead
        title={text().ui.pages.curve}
        aside={<Choose label={text().ui.metal} chosen={asset} options={metalOptions(WITH_FUTURES)} />}
      >
        {text().curve.intro}
      </PageHead>
      {data !== undefined ? (
        <HorizonsPanel view={data} name={metalText(code)} />
      ) : (
        <PendingPanel what="curve" lines={10} error={error} askAgain={askAgain} />
      )}
      <Gated part="settlements.list" what="settlements">
        <SettlementsPanel symbol={product} />
      </Gated>
      <AsCall
        calls={[
          { what: text().calls.forward, path: `v1/forward-view/${code}`, sdk: `assay.forwardView.get("${code}")`, isOpen: true },
          {
            what: text().calls.settlements,
            path: `v1/settlements?symbol=${product}&limit=30`,
            sdk: `assay.settlements.list({ symbol: "${product}", limit: 30 })`,
            isOpen: opens("settlements.list"),
          },
        ]}
      />
    </div>
  );
};
