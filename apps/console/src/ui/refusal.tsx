/** A failure in words: what happened, and what can be done about it. */
import type { WireError } from "@assay/sdk/trpc";
import { useEffect, useRef } from "preact/hooks";
import { isRefused, key } from "../data/key.ts";
import { at } from "../data/service.ts";
import { tierText } from "../data/tiers.ts";
import { refusalIn } from "../data/wire-error.ts";
import { lineOf, sentenceOf, text } from "../text/text.ts";
import { askForKey } from "./key.tsx";
import { Countdown, nowMs } from "./moment.tsx";

interface Failure {
  readonly title: string;
  readonly text: string;
  /** When it is worth asking again, in epoch milliseconds; null when that changes nothing. */
  readonly againAtMs: number | null;
  /** What a reader can do about it. */
  readonly remedy: "key" | "tiers" | "again" | null;
}

/** In English as the service words it, which may be closer to the case than the line of its code. */
const saidBy = ({ error, message }: WireError): string => sentenceOf(message, lineOf(text().refusal.said, error, message));

const limited = (wire: Extract<WireError, { readonly retry_after_seconds: number }>, seenAtMs: number): Failure => {
  const againAtMs = seenAtMs + wire.retry_after_seconds * 1_000;
  const lines = text().refusal;
  const { limit } = wire;
  if (wire.window === "streams")
    return {
      title: lines.noStream,
      text: `${saidBy(wire)} ${lines.closeOne({ limit })}`,
      againAtMs,
      remedy: "again",
    };
  const title = wire.error === "quota_exceeded" ? lines.quota : lines.tooMany;
  const remedy = wire.error === "rate_limited" || wire.error === "quota_exceeded" ? "tiers" : null;
  return { title, text: lines.used[wire.window]({ limit }), againAtMs, remedy };
};

/** A refusal, as the service words it where that is enough. */
const refusal = (wire: WireError, seenAtMs: number): Failure => {
  const lines = text().refusal;
  if (wire.error === "plan_gated")
    return {
      title: lines.tier({ tier: tierText(wire.required_tier) }),
      text: lines.yourTier({ tier: tierText(wire.tier) }),
      againAtMs: null,
      remedy: "tiers",
    };
  // A WebSocket that needs a key refuses callers without one as it does a bad key.
  if (wire.error === "invalid_api_key" && key.value !== null)
    return {
      title: lines.badKey,
      text: lines.badKeyWhy,
      againAtMs: null,
      remedy: "key",
    };
  if (wire.error === "unauthenticated" || wire.error === "authentication_required" || wire.error === "invalid_api_key")
    return { title: lines.needsKey, text: saidBy(wire), againAtMs: null, remedy: "key" };
  if ("retry_after_seconds" in wire) return limited(wire, seenAtMs);
  return { title: lines.refused, text: saidBy(wire), againAtMs: null, remedy: "again" };
};

/**
 * Words a failure.
 * @param seenAtMs when it happened
 */
export const failureOf = (error: unknown, seenAtMs: number): Failure => {
  const wire = refusalIn(error);
  if (wire !== null) return refusal(wire, seenAtMs);
  return {
    title: text().refusal.silent,
    text: text().refusal.silentWhat,
    againAtMs: null,
    remedy: "again",
  };
};

interface RefusalProps {
  readonly error: Error;
  readonly askAgain: () => void;
}

/** Says what failed; a rate limit counts down and then retries automatically. */
export const Refusal = ({ error, askAgain }: RefusalProps) => {
  const seen = useRef({ error, atMs: Date.now() });
  if (seen.current.error !== error) seen.current = { error, atMs: Date.now() };
  const { title, text: why, againAtMs, remedy } = failureOf(error, seen.current.atMs);
  const isOver = againAtMs !== null && nowMs.value >= againAtMs;
  const again = useRef(askAgain);
  again.current = askAgain;
  useEffect(() => {
    if (isOver) again.current();
  }, [isOver]);
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{text().refusal.titled({ title })}</strong> <bdi>{why}</bdi>{" "}
        {againAtMs === null ? null : text().refusal.againIn({ countdown: <Countdown untilMs={againAtMs} /> })}
      </p>
      {remedy === null || (remedy === "key" && isRefused.value) ? null : (
        <p class="remedy">
          {remedy === "again" ? (
            <button type="button" onClick={askAgain}>
              {text().refusal.again}
            </button>
          ) : (
            <button type="button" onClick={askForKey}>
              {key.value === null ? text().key.use : text().key.useAnother}
            </button>
          )}
          {remedy === "tiers" ? <a href={at("docs/guides/keys-and-tiers")}>{text().key.tiers}</a> : null}
        </p>
      )}
    </div>
  );
};
