/** How a route is declared, and the types derived from a declaration. */
import type { z } from "zod";
import type { EncodedBody } from "./encoded-list.ts";
import type { ErrorCode } from "./errors.ts";
import type { Formats } from "./formats/formats.ts";
import type { Hints } from "./hints.ts";
import type { FailWith } from "./refusal.ts";
import type { TierName } from "./tiers.ts";

/** Whether a key is needed: `none` ignores keys, `optional` accepts them, `required` refuses requests without one. */
export type AuthRule = "none" | "optional" | "required";

export type LimitRule =
  /** The tier's limits, or those of keyless callers. */
  | "standard"
  /** Sixty requests a minute per IP address, with or without a key. */
  | "light"
  /** Not limited. */
  | "none";

/** Who may call a route, how often, and whether it counts against the monthly quota. */
export interface Access<A extends AuthRule = AuthRule> {
  readonly auth: A;
  readonly tier: TierName;
  readonly limit: LimitRule;
  /** Whether a 2xx or 3xx answer counts against the monthly quota. */
  readonly metered: boolean;
}

/** A part of the service an operator can switch off. */
export type Feature = "bars" | "ratios" | "download";

/** HTTP methods of the contract. GET reads, the others write, but for a POST that `computes`. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** How a list is paged, by `cursor` and `next_cursor`: newest first, and oldest first if it has an `order`. */
export interface Paging {
  readonly items: string;
  /** The field that rows are sorted by. */
  readonly at: string;
  /** The field of a row that says whether it is final. */
  readonly closed?: string;
}

/** An example answer for documents and mocks. */
export interface Example<Output> {
  /** When the route returns it. */
  readonly summary: string;
  readonly value: Output;
}

/** A route's example answers by name. */
export type Examples<Output> = Readonly<Record<string, Example<Output>>>;

/** A route as a tool that language models call over MCP. */
export interface Tool {
  /** In snake case, unique among the tools. */
  readonly name: string;
  /** When to use it and how to read its answer, for a language model. */
  readonly description: string;
  /** The list that it answers with, newest first, and the names of the figures by which a long one is summed up. */
  readonly rows?: { readonly list: string; readonly figure: string; readonly least?: string; readonly greatest?: string };
  /** Lists, or records of rows, of which a summary has only the rows that need attention: whose field has another value than this. */
  readonly healthy?: Readonly<Record<string, { readonly field: string; readonly is: unknown }>>;
}

/** What a body is, where it is not JSON of at most 64 KiB. */
export interface Body {
  readonly maxBytes: number;
  /** The list that a CSV file gives, a row for each member; every other parameter is then in the query. */
  readonly csv: { readonly list: string; readonly row: z.ZodObject };
}

export type MediaType = "application/json" | "image/svg+xml" | "text/html";

export interface Route<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  E extends ErrorCode = ErrorCode,
  M extends Method = Method,
  A extends AuthRule = AuthRule,
  P extends `/${string}` = `/${string}`,
> {
  readonly method: M;
  /** Set on a POST that computes and changes nothing: a body is only where its parameters are. */
  readonly computes?: true;
  readonly body?: Body;
  /** The path with `{parameters}`, as in OpenAPI. A parameter may be followed by a fixed ending: `{metal}.svg`. */
  readonly path: P;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access<A>;
  /** Path, query and body parameters in one object; names that occur in the path are path parameters. */
  readonly input: I;
  readonly output: O;
  readonly success: {
    readonly status: 200 | 201 | 204 | 307;
    /** What the answer is when it is not JSON; its verb then answers the encoded text. */
    readonly mediaType?: MediaType;
    /** `no-store` when left out; what the verb answers in `caching` goes before it. */
    readonly cacheControl?: string;
    /** Whether the answer carries an ETag; a matching If-None-Match gets 304. */
    readonly isValidated?: boolean;
  };
  /** Codes the route's verb may fail with. Authentication and rate-limit codes follow from `access`. */
  readonly errors: readonly E[];
  /** The code returned when a required key is missing. */
  readonly unauthenticatedCode: "unauthenticated" | "authentication_required";
  readonly feature?: Feature;
  /** Parameters that the route does not have change nothing here; elsewhere they are refused. */
  readonly ignoresUnknown?: true;
  /** What the refusal of a parameter that the route does not have suggests instead. */
  readonly hints?: Hints;
  /** Request headers the route reads, besides the key. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly paging?: Paging;
  /** What its answer can look like besides JSON. */
  readonly formats?: Formats;
  /** Offers the route to language models; only for routes that read and answer with an object. */
  readonly tool?: Tool;
  /** The path that replaces a deprecated route. */
  readonly successor?: `/v1/${string}`;
  /** Example answers; empty for a route without a response body. */
  readonly examples?: Examples<unknown>;
}

