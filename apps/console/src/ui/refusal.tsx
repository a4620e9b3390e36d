/** A failure in words, with what can be done about it. */
import { useEffect, useRef } from "preact/hooks";
import { at } from "../data/base.ts";
import { nowMs } from "../data/clock.ts";
import { isRefused } from "../data/key.ts";
import { told } from "../data/refusals.ts";
import { askForKey } from "./key-dialog.tsx";
import { Countdown } from "./moment.tsx";

interface RefusalProps {
  readonly error: Error;
  readonly askAgain: () => void;
}

/** Says what failed; a rate limit counts down and then retries automatically. */
export const Refusal = ({ error, askAgain }: RefusalProps) => {
  const seen = useRef({ error, atMs: Date.now() });
  if (seen.current.error !== error) seen.current = { error, atMs: Date.now() };
  const { title, text, againAtMs, remedy } = told(error, seen.current.atMs);
  const isOver = againAtMs !== null && nowMs.value >= againAtMs;
  const again = useRef(askAgain);
  again.current = askAgain;
  useEffect(() => {
    if (isOver) again.current();
  }, [isOver]);
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{title}.</strong> {text}{" "}
        {againAtMs === null ? null : (
          <>
            Again in <Countdown untilMs={againAtMs} />.
          </>
        )}
      </p>
      {remedy === null || (remedy === "key" && isRefused.value) ? null : (
        <p class="remedy">
          {remedy === "again" ? (
            <button type="button" onClick={askAgain}>
              Try again
            </button>
          ) : (
            <button type="button" onClick={askForKey}>
              Use another key
            </button>
          )}
          {remedy === "tiers" ? <a href={at("docs/guides/keys-and-tiers")}>What each tier includes</a> : null}
        </p>
      )}
    </div>
  );
};
