/** The one pipeline every door goes through: authenticate, limit, gate, read the input, call the verb, present. */
import { Encoded, ERRORS, type ErrorCode, errorCodesOf, Refusal, type Route } from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import { asOf } from "./access/as-of.ts";
import type { Authenticator } from "./access/authenticate.ts";
import { requireTier } from "./access/gate.ts";
import { type Allowance, allowanceOf, type Limits, limitHeaders, refunded, withAllowance } from "./access/limits.ts";
import type { Caller, Clock, ServiceLog, VerbContext } from "./context.ts";

/** One request, as a door hands it over. */
export interface Call {
  readonly requestId: string;
  /** The client's address; IPv6 already cut to its /64. */
  readonly ip: string;
  /** The key supplied; null for none; `conflict` when two different ones were. */
  readonly key: string | null | "conflict";
  readonly idempotencyKey?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Reads the parameters: parsed and valid, or a Refusal thrown. Called after the checks that need none. */
  readonly readInput: () => unknown;
}

/** An answer, ready for any door. */
export interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** JSON text or bytes; null for none; undefined output has none. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The code of a refusal, and its body as an object. */
  readonly error?: { readonly code: ErrorCode; readonly body: Record<string, unknown> };
}

/** Any route's verb. Its parameters are bivariant: each verb was checked against its own route where the verbs are put together. */
export type AnyVerb = {
  erased(
    input: unknown,
    context: VerbContext & { readonly fail: (code: ErrorCode, detail?: Record<string, unknown>) => never },
  ): unknown;
}["erased"];

/** Everything the pipeline needs beside the route and the call. */
export interface PipelineDeps {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly disabled: ReadonlySet<string>;
  readonly historySunset: string | null;
}

/** How long a caller is asked to wait after a 503 that says nothing better. */
const RETRY_AFTER_SECONDS = "5";
const RETRIABLE: ReadonlySet<number> = new Set([429, 503]);

const fail = (code: ErrorCode, detail?: Record<string, unknown>): never => {
  throw new Refusal(code, detail);
};

