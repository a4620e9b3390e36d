/** The one pipeline behind every transport: authenticate, limit, gate, parse the input, call the verb, present. */
import { ERRORS, type ErrorCode, errorCodesOf, type FailWith, type Refused, type Route, refused } from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import type { Clock, Log } from "@assay/live";
import { asOf } from "./access/as-of.ts";
import type { Authenticator } from "./access/authenticate.ts";
import { requireTier } from "./access/gate.ts";
import { type Allowance, type FailCounted, type Limits, limitHeaders, refunded } from "./access/limits.ts";
import { after } from "./after.ts";
import { answerWriter } from "./answer-outcome.ts";
import { attempt, type Counted, type FailAny } from "./attempt.ts";
import type { Call, Outcome } from "./call.ts";
import type { Caller, VerbContext } from "./context.ts";
import type { SignReceipt } from "./receipts/sign-receipt.ts";
import { refusalOutcome } from "./refusal-outcome.ts";

/** Any route's verb. Its parameters are bivariant: each verb was type-checked against its own route in `verbs.ts`. */
export type AnyVerb = {
  erased(input: unknown, context: VerbContext & { readonly fail: FailAny }): unknown;
}["erased"];

/** Everything the pipeline needs besides the route and the call. */
export interface PipelineDeps {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Log;
  readonly disabled: ReadonlySet<string>;
  readonly historySunset: string | null;
  /** Signs the answers that are asked for as receipts; for routes that have them. */
  readonly signReceipt?: SignReceipt;
}

/** The headers of a deprecated route's 200 and 403 answers. */
const deprecationHeaders = (route: Route, sunset: string | null): Record<string, string> =>
  route.successor
    ? {
        Deprecation: "true",
        Link: `<${route.successor}>; rel="successor-version"`,
        ...(sunset === null ? {} : { Sunset: sunset }),
      }
    : {};

/** What a transport requires of callers beyond the route: refuses with `plan_gated`. */
export type TransportGate = (caller: Caller, fail: FailWith<"plan_gated">) => void;

/** A verb behind its checks: what a transport calls. The answer is synchronous when no engine had to be awaited. */
export type Invoke = (call: Call) => Outcome | Promise<Outcome>;

/** A call's progress through the pipeline. */
interface Progress {
  readonly call: Call;
  readonly nowMs: number;
  /** The windows it was counted against, whether admitted or refused. */
  allowance: Allowance | undefined;
}

/**
 * Wraps a verb in the pipeline.
 * @param route its declaration
 * @param verb its implementation
 * @param gate checked after the route's own tier
 * @returns a function that answers every call and throws only on unexpected errors
 */
export const invoker = (route: Route, verb: AnyVerb, deps: PipelineDeps, gate?: TransportGate): Invoke => {
  const { authenticator, limits, clock, log, disabled } = deps;
  const { auth, limit, metered, tier } = route.access;
  const deprecation = deprecationHeaders(route, deps.historySunset);
  const declared = new Set(errorCodesOf(route));
  if (gate) declared.add("plan_gated");
  const answered = answerWriter(route, deprecation, deps.signReceipt);
  const isDisabled = route.feature !== undefined && disabled.has(route.feature);

  /** Counts a bad key by its address, then refuses as before. */
  const countBadKey = (
    code: ErrorCode,
    again: () => never,
    progress: Progress,
    failCounted: FailCounted,
  ): Promise<never> | never => {
    if (code !== "invalid_api_key") return again();
    return after(limits.badKey(progress.call.ip, progress.nowMs, failCounted), (allowance) => {
      progress.allowance = allowance;
      return again();
    });
  };

  const identify = (progress: Progress, fail: FailAny, failCounted: FailCounted): Caller | Promise<Caller> => {
    const { key, ip } = progress.call;
    if (auth === "none" || key.kind === "none") return authenticator.anonymous(ip);
    return attempt<Caller>(
      () =>
        key.kind === "conflict"
          ? fail("invalid_api_key", { message: "More than one API key was supplied." })
          : authenticator.authenticate(key.key, ip, { fail, failCounted }),
      ({ code }, again) => countBadKey(code, again, progress, failCounted),
    );
  };

  const count = (
    caller: Caller,
    { call, nowMs }: Progress,
    failCounted: FailCounted,
  ): Allowance | Promise<Allowance> | undefined => {
    if (limit === "none") return undefined;
    return limit === "standard" ? limits.check(caller, metered, nowMs, failCounted) : limits.light(call.ip, nowMs, failCounted);
  };

  const refusedBy = (refusal: Refused, { call, nowMs, allowance }: Progress): Outcome => {
    const counted = allowance && refunded(allowance);
    const window = refusal.detail["window"];
    const headers = counted ? limitHeaders(counted, nowMs, window === "month" || window === "hour" ? window : "minute") : {};
    return refusalOutcome(
      refusal,
      call.requestId,
      ERRORS[refusal.code].status === 403 ? { ...headers, ...deprecation } : headers,
    );
  };

  const answeredRefusal = (refusal: Counted, progress: Progress): Outcome => {
    const { code } = refusal;
    if (!declared.has(code)) throw new Error(`${route.path} was refused with ${code}, which it does not declare`);
    const { requestId } = progress.call;
    if (code === "auth_unavailable") log.debug({ requestId }, "failed to verify a key; request refused");
    if (refusal.allowance) progress.allowance = refusal.allowance;
    return refusedBy(refusal, progress);
  };

  /** A store that does not respond is a refusal if the route declares one; any other error propagates. */
  const failed = (error: unknown, progress: Progress): Outcome => {
    const { call, allowance } = progress;
    if (!(error instanceof StoreUnavailableError) || !route.errors.includes("service_unavailable")) {
      // Whatever propagates from here is not metered either.
      if (allowance) refunded(allowance);
      throw error;
    }
    log.error({ err: error, requestId: call.requestId }, "the database does not respond");
    return refusedBy(refused("service_unavailable"), progress);
  };

  const run = (progress: Progress, fail: FailAny, failCounted: FailCounted): Outcome | Promise<Outcome> => {
    if (isDisabled) fail("disabled");
    const { call, nowMs } = progress;
    const { requestId, idempotencyKey, acceptEncoding } = call;
    return after(identify(progress, fail, failCounted), (caller) =>
      after(count(caller, progress, failCounted), (allowance) => {
        progress.allowance = allowance;
        if (auth === "required" && caller.key === null) fail(route.unauthenticatedCode);
        requireTier(caller, tier, fail);
        gate?.(caller, fail);
        return after(call.readInput(fail, caller), (input) =>
          after(
            verb(input, { caller, nowMs, asOfMs: asOf(caller, nowMs), requestId, idempotencyKey, acceptEncoding, fail }),
            (output) => answered(output, call, allowance, nowMs),
          ),
        );
      }),
    );
  };

  return (call) => {
    const progress: Progress = { call, nowMs: clock(), allowance: undefined };
    try {
      const outcome = attempt(
        (fail, failCounted) => run(progress, fail, failCounted),
        (refusal) => answeredRefusal(refusal, progress),
      );
      return outcome instanceof Promise ? outcome.catch((error: unknown) => failed(error, progress)) : outcome;
    } catch (error) {
      return failed(error, progress);
    }
  };
};