/** A route with a response body has at least one example. */
type ExamplesOf<O extends z.ZodType> =
  undefined extends z.output<O> ? { readonly examples?: never } : { readonly examples: Examples<z.output<O>> };

/** Fields a declaration may omit. */
type RouteOptions<
  I extends z.ZodObject,
  O extends z.ZodType,
  E extends ErrorCode,
  M extends Method,
  A extends AuthRule,
  P extends `/${string}`,
> = Omit<Route<I, O, E, M, A, P>, "access" | "success" | "unauthenticatedCode" | "examples"> &
  Partial<Pick<Route, "success" | "unauthenticatedCode">> & {
    readonly access: Partial<Access<A>> & Pick<Access<A>, "auth">;
  } & ExamplesOf<O>;

/**
 * Declares a route, preserving its literal types.
 * @param options the declaration; access defaults to tier free, standard limit, metered
 */
export const route = <
  I extends z.ZodObject,
  O extends z.ZodType,
  const E extends ErrorCode,
  const M extends Method,
  const A extends AuthRule,
  const P extends `/${string}`,
>(
  options: RouteOptions<I, O, E, M, A, P>,
): Route<I, O, E, M, A, P> => ({
  success: { status: 200 },
  unauthenticatedCode: "unauthenticated",
  ...options,
  access: { tier: "free", limit: "standard", metered: true, ...options.access },
});

/** A tree of routes: resources, then actions. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** A tree whose routes are all under the version: what the SDK and the tRPC router are made from. */
export type VersionedContract = Readonly<
  Record<string, Readonly<Record<string, Route<z.ZodObject, z.ZodType, ErrorCode, Method, AuthRule, `/v1/${string}`>>>>
>;

/** What a verb receives: the parsed parameters. */
export type InputOf<R> = R extends Route<infer I> ? z.output<I> : never;

/** What a caller may send: parameters with defaults are optional. */
export type RequestOf<R> = R extends Route<infer I> ? z.input<I> : never;

export type OutputOf<R> = R extends Route<z.ZodObject, infer O> ? z.output<O> : never;

/** The codes a route's verb may fail with. */
export type ErrorsOf<R> = R extends Route<z.ZodObject, z.ZodType, infer E> ? E : never;

/** Codes implied by a route that accepts keys. */
type KeyCodes<R> = R extends { readonly access: { readonly auth: infer A } } ? ("none" extends A ? never : KeyCode) : never;
type KeyCode = "invalid_api_key" | "auth_unavailable";

/** Codes implied by a route that changes something; it requires a key, which the contract's test holds every one to. */
type ChangeCodes<R> = R extends { readonly method: infer M; readonly access: { readonly auth: "required" } }
  ? "GET" extends M
    ? never
    : "key_in_grace"
  : never;

/** Refuses the request with one of the codes the route declares. */
export type Fail<R> = FailWith<ErrorsOf<R> | KeyCodes<R> | ChangeCodes<R>>;

export interface Caching {
  /** A strong validator, in quotes; a matching If-None-Match gets 304. */
  readonly etag?: string;
  /** Overrides the route's Cache-Control. */
  readonly cacheControl?: string;
}

