/** The one pipeline behind every transport: authenticate, limit, gate, parse the input, call the verb, present. */
import {
  Encoded,
  ERRORS,
  type ErrorCode,
  errorCodesOf,
  type FailWith,
  type Format,
  type Refused,
  type Route,
  refused,
  type SuppliedKey,
} from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import type { Clock, Log } from "@assay/live";
import { asOf } from "./access/as-of.ts";
import type { Authenticator } from "./access/authenticate.ts";
import { requireTier } from "./access/gate.ts";
import { type Allowance, type FailCounted, type Limits, limitHeaders, refunded } from "./access/limits.ts";
import { after } from "./after.ts";
import { attempt, type Counted, type FailAny } from "./attempt.ts";
import type { Caller, VerbContext } from "./context.ts";
import type { SignReceipt } from "./receipts/sign-receipt.ts";
import { type Representation, representationsOf } from "./represent.ts";

/** How parameters are refused. */
export type FailInput = FailWith<"validation_error" | "payload_too_large">;

/** One request, as a transport passes it in. */
export interface Call {
  readonly requestId: string;
  /** The client's address; IPv6 already reduced to its /64. */
  readonly ip: string;
  readonly key: SuppliedKey;
  readonly idempotencyKey?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly acceptEncoding?: string | undefined;
  /** The W3C trace context the caller sent. */
  readonly traceparent?: string | undefined;
  /**
   * Parses the parameters: valid, or refused. Called after the checks that do not need them.
   * @param caller for transports whose protocol leaves the reach of a request to the service
   */
  readonly readInput: (fail: FailInput, caller: Caller) => unknown;
  /** What the answer is written in; undefined is JSON. Called once the verb has answered. */
  readonly format?: () => Format | undefined;
  /** The address of another page of the same request. */
  readonly pageLink?: (cursor: string) => string;
}

/** An answer, independent of transport. */
export interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** JSON text or bytes; null for no value; undefined output has no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** A refusal's code, and its body as an object. */
  readonly error?: { readonly code: ErrorCode; readonly body: Record<string, unknown> };
}

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

/** The Retry-After of a 503 that does not set its own. */
const RETRY_AFTER_SECONDS = "5";
const RETRIABLE: ReadonlySet<number> = new Set([429, 503]);

/** Answers a refusal with the message from the error table and the code's own fields. */
export const refusalOutcome = (
  refusal: Refused,
  requestId: string,
  headers: Record<string, string> = {},
): Outcome & { error: NonNullable<Outcome["error"]> } => {
  const entry = ERRORS[refusal.code];
  const body = { error: refusal.code, message: entry.message, request_id: requestId, ...refusal.detail };
  const all: Record<string, string> = {
    "Content-Type": "application/json",
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  };
  if (RETRIABLE.has(entry.status)) {
    const { retry_after_seconds: wait } = refusal.detail;
    all["Retry-After"] = typeof wait === "number" ? String(wait) : RETRY_AFTER_SECONDS;
  }
  if (refusal.code === "quota_exceeded") all["X-Should-Retry"] = "false";
  if (entry.status === 401) all["WWW-Authenticate"] = 'Bearer realm="assay"';
  return { status: entry.status, headers: all, body: JSON.stringify(body), error: { code: refusal.code, body } };
};

/** The headers of a deprecated route's 200 and 403 answers. */
const deprecationHeaders = (route: Route, sunset: string | null): Record<string, string> =>
  route.successor
    ? {
        Deprecation: "true",
        Link: `<${route.successor}>; rel="successor-version"`,
        ...(sunset === null ? {} : { Sunset: sunset }),
      }
    : {};

/** Adds a link beside those of a deprecated route. */
const addLink = (headers: Record<string, string>, link: string): void => {
  headers["Link"] = headers["Link"] === undefined ? link : `${headers["Link"]}, ${link}`;
};

/** JSON is always UTF-8; other text has to say so. */
const contentTypeOf = ({ success: { mediaType = "application/json" } }: Route): string =>
  mediaType === "application/json" ? mediaType : `${mediaType}; charset=utf-8`;

/** Whether an If-None-Match header matches a validator. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*") ?? false;

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
  const cacheControl = route.success.cacheControl ?? "no-store";
  const contentType = contentTypeOf(route);
  const deprecation = deprecationHeaders(route, deps.historySunset);
  const declared = new Set(errorCodesOf(route));
  if (gate) declared.add("plan_gated");
  const representations = representationsOf(route, deps.signReceipt);
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

  const representationFor = (call: Call): Representation | undefined => {
    const format = call.format?.();
    return format && representations.get(format);
  };

  const answered = (output: unknown, call: Call, allowance: Allowance | undefined, nowMs: number): Outcome | Promise<Outcome> => {
    const representation = representationFor(call);
    const caching = output instanceof Encoded ? output.caching : undefined;
    const etag = caching?.etag && representation ? representation.etagOf(caching.etag) : caching?.etag;
    const isUnchanged = etag !== undefined && matchesEtag(call.ifNoneMatch, etag);
    const counted = allowance && isUnchanged ? refunded(allowance) : allowance;
    const headers: Record<string, string> = counted ? limitHeaders(counted, nowMs) : {};
    headers["Content-Type"] = contentType;
    headers["X-Request-Id"] = call.requestId;
    headers["Cache-Control"] = caching?.cacheControl ?? cacheControl;
    headers["X-Content-Type-Options"] = "nosniff";
    if (route.successor) Object.assign(headers, deprecation);
    if (output instanceof Encoded && output.headers) Object.assign(headers, output.headers);
    if (etag !== undefined) headers["ETag"] = etag;
    if (isUnchanged) {
      delete headers["Content-Type"];
      delete headers["Content-Encoding"];
      return { status: 304, headers, body: null };
    }
    if (representation) {
      return after(representation.write(output, { requestId: call.requestId, nowMs }), (written) => {
        headers["Content-Type"] = written.contentType;
        if (written.nextCursor !== null && call.pageLink) addLink(headers, `<${call.pageLink(written.nextCursor)}>; rel="next"`);
        return { status: route.success.status, headers, body: written.body };
      });
    }
    if (output instanceof Encoded) return { status: route.success.status, headers, body: output.body };
    if (route.success.status === 307) {
      delete headers["Content-Type"];
      headers["Location"] = (output as { location: string }).location; // the output of every route that redirects
      return { status: 307, headers, body: null };
    }
    if (output === undefined) {
      delete headers["Content-Type"];
      return { status: route.success.status, headers, body: null };
    }
    return { status: route.success.status, headers, body: JSON.stringify(output) };
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
