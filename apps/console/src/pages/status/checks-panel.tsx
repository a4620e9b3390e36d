/** What the service depends on: the cache, the writer's lease, fresh bars, and long work under way. */
import type { Wire } from "@assay/sdk/trpc";
import type { ComponentChildren } from "preact";
import { at } from "../../data/service.ts";
import { tierText } from "../../data/tiers.ts";
import { lineOf, ruleText, sentenceOf, text } from "../../text/text.ts";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";

interface CheckProps {
  readonly name: string;
  readonly state: "good" | "bad" | "busy" | "off";
  readonly children: ComponentChildren;
}

const TONES = { good: "good", bad: "bad", busy: "warn", off: "plain" } as const;

const Check = ({ name, state, children }: CheckProps) => (
  <div>
    <dt>
      {name} <Badge tone={TONES[state]}>{text().status.states[state]}</Badge>
    </dt>
    <dd>{children}</dd>
  </div>
);

const Archives = ({ archives }: { readonly archives: Wire.ArchivesStatus | null }) => {
  const lines = text().status;
  if (archives === null)
    return (
      <Check name={lines.archives} state="off">
        {lines.off}
      </Check>
    );
  const isBusy = archives.pending === null || archives.pending > 0;
  return (
    <Check name={lines.archives} state={archives.last_error !== null ? "bad" : isBusy ? "busy" : "good"}>
      {archives.pending === null
        ? lines.notChecked
        : archives.pending === 0
          ? lines.allYears
          : lines.yearsToBuild({ count: archives.pending })}
      {archives.last_built_at === null ? null : <> · {lines.lastBuilt({ age: <Age at={archives.last_built_at} /> })}</>}
      {archives.last_error === null ? null : (
        <>
          {" "}
          · <bdi>{ruleText(archives.last_error)}</bdi>
        </>
      )}
    </Check>
  );
};

const Market = ({ market: { state, next_change_at } }: { readonly market: Wire.Status["market"] }) => {
  const lines = text().status;
  const said = lineOf(lines.marketStates, state, state);
  return (
    <Check name={lines.market} state={state === "open" ? "good" : "off"}>
      {next_change_at === null
        ? lines.always({ state: said })
        : lines.until({ state: said, when: <Moment at={next_change_at} /> })}
    </Check>
  );
};

const Writer = ({ writer: { ok, lease_owner, fencing_token } }: { readonly writer: Wire.Status["checks"]["live_writer"] }) => {
  const lines = text().status;
  return (
    <Check name={lines.writer} state={ok ? "good" : "bad"}>
      {lease_owner === null
        ? lines.noLease
        : lines.lease({ owner: <code dir="ltr">{lease_owner}</code>, number: <Figure of={fencing_token} /> })}
    </Check>
  );
};

export const ChecksPanel = ({ status: { checks, market, history, archives, keyless } }: { readonly status: Wire.Status }) => {
  const lines = text().status;
  const { bars, cache } = checks;
  return (
    <Panel title={lines.service}>
      <dl class="checks">
        <Market market={market} />
        <Writer writer={checks.live_writer} />
        <Check name={lines.bars} state={bars.ok ? "good" : "bad"}>
          {bars.last_bar_at === null ? lines.noBars : lines.newestMinute({ when: <Moment at={bars.last_bar_at} /> })}
        </Check>
        <Check name={lines.cache} state={cache.ok ? "good" : "bad"}>
          {cache.ok ? lines.responds : lines.silent}
        </Check>
        <Check name={lines.history} state={history.complete ? "good" : "busy"}>
          {history.complete ? (
            lines.complete
          ) : history.pending === null ? (
            <Figure of={null} />
          ) : (
            lines.barsToFill({ count: history.pending })
          )}
        </Check>
        <Archives archives={archives} />
      </dl>
      <p class="soft note">
        <bdi>{sentenceOf(keyless.description, lines.keyless({ tier: tierText(keyless.tier) }))}</bdi>{" "}
        <a href={at("docs/guides/keys-and-tiers")}>{text().key.tiers}</a>
      </p>
    </Panel>
  );
};
