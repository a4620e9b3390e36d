/** The one pipeline behind every transport: authenticate, limit, gate, parse the input, call the verb, present. */
import {
  ERRORS,
  type ErrorDetail,
  errorCodesOf,
  type FailWith,
  formatsOf,
  isChanging,
  isReplayable,
  needsKey,
  type Refused,
  type Route,
  refused,
} from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import type { Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { type Allowance, limitHeaders, refunded } from "./access/allowance.ts";
import type { Authenticator } from "./access/authenticate.ts";
import { asOf, requireTier } from "./access/gate.ts";
import { refuseGrace } from "./access/key-lifecycle.ts";
import type { Limits } from "./access/limits.ts";
import { answerWriter, refusalOutcome } from "./answer-outcome.ts";
import { after, attempt, type Call, type Counted, type FailAny, type FailCounted, type Outcome, type Progress } from "./call.ts";
import type { Caller, VerbContext } from "./context.ts";
import type { SignReceipt } from "./receipts.ts";

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
const deprecationHeaders = (route: Route, sunset: string | null): Readonly<Record<string, string>> =>
  route.successor
    ? {
        Deprecation: "true",
        Link: `<${route.successor}>; rel="successor-version"`,
        ...(sunset === null ? {} : { Sunset: sunset }),
      }
    : {};

/** What a transport requires of callers beyond the route: refuses with `plan_gated`. */
export type TransportGate = (caller: Caller, fail: FailWith<"plan_gated">) => void;

/** The `fail` of a verb: it names parameters by their place in a request over HTTP, and the transport may call them otherwise. */
const placing = (fail: FailAny, place: Call["parametersIn"]): FailAny =>
  place === undefined
    ? fail
    : (...refusal) => {
        if (refusal[0] !== "validation_error") return fail(...refusal);
        const [code, detail] = refusal;
        const issues = detail.issues.map((issue) => ({ ...issue, path: [place, ...issue.path.slice(1)] }));
        return fail(code, { ...detail, issues });
      };

/** A verb behind its checks: what a transport calls. The answer is synchronous when no engine had to be awaited. */
export type Invoke = (call: Call) => Outcome | Promise<Outcome>;

/**
 * Wraps a verb in the pipeline.
 * @param route its declaration
 * @param verb its implementation
 * @param gate checked after the route's own tier
 * @returns a function that answers every call and throws only on unexpected errors
 */
export const invoker = (route: Route, verb: AnyVerb, deps: PipelineDeps, gate?: TransportGate): Invoke => {
  const deprecation = deprecationHeaders(route, deps.historySunset);
  const hasReceipts = formatsOf(route).includes("jws");
  const answered = answerWriter(route, deprecation, deps.signReceipt);
  const admitted = admission(route, deps, gate);
  const { refusedWith, failedWith } = refusals(route, deps, { deprecation, isGated: gate !== undefined });

  return (call) => {
    const progress: Progress = { call, nowMs: deps.clock(), allowance: undefined };
    const { nowMs } = progress;
    const { requestId, idempotencyKey } = call;
    return attempt(
      (fail, failCounted) =>
        after(admitted(progress, fail, failCounted), (caller) =>
          after(call.readInput(fail, caller), (input) =>
            after(
              verb(input, {
                caller,
                nowMs,
                asOfMs: asOf(caller, nowMs),
                requestId,
                isReceipt: hasReceipts && call.format?.() === "jws",
                idempotencyKey,
                fail: placing(fail, call.parametersIn),
              }),
              (output) => answered(output, progress, fail),
            ),
          ),
        ),
      (refusal) => refusedWith(refusal, progress),
      (error) => failedWith(error, progress),
    );
  };
};

/** What is said of a key that was not looked up. */
export const KEY_FAULTS = {
  conflict: "More than one API key was supplied.",
  misplaced: "The API key is in the wrong place: send it in the header Authorization: Bearer <API_KEY> or X-API-Key: <API_KEY>.",
} as const;

/** Lets a call through to its verb, or refuses it. */
type Admit = (progress: Progress, fail: FailAny, failCounted: FailCounted) => Caller | Promise<Caller>;

/** The checks that need no parameters, in their order. */
const admission = (route: Route, { authenticator, limits, disabled }: PipelineDeps, gate: TransportGate | undefined): Admit => {
  const { auth, limit, metered, tier } = route.access;
  const isDisabled = route.feature !== undefined && disabled.has(route.feature);
  const changes = isChanging(route);
  const replays = isReplayable(route);

  /** Counts a bad key by its address, then refuses it. */
  const refuseKey = (
    progress: Progress,
    fail: FailAny,
    failCounted: FailCounted,
    detail: ErrorDetail<"invalid_api_key"> = {},
  ): Promise<never> | never =>
    after(limits.badKey(progress.call.ip, progress.nowMs, failCounted), (allowance) => {
      progress.allowance = allowance;
      return fail("invalid_api_key", detail);
    });

  const identify: Admit = (progress, fail, failCounted) => {
    const { key, ip } = progress.call;
    if (auth === "none" || key.kind === "none") return authenticator.anonymous(ip);
    if (key.kind !== "key") return refuseKey(progress, fail, failCounted, { message: KEY_FAULTS[key.kind] });
    return after(
      authenticator.authenticate(key.key, ip, { fail, failCounted }, changes),
      (caller) => caller ?? refuseKey(progress, fail, failCounted),
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

  return (progress, fail, failCounted) => {
    if (isDisabled) fail("disabled");
    return after(identify(progress, fail, failCounted), (caller) =>
      after(count(caller, progress, failCounted), (allowance) => {
        progress.allowance = allowance;
        if (caller.key === null && needsKey(route, caller.tier)) fail(route.unauthenticatedCode);
        requireTier(caller, tier, fail);
        gate?.(caller, fail);
        // A retry reaches the verb, whose store replays its response or refuses it as well.
        const isRetry = replays && progress.call.idempotencyKey !== undefined;
        if (changes && !isRetry) refuseGrace(caller.key, progress.nowMs, fail);
        return caller;
      }),
    );
  };
};

/** What is answered when a call is refused, and when it fails. */
const refusals = (
  route: Route,
  { log }: PipelineDeps,
  { deprecation, isGated }: { readonly deprecation: Readonly<Record<string, string>>; readonly isGated: boolean },
) => {
  const declared = new Set(errorCodesOf(route));
  if (isGated) declared.add("plan_gated");

  /** With what is left of the caller's windows, the metered call refunded. */
  const answer = (refusal: Refused, { call, nowMs, allowance }: Progress): Outcome => {
    const counted = allowance && refunded(allowance);
    const window = refusal.detail["window"];
    const headers = counted ? limitHeaders(counted, nowMs, window === "month" || window === "hour" ? window : "minute") : {};
    const more = ERRORS[refusal.code].status === 403 ? deprecation : {};
    return refusalOutcome(refusal, call.requestId, { ...headers, ...more });
  };

  /** A store that does not respond is a refusal if the route declares one; any other error propagates. */
  const failedWith = (error: unknown, progress: Progress): Outcome => {
    if (!(error instanceof StoreUnavailableError) || !route.errors.includes("service_unavailable")) {
      // Whatever propagates from here is not metered either.
      if (progress.allowance) refunded(progress.allowance);
      throw error;
    }
    log.error({ err: error, requestId: progress.call.requestId }, "the database does not respond");
    return answer(refused("service_unavailable"), progress);
  };

  const refusedWith = (refusal: Counted, progress: Progress): Outcome => {
    const { code, allowance } = refusal;
    if (!declared.has(code)) {
      return failedWith(new Error(`${route.path} was refused with ${code}, which it does not declare`), progress);
    }
    const { requestId } = progress.call;
    if (code === "auth_unavailable") log.debug({ requestId }, "failed to verify a key; request refused");
    if (allowance) progress.allowance = allowance;
    return answer(refusal, progress);
  };

  return { refusedWith, failedWith };
};
