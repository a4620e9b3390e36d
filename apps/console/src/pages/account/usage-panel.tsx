/** Usage and limits of the key's organisation, as they stand. */
import type { Wire } from "@assay/sdk/trpc";
import { useAnswer } from "../../data/answers.ts";
import { tierText } from "../../data/tier-names.ts";
import { Figure } from "../../ui/figure.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DaysChart } from "./days-chart.tsx";

const Limits = ({ tier }: { readonly tier: Wire.Tier }) => (
  <dl class="tiles">
    <div>
      <dt>Requests a minute</dt>
      <dd>
        <Figure of={tier.rate_limit_per_minute} />
      </dd>
    </div>
    <div>
      <dt>Metals</dt>
      <dd>{tier.allowed_bases.join(", ")}</dd>
    </div>
    <div>
      <dt>Contracts</dt>
      <dd>{tier.allowed_contracts.join(", ")}</dd>
    </div>
    <div>
      <dt>Commercial use</dt>
      <dd>{tier.commercial_use ? "yes" : "no"}</dd>
    </div>
  </dl>
);

/** The panel. */
export const UsagePanel = ({ usage }: { readonly usage: Wire.Usage }) => {
  const tiers = useAnswer(["tiers"], (api, options) => api.tiers.list.query(undefined, options));
  const tier = tiers.data?.find(({ name }) => name === usage.tier);
  return (
    <Panel title={`Usage on ${tierText(usage.tier)}`}>
      <dl class="tiles">
        <div>
          <dt>Today</dt>
          <dd>
            <Figure of={usage.calls_today} />
          </dd>
        </div>
        <div>
          <dt>This month</dt>
          <dd>
            <Figure of={usage.calls_this_month} />
          </dd>
        </div>
        <div>
          <dt>
            Left of <Figure of={usage.monthly_quota} />
          </dt>
          <dd>
            <Figure of={usage.remaining_this_month} />
          </dd>
        </div>
        <div>
          <dt>Streams open</dt>
          <dd>{usage.max_streams === null ? "none on this tier" : `${usage.active_streams ?? 0} of ${usage.max_streams}`}</dd>
        </div>
      </dl>
      <div class="gauge" aria-hidden="true">
        <i style={{ width: `${Math.min(100, (usage.calls_this_month / Math.max(1, usage.monthly_quota)) * 100)}%` }} />
      </div>
      <p class="soft note">
        Metered calls of the organisation, by UTC calendar; the month ends <Moment at={usage.resets_at} />.
      </p>
      {usage.days === null ? (
        <p class="soft note">The days of the month cannot be shown while the service's store does not respond.</p>
      ) : (
        <DaysChart days={usage.days} resetsAt={usage.resets_at} />
      )}
      {tier === undefined ? null : <Limits tier={tier} />}
    </Panel>
  );
};
