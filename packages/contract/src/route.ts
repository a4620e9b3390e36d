/** How one route is declared, and the types that follow from a declaration. */
import type { z } from "zod";
import type { ErrorCode, ErrorDetail } from "./errors.ts";
import type { TierName } from "./tiers.ts";
import type { Interval } from "./values.ts";

/** Whether a key is needed: `none` ignores keys, `optional` takes them, `required` refuses without. */
export type AuthRule = "none" | "optional" | "required";

/** How a route is limited. */
export type LimitRule =
  /** The tier's or the keyless limits. */
  | "standard"
  /** Sixty a minute per IP address, key or not. */
  | "light"
  /** Not at all. */
  | "none";

/** Who may call a route, how often, and whether it counts against the monthly quota. */
export interface Access {
  readonly auth: AuthRule;
  readonly tier: TierName;
  readonly limit: LimitRule;
  /** Whether a 2xx or 3xx answer counts against the monthly quota. */
  readonly metered: boolean;
}

/** A part of the service an operator can switch off. */
export type Feature = "bars" | "ratios" | "download";

/** The methods of the contract. GET asks, POST and DELETE change. */
export type Method = "GET" | "POST" | "DELETE";

/** How a list is walked page by page: newest first, by `cursor` and `next_cursor`. */
export interface Paging {
  /** The field that holds the rows. */
  readonly items: string;
  /** The field of a row by which the list is ordered. */
  readonly at: string;
  /** The least distance between two rows: a fixed interval, or the parameter that names it. */
  readonly step: { readonly interval: Interval } | { readonly parameter: string };
  /** The field of a row that tells whether it is final. */
  readonly closed?: string;
}

/** One declared route. */
export interface Route<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  E extends ErrorCode = ErrorCode,
  M extends Method = Method,
> {
  readonly method: M;
  /** The path with `{parameters}`, as in OpenAPI. */
  readonly path: `/v1/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Path, query and body parameters in one object; those named in the path come from the path. */
  readonly input: I;
  readonly output: O;
  readonly success: { readonly status: 200 | 201 | 204 | 307; readonly cacheControl?: string };
  /** The codes the route's verb may fail with. Those of authentication and limits follow from `access`. */
  readonly errors: readonly E[];
  /** The code of a request without a key on a route that needs one. */
  readonly unauthenticatedCode: "unauthenticated" | "authentication_required";
  readonly feature?: Feature;
  /** Request headers the route reads beside the key. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly paging?: Paging;
  /** The path that replaces a deprecated route. */
  readonly successor?: `/v1/${string}`;
}

/** What a declaration may leave out. */
type RouteOptions<I extends z.ZodObject, O extends z.ZodType, E extends ErrorCode, M extends Method> = Omit<
  Route<I, O, E, M>,
  "access" | "success" | "unauthenticatedCode"
> &
  Partial<Pick<Route, "success" | "unauthenticatedCode">> & { readonly access: Partial<Access> & Pick<Access, "auth"> };

/**
 * Declares a route, keeping its literal types.
 * @param options the declaration; access defaults to tier free, standard limit, metered
 */
export const route = <I extends z.ZodObject, O extends z.ZodType, const E extends ErrorCode, const M extends Method>(
  options: RouteOptions<I, O, E, M>,
): Route<I, O, E, M> => ({
  success: { status: 200 },
  unauthenticatedCode: "unauthenticated",
  ...options,
  access: { tier: "free", limit: "standard", metered: true, ...options.access },
});

/** A tree of routes: resources, then actions. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** What a verb receives: the parsed parameters. */
export type InputOf<R> = R extends Route<infer I> ? z.output<I> : never;

/** What a caller may send: defaults left out. */
export type RequestOf<R> = R extends Route<infer I> ? z.input<I> : never;

/** What a route answers. */
export type OutputOf<R> = R extends Route<z.ZodObject, infer O> ? z.output<O> : never;

/** The codes a route's verb may fail with. */
export type ErrorsOf<R> = R extends Route<z.ZodObject, z.ZodType, infer E> ? E : never;

/** Refuses the request with one of the route's declared codes. The fields the code's body adds are demanded by its type. */
export type Fail<R> = <C extends ErrorsOf<R>>(
  code: C,
  ...detail: { message?: string } extends ErrorDetail<C> ? [detail?: ErrorDetail<C>] : [detail: ErrorDetail<C>]
) => never;

/** How an encoded answer may be kept by caches. */
export interface Caching {
  /** A strong validator, in quotes; a request that names it gets 304. */
  readonly etag?: string;
  /** Overrules the route's own Cache-Control. */
  readonly cacheControl?: string;
}

/** An answer that is encoded already: JSON text or its bytes, shared by all who get the same. */
export class Encoded<T> {
  /** Phantom: the shape the bytes decode to. */
  declare readonly shape: T;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly caching: Caching | undefined;
  constructor(body: string | Uint8Array<ArrayBuffer>, caching?: Caching) {
    this.body = body;
    this.caching = caching;
  }
}

/** A verb's answer: the output, or the output already encoded. */
export type Answer<R> = OutputOf<R> | Encoded<OutputOf<R>>;

/** The verb of one route: input and context to output. */
export type Verb<R, Context> = (
  input: InputOf<R>,
  context: Context & { readonly fail: Fail<R> },
) => Answer<R> | Promise<Answer<R>>;

/** One verb for every route of a contract; a route without its verb does not compile. */
export type Verbs<C, Context> = {
  readonly [G in keyof C]: { readonly [K in keyof C[G]]: Verb<C[G][K], Context> };
};

/**
 * Every code a route can answer with: its own, and those that follow from its access.
 * @param route the route
 * @returns codes without repetition, the route's own first
 */
export const errorCodesOf = (route: Route): ErrorCode[] => {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.feature) codes.add("disabled");
  if (route.access.auth !== "none") codes.add("invalid_api_key").add("auth_unavailable");
  if (route.access.auth === "required") codes.add(route.unauthenticatedCode);
  if (route.access.tier !== "free") codes.add("plan_gated");
  if (route.access.limit !== "none") codes.add("rate_limit_exceeded");
  if (route.access.limit === "standard") codes.add("rate_limited");
  if (route.access.metered && route.access.auth !== "none") codes.add("quota_exceeded");
  if (Object.keys(route.input.shape).length > 0) codes.add("validation_error");
  if (route.method === "POST") codes.add("payload_too_large");
  return [...codes];
};

/** The names of a path's parameters, in order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