/** Answers a refusal with the table's words and the code's own fields. */
export const refusalOutcome = (
  refusal: Refusal,
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

/** Whether an If-None-Match header names a validator. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*") ?? false;

/** A verb behind its checks: what a door calls. The answer is there at once when no engine had to be waited for. */
export type Invoke = (call: Call) => Outcome | Promise<Outcome>;

/** How far a call has come. */
interface Progress {
  readonly call: Call;
  readonly nowMs: number;
  allowance: Allowance | undefined;
}

/** Goes on with a value, at once when it is there: a promise for what is at hand costs more than all the checks together. */
const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * Puts the pipeline before a verb.
 * @param route its declaration
 * @param verb what it does
 * @returns a function that answers every call and never throws but for faults nobody foresaw
 */
export const invoker = (route: Route, verb: AnyVerb, deps: PipelineDeps): Invoke => {
  const { authenticator, limits, clock, log, disabled } = deps;
  const { auth, limit, metered, tier } = route.access;
  const cacheControl = route.success.cacheControl ?? "no-store";
  const deprecation = deprecationHeaders(route, deps.historySunset);
  const declared = new Set(errorCodesOf(route));
  const isDisabled = route.feature !== undefined && disabled.has(route.feature);

  const badKey = async (error: unknown, call: Call, nowMs: number): Promise<never> => {
    if (!(error instanceof Refusal) || error.code !== "invalid_api_key") throw error;
    throw withAllowance(error, await limits.badKey(call.ip, nowMs));
  };

  const identify = (call: Call, nowMs: number): Caller | Promise<Caller> => {
    if (auth === "none" || call.key === null) return authenticator.anonymous(call.ip);
    try {
      if (call.key === "conflict") throw new Refusal("invalid_api_key", { message: "More than one API key was supplied." });
      const caller = authenticator.authenticate(call.key, call.ip);
      return caller instanceof Promise ? caller.catch((error: unknown) => badKey(error, call, nowMs)) : caller;
    } catch (error) {
      return badKey(error, call, nowMs);
    }
  };

  /** What a caller reads of an error: a declared refusal as it is, and a store that does not answer where the route foresees it. */
  const refusalOf = (error: unknown, requestId: string): Refusal => {
    if (error instanceof Refusal && declared.has(error.code)) {
      if (error.code === "auth_unavailable") log.warn({ requestId }, "a key could not be verified; the request is refused");
      return error;
    }
    if (!(error instanceof StoreUnavailableError) || !route.errors.includes("service_unavailable")) throw error;
    log.error({ err: error, requestId }, "the store does not answer");
    return new Refusal("service_unavailable");
  };

  const count = (call: Call, caller: Caller, nowMs: number): Allowance | Promise<Allowance> | undefined =>
    limit === "standard" ? limits.check(caller, metered, nowMs) : limit === "light" ? limits.light(call.ip, nowMs) : undefined;

  const refused = (refusal: Refusal, call: Call, allowance: Allowance | undefined, nowMs: number): Outcome => {
    const counted = allowance ?? allowanceOf(refusal);
    const window = refusal.detail["window"];
    const headers = counted ? limitHeaders(counted, nowMs, window === "month" || window === "hour" ? window : "minute") : {};
    return refusalOutcome(
      refusal,
      call.requestId,
      ERRORS[refusal.code].status === 403 ? { ...headers, ...deprecation } : headers,
    );
  };

  const answered = (output: unknown, call: Call, allowance: Allowance | undefined, nowMs: number): Outcome => {
    const isUnchanged =
      output instanceof Encoded && output.caching?.etag !== undefined && matchesEtag(call.ifNoneMatch, output.caching.etag);
    const counted = allowance && isUnchanged ? refunded(allowance) : allowance;
    const headers: Record<string, string> = counted ? limitHeaders(counted, nowMs) : {};
    headers["Content-Type"] = "application/json";
    headers["X-Request-Id"] = call.requestId;
    headers["Cache-Control"] = cacheControl;
    headers["X-Content-Type-Options"] = "nosniff";
    if (route.successor) Object.assign(headers, deprecation);
    if (output instanceof Encoded) {
      if (output.caching) {
        if (output.caching.cacheControl) headers["Cache-Control"] = output.caching.cacheControl;
        if (output.caching.etag) headers["ETag"] = output.caching.etag;
        if (isUnchanged) {
          delete headers["Content-Type"];
          return { status: 304, headers, body: null };
        }
      }
      return { status: route.success.status, headers, body: output.body };
    }
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

  const failed = (error: unknown, { call, nowMs, allowance }: Progress): Outcome => {
    // First of all: a fault nobody foresaw goes on from here, and is not metered either.
    const unmetered = allowance && refunded(allowance);
    return refused(refusalOf(error, call.requestId), call, unmetered, nowMs);
  };

  const decoded = (input: unknown, caller: Caller, progress: Progress): Outcome | Promise<Outcome> => {
    const { call, nowMs } = progress;
    const { requestId, idempotencyKey } = call;
    const output = verb(input, { caller, nowMs, asOfMs: asOf(caller, nowMs), requestId, idempotencyKey, fail });
    return after(output, (it) => answered(it, call, progress.allowance, nowMs));
  };

  const counted = (allowance: Allowance | undefined, caller: Caller, progress: Progress): Outcome | Promise<Outcome> => {
    progress.allowance = allowance;
    if (auth === "required" && caller.key === null) throw new Refusal(route.unauthenticatedCode);
    requireTier(caller, tier);
    return after(progress.call.readInput(), (input) => decoded(input, caller, progress));
  };

  const identified = (caller: Caller, progress: Progress): Outcome | Promise<Outcome> =>
    after(count(progress.call, caller, progress.nowMs), (allowance) => counted(allowance, caller, progress));

  return (call) => {
    const progress: Progress = { call, nowMs: clock(), allowance: undefined };
    try {
      if (isDisabled) throw new Refusal("disabled");
      const outcome = after(identify(call, progress.nowMs), (caller) => identified(caller, progress));
      return outcome instanceof Promise ? outcome.catch((error: unknown) => failed(error, progress)) : outcome;
    } catch (error) {
      return failed(error, progress);
    }
  };
};
