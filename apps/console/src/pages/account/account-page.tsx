/** The account: usage, limits, and keys. */
import { useUsage } from "../../data/account.ts";
import { key } from "../../data/key.ts";
import { OPENS_WITH } from "../../data/opens-with.ts";
import { AsCall } from "../../ui/call.tsx";
import { Loading } from "../../ui/loading.tsx";
import { NeedsKey } from "../../ui/needs-key.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { KeysPanel } from "./keys-panel.tsx";
import { UsagePanel } from "./usage-panel.tsx";

const Content = () => {
  const { data, error, askAgain } = useUsage();
  if (key.value === null) return <NeedsKey what="Usage, limits and keys are shown" tier={OPENS_WITH["account.usage"]} />;
  if (data === undefined)
    return (
      <section class="panel tall">
        {error === null ? <Loading what="the account" lines={8} /> : <Refusal error={error} askAgain={askAgain} />}
      </section>
    );
  return (
    <>
      <UsagePanel usage={data} />
      <KeysPanel />
    </>
  );
};

/** The page. */
export const AccountPage = () => (
  <div class="page">
    <PageHead title="Account">What the key in use may do, what it has done this month, and its keys.</PageHead>
    <Content />
    <AsCall
      calls={[
        { what: "Usage", path: "v1/account/usage", sdk: "assay.account.usage()" },
        { what: "The keys", path: "v1/account/keys", sdk: "assay.account.listKeys()" },
        { what: "A rotation", path: "v1/account/keys", curl: "-X POST ", sdk: 'assay.account.mintKey({ name: "ci" })' },
      ]}
    />
  </div>
);
