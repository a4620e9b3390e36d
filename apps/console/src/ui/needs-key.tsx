/** What a page shows without a key: what it would show, and what opens it. */
import type { TierName } from "@assay/sdk";
import { at } from "../data/base.ts";
import { tierText } from "../data/tier-names.ts";
import { askForKey } from "./key-dialog.tsx";

interface NeedsKeyProps {
  /** What is behind it, as the start of a sentence. */
  readonly what: string;
  readonly tier: TierName;
}

/** Says that a key is needed, and which. */
export const NeedsKey = ({ what, tier }: NeedsKeyProps) => (
  <section class="panel needs-key" aria-label="A key is needed">
    <p>
      {what} {tier === "free" ? "with a key of any tier" : `with a key of the tier ${tierText(tier)} or above`}.
    </p>
    <p class="remedy">
      <button type="button" class="primary" onClick={askForKey}>
        Use a key
      </button>
      <a href={at("docs/guides/keys-and-tiers")}>What each tier includes</a>
    </p>
  </section>
);
