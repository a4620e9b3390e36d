/** The message that the key in use is not, or no longer, valid: once for the whole page. */
import { isRefused } from "../data/key.ts";
import { askForKey } from "./key-dialog.tsx";

/** Shown until another key is used, or this one is forgotten. */
export const KeyRefused = () => (
  <div role="alert">
    {isRefused.value ? (
      <p class="lost">
        <strong>The key is not valid.</strong> It may have been revoked, or lost a character when it was pasted. Figures below are
        from before.{" "}
        <button type="button" class="small" onClick={askForKey}>
          Use another key
        </button>
      </p>
    ) : null}
  </div>
);