/** An answer that is already encoded as JSON. */
export class Encoded<T> {
  /** Phantom: the shape the bytes decode to. */
  declare readonly shape: T;
  readonly body: EncodedBody;
  readonly caching: Caching | undefined;
  /** More headers of this answer. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  constructor(body: EncodedBody, caching?: Caching, headers?: Readonly<Record<string, string>>) {
    this.body = body;
    this.caching = caching;
    this.headers = headers;
  }
}

/** A verb's answer: the output, or the output already encoded. */
export type Answer<R> = OutputOf<R> | Encoded<OutputOf<R>>;

/** The verb of one route: maps input and context to output. */
export type Verb<R, Context> = (
  input: InputOf<R>,
  context: Context & { readonly fail: Fail<R> },
) => Answer<R> | Promise<Answer<R>>;

/** One verb for every route of a contract; a missing verb is a compile error. */
export type Verbs<C, Context> = {
  readonly [G in keyof C]: { readonly [K in keyof C[G]]: Verb<C[G][K], Context> };
};

/** Whether a route is part of the API; the others are pages. */
export const isVersioned = ({ path }: Pick<Route, "path">): boolean => path.startsWith("/v1/");

/** Whether a route changes something, which a key in grace must not. */
export const isChanging = ({ method, computes }: Pick<Route, "method" | "computes">): boolean =>
  method !== "GET" && computes !== true;

/** Whether a route reads a body: then every parameter outside the path is in it. */
export const takesBody = ({ method }: Pick<Route, "method">): boolean => method === "POST" || method === "PATCH";

/** The largest body of a route that declares none of its own, and of every other door. */
export const MAX_BODY_BYTES = 64 * 1_024;

export const maxBodyBytes = ({ body }: Pick<Route, "body">): number => body?.maxBytes ?? MAX_BODY_BYTES;

/** Whether a route answers a retry under the same Idempotency-Key with the response it gave before. */
export const isReplayable = ({ requestHeaders }: Pick<Route, "requestHeaders">): boolean =>
  requestHeaders?.["Idempotency-Key"] !== undefined;

/**
 * Every code a route can return: its own, and those implied by its access.
 * @returns unique codes, the route's own first
 */
export const errorCodesOf = (route: Route): ErrorCode[] => {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.feature) codes.add("disabled");
  if (route.access.auth !== "none") codes.add("invalid_api_key").add("auth_unavailable");
  if (route.access.auth === "required") codes.add(route.unauthenticatedCode);
  if (route.access.auth !== "none" && isChanging(route)) codes.add("key_in_grace");
  if (route.access.tier !== "free") codes.add("plan_gated");
  if (route.access.limit !== "none") codes.add("rate_limit_exceeded");
  if (route.access.limit === "standard") codes.add("rate_limited");
  if (route.access.metered && route.access.auth !== "none") codes.add("quota_exceeded");
  if (Object.keys(route.input.shape).length > 0 || isVersioned(route)) codes.add("validation_error");
  if (takesBody(route)) codes.add("payload_too_large").add("unsupported_media_type");
  return [...codes];
};

/** The names of a path's parameters, in order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");

/** Actions whose names are meaningless without their resource. */
const BARE_ACTIONS: ReadonlySet<string> = new Set([
  "get",
  "list",
  "latest",
  "head",
  "link",
  "create",
  "update",
  "delete",
  "test",
  "rotate",
  "xau",
  "arbitrage",
]);

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The name of a route's declaration and of its verb.
 * @returns `getPhysical` for `physical.get`; `mintKey` for `account.mintKey`, whose action is already specific
 */
export const verbName = (resource: string, action: string): string =>
  BARE_ACTIONS.has(action) ? action + upperFirst(resource) : action;

/** The file of a resource in the folder of routes: of their declarations in the contract, of their verbs in the services. */
export const routesFile = (resource: string): string =>
  `${resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;

/** The operation id of a route: resource and action in camelCase, as generated clients name their methods. */
export const operationId = (resource: string, action: string): string => resource + upperFirst(action);
