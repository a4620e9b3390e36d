/** A new key, in full, this once. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { useKey } from "../../data/key.ts";
import { Moment } from "../../ui/moment.tsx";

interface MintedProps {
  readonly minted: Wire.MintedKey;
  readonly onPutAway: () => void;
}

/** Shows it until it is put away. */
export const Minted = ({ minted, onPutAway }: MintedProps) => {
  const said = useSignal("Copy");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(minted.plaintext);
      said.value = "Copied";
    } catch {
      said.value = "Select and copy by hand"; // not allowed, as over plain http
    }
  };
  return (
    <div class="minted" role="status">
      <p>
        <strong>Copy the new key now.</strong> It is not shown again.{" "}
        {minted.previous_key_revokes_at === null ? null : (
          <>
            The key in use works until <Moment at={minted.previous_key_revokes_at} />.
          </>
        )}
      </p>
      <code class="plaintext">{minted.plaintext}</code>
      <p class="actions">
        <button type="button" class="primary" onClick={copy}>
          {said}
        </button>
        <button
          type="button"
          onClick={() => {
            useKey(minted.plaintext, false);
            onPutAway();
          }}
        >
          Use it here
        </button>
        <button type="button" class="quiet" onClick={onPutAway}>
          Put it away
        </button>
      </p>
    </div>
  );
};
