/** What the service depends on: the cache, the writer's lease, fresh bars, and long work under way. */
import type { Wire } from "@assay/sdk/trpc";
import type { ComponentChildren } from "preact";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";

interface CheckProps {
  readonly name: string;
  readonly state: "good" | "bad" | "busy" | "off";
  readonly children: ComponentChildren;
}

const STATES = { good: ["good", "ok"], bad: ["bad", "failing"], busy: ["warn", "working"], off: ["plain", "off"] } as const;

const Check = ({ name, state, children }: CheckProps) => (
  <div>
    <dt>
      {name} <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>
    </dt>
    <dd>{children}</dd>
  </div>
);

const Archives = ({ archives }: { readonly archives: Wire.ArchivesStatus | null }) => {
  if (archives === null)
    return (
      <Check name="Archives" state="off">
        switched off
      </Check>
    );
  const isBusy = archives.pending === null || archives.pending > 0;
  return (
    <Check name="Archives" state={archives.last_error !== null ? "bad" : isBusy ? "busy" : "good"}>
      {archives.pending === null ? "not checked yet" : <Figure of={archives.pending} unit="years to build" />}
      {archives.last_built_at === null ? null : (
        <>
          , last built <Age at={archives.last_built_at} />
        </>
      )}
      {archives.last_error === null ? null : `, ${archives.last_error.replaceAll("_", " ")}`}
    </Check>
  );
};

/** The panel. */
export const ChecksPanel = ({ status: { checks, market, history, archives } }: { readonly status: Wire.Status }) => (
  <Panel title="Service">
    <dl class="checks">
      <Check name="Market" state={market.state === "open" ? "good" : "off"}>
        {market.state}
        {market.next_change_at === null ? (
          ", always"
        ) : (
          <>
            {" "}
            until <Moment at={market.next_change_at} />
          </>
        )}
      </Check>
      <Check name="Writer" state={checks.live_writer.ok ? "good" : "bad"}>
        {checks.live_writer.lease_owner === null ? (
          "nobody holds the lease"
        ) : (
          <>
            <code>{checks.live_writer.lease_owner}</code> holds the lease, takeover{" "}
            <Figure of={checks.live_writer.fencing_token} />
          </>
        )}
      </Check>
      <Check name="Bars" state={checks.bars.ok ? "good" : "bad"}>
        {checks.bars.last_bar_at === null ? (
          "none yet"
        ) : (
          <>
            newest minute <Moment at={checks.bars.last_bar_at} />
          </>
        )}
      </Check>
      <Check name="Cache" state={checks.cache.ok ? "good" : "bad"}>
        {checks.cache.ok ? "responds" : "does not respond"}
      </Check>
      <Check name="History" state={history.complete ? "good" : "busy"}>
        {history.complete ? "complete" : <Figure of={history.pending} unit="bars still to be filled in" />}
      </Check>
      <Archives archives={archives} />
    </dl>
  </Panel>
);
