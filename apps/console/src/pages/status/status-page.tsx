/** The state of the service: whether prices can be trusted now, and why not. */
import type { Wire } from "@assay/sdk/trpc";
import { useMode } from "../../data/front-document.ts";
import { lostSince } from "../../data/reach.ts";
import { useStatus } from "../../data/service-state.ts";
import { clockTime } from "../../figures/moments.ts";
import { Badge } from "../../ui/badge.tsx";
import { AsCall } from "../../ui/call.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { ChecksPanel } from "./checks-panel.tsx";
import { FeedsPanel } from "./feeds-panel.tsx";
import { StalenessPanel } from "./staleness-panel.tsx";

/** What was read before the service was lost says nothing about now. */
const Overall = ({ status }: { readonly status: Wire.Status }) => {
  const since = lostSince.value;
  if (since !== null) return <Badge tone="bad">No answer since {clockTime(since)}</Badge>;
  return status.status === "ok" ? <Badge tone="good">All is well</Badge> : <Badge tone="bad">Degraded</Badge>;
};

/** The page. */
export const StatusPage = () => {
  const { data: status, error, askAgain } = useStatus();
  const mode = useMode();
  return (
    <div class="page">
      <PageHead
        title="Status"
        aside={
          status === undefined ? null : (
            <p class="badges">
              <Overall status={status} />
              {status.simulated ? <Badge tone="accent">Simulated</Badge> : null}
              {mode === "replay" ? <Badge tone="accent">Replay</Badge> : null}
              <span class="soft">
                checked <Age at={status.checked_at} /> · version {status.version}
              </span>
            </p>
          )
        }
      >
        Whether prices can be trusted right now, and why not.
      </PageHead>
      {status === undefined ? (
        <section class="panel tall">
          {error === null ? <Loading what="the status" lines={12} /> : <Refusal error={error} askAgain={askAgain} />}
        </section>
      ) : (
        <>
          {status.reasons.length === 0 ? null : (
            <section class="panel reasons" aria-label="Why it is degraded">
              <ul>
                {status.reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            </section>
          )}
          <ChecksPanel status={status} />
          <StalenessPanel status={status} />
          <FeedsPanel status={status} />
        </>
      )}
      <AsCall calls={[{ what: "The status", path: "v1/status", sdk: "assay.system.status()", isOpen: true }]} />
    </div>
  );
};
