/** The account: usage, limits, keys, and alerts. */
import { key } from "../../data/key.ts";
import { useUsage } from "../../data/questions.ts";
import { OPENS_WITH } from "../../data/tiers.ts";
import { text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { NeedsKey } from "../../ui/key.tsx";
import { PendingPanel } from "../../ui/loading.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { AlertsPanel } from "./alerts-panel.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { EndpointsPanel } from "./endpoints-panel.tsx";
import { KeysPanel } from "./keys-panel.tsx";
import { UsagePanel } from "./usage-panel.tsx";

const Content = () => {
  const { data, error, askAgain } = useUsage();
  if (key.value === null) return <NeedsKey what="account" tier={OPENS_WITH["account.usage"]} />;
  if (data === undefined) return <PendingPanel what="account" lines={8} error={error} askAgain={askAgain} />;
  return (
    <>
      <UsagePanel usage={data} />
      <KeysPanel />
      <AlertsPanel />
      <EndpointsPanel />
      <DeliveriesPanel />
    </>
  );
};

export const AccountPage = () => (
  <div class="page">
    <PageHead title={text().ui.pages.account}>{text().account.intro}</PageHead>
    <Content />
    <AsCall
      calls={[
        { what: text().calls.usage, path: "v1/account/usage", sdk: "assay.account.usage()" },
        { what: text().calls.keys, path: "v1/account/keys", sdk: "assay.account.listKeys()" },
        { what: text().calls.rotation, path: "v1/account/keys", curl: "-X POST ", sdk: 'assay.account.mintKey({ name: "ci" })' },
        { what: text().alerts.title, path: "v1/account/alerts", sdk: "assay.alerts.list()" },
        { what: text().deliveries.title, path: "v1/account/deliveries", sdk: "assay.deliveries.list()" },
      ]}
    />
  </div>
);
