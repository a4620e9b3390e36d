/** Refusals in words: what happened, and what opens the door. */
import { type WireError, wireErrorOf } from "@assay/sdk/trpc";
import { tierText } from "./tier-names.ts";

/** A failure as it is shown. */
export interface Told {
  readonly title: string;
  readonly text: string;
  /** When it is worth asking again, in epoch milliseconds; null when that changes nothing. */
  readonly againAtMs: number | null;
  /** What a reader can do about it. */
  readonly remedy: "key" | "tiers" | "again" | null;
}

const WINDOWS = { minute: "this minute", hour: "this hour", month: "this month", streams: "streams" } as const;

const limited = (wire: Extract<WireError, { readonly retry_after_seconds: number }>, seenAtMs: number): Told => {
  const againAtMs = seenAtMs + wire.retry_after_seconds * 1_000;
  if (wire.window === "streams")
    return {
      title: "No stream is free",
      text: `The key has ${wire.limit} streams open, as many as its tier allows. Close one elsewhere.`,
      ...{ againAtMs, remedy: "again" },
    };
  const title = wire.error === "quota_exceeded" ? "The monthly quota is used up" : "Too many requests";
  const remedy = wire.error === "rate_limited" || wire.error === "quota_exceeded" ? "tiers" : null;
  return { title, text: `All ${wire.limit} requests of ${WINDOWS[wire.window]} are used.`, againAtMs, remedy };
};

/** A refusal, as the service words it where that is enough. */
const refusal = (wire: WireError, seenAtMs: number): Told => {
  if (wire.error === "plan_gated")
    return {
      title: `This needs the tier ${tierText(wire.required_tier)}`,
      text: `Yours is ${tierText(wire.tier)}.`,
      ...{ againAtMs: null, remedy: "tiers" },
    };
  if (wire.error === "invalid_api_key")
    return {
      title: "The key is not valid",
      text: "It may have been revoked, or lost a character when it was pasted.",
      ...{ againAtMs: null, remedy: "key" },
    };
  if (wire.error === "unauthenticated" || wire.error === "authentication_required")
    return { title: "This needs a key", text: wire.message, againAtMs: null, remedy: "key" };
  if ("retry_after_seconds" in wire) return limited(wire, seenAtMs);
  return { title: "The service refuses this", text: wire.message, againAtMs: null, remedy: "again" };
};

/** The body of a refusal, over tRPC or from the SDK's stream. */
const wireOf = (error: unknown): WireError | null => {
  const body: unknown = error instanceof Error && "body" in error ? error.body : null;
  const isBody = typeof body === "object" && body !== null && "error" in body && "message" in body;
  return wireErrorOf(error) ?? (isBody ? (body as WireError) : null); // the SDK read it from the service
};

/**
 * Words a failure.
 * @param seenAtMs when it happened
 */
export const told = (error: unknown, seenAtMs: number): Told => {
  const wire = wireOf(error);
  if (wire !== null) return refusal(wire, seenAtMs);
  return {
    title: "No answer",
    text: "The service did not answer this. It is asked again as soon as it is back.",
    ...{ againAtMs: null, remedy: "again" },
  };
};
