/** Corrections: the ledger of what published history is no longer, with its signed head. */
import "../../ui/ledger.css";
import { save } from "../../data/plain.ts";
import { text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Badge, Figure } from "../../ui/figure.tsx";
import { PendingPanel } from "../../ui/loading.tsx";
import { Moment } from "../../ui/moment.tsx";
import { PageHead, Panel, Tile } from "../../ui/panel.tsx";
import { type SignedHead, useHead } from "./ledger.ts";
import { LedgerPanel } from "./ledger-panel.tsx";

const TONES = { genuine: "good", false: "bad", unverified: "warn" } as const;

/** The signed head: what it names, whether its signature is genuine, and the head as a file to keep. */
const HeadPanel = ({ signed }: { readonly signed: SignedHead }) => {
  const says = text().ledger;
  const { recorded } = text().barCorrections;
  const { head, state, jws, keyId, issuedAt } = signed;
  const { said, why } = says.states[state];
  return (
    <Panel title={says.head} aside={<Badge tone={TONES[state]}>{said}</Badge>}>
      <dl class="tiles" data-head={state}>
        <Tile name={says.newest}>
          <Figure of={head.number} />
        </Tile>
        <Tile name={recorded}>{head.recorded_at === null ? says.noneYet : <Moment at={head.recorded_at} />}</Tile>
        <Tile name={says.signed}>
          <Moment at={issuedAt} />
        </Tile>
        <Tile name={says.epoch}>
          <Figure of={head.epoch} />
        </Tile>
      </dl>
      <dl class="digests">
        <Tile name={says.digest}>{head.digest === null ? says.noneYet : <code dir="ltr">{head.digest}</code>}</Tile>
        <Tile name={says.key}>
          <code dir="ltr">{keyId}</code>
        </Tile>
      </dl>
      <p class="soft note">
        {why} {says.keep}
      </p>
      <button
        type="button"
        class="small save-course"
        onClick={() => save(`corrections-head-${head.epoch}-${head.number}.jws`, jws, "application/jose")}
      >
        {says.save}
      </button>
    </Panel>
  );
};

export const CorrectionsPage = () => {
  const { ui, ledger, calls } = text();
  const { data: signed, error, askAgain } = useHead();
  return (
    <div class="page">
      <PageHead title={ui.pages.corrections}>{ledger.intro}</PageHead>
      {signed === undefined ? (
        <PendingPanel what="ledgerHead" lines={12} error={error} askAgain={askAgain} />
      ) : (
        <>
          <HeadPanel signed={signed} />
          <LedgerPanel head={signed.head} />
        </>
      )}
      <AsCall
        calls={[
          { what: calls.ledger, path: "v1/corrections?limit=200", sdk: "assay.corrections.list({ limit: 200 })", isOpen: true },
          { what: calls.ledgerHead, path: "v1/corrections/head", sdk: "assay.corrections.head()", isOpen: true },
        ]}
      />
    </div>
  );
};
