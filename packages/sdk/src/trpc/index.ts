/** `@assay/sdk/trpc`: the service's tRPC router as a type, and a link that calls it as it wants to be called. */
import { httpBatchLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AppRouter, WireError } from "../generated/router.ts";

export type { AppRouter, ErrorShape, Procedures, WireError } from "../generated/router.ts";
export type * as Wire from "../generated/wire.ts";

/** Calls the service takes in one request; a larger batch is refused whole. */
const MAX_BATCH = 10;
/** Well below the 8 KiB a request's head may have. */
const MAX_URL_LENGTH = 4_096;

type LinkFetch = NonNullable<Parameters<typeof httpBatchLink>[0]["fetch"]>;

/** How the service is reached. */
export interface AssayLinkOptions {
  /** Where it is, without `/trpc`: `https://prices.example.com`, or an address with a path in front. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; without it prices are 15 minutes late. Keep it on a server. */
  readonly apiKey?: string | undefined;
  /** Headers to add, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Another `fetch`, such as one that goes through a proxy. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * The terminating link of a tRPC client: calls of the same moment travel as one request, ten at most.
 * @param options how the service is reached
 * @returns a link for `createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl })] })`
 * @throws TypeError when `baseUrl` is not an absolute http or https URL
 */
export const assayLink = ({ baseUrl, apiKey, headers = {}, fetch }: AssayLinkOptions): TRPCLink<AppRouter> => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new TypeError("baseUrl must be an absolute http or https URL");
  return httpBatchLink<AppRouter>({
    url: `${url.origin}${url.pathname.replace(/\/+$/, "")}/trpc`,
    maxItems: MAX_BATCH,
    maxURLLength: MAX_URL_LENGTH,
    headers: apiKey === undefined ? headers : { ...headers, Authorization: `Bearer ${apiKey}` },
    ...(fetch && { fetch: fetch as LinkFetch }), // the platform's, whose types differ from tRPC's in an optional undefined alone
  });
};

/**
 * The refusal behind a failed call, as REST would have answered it.
 * @param error what a call threw
 * @returns the body, whose `error` is the code; null for anything that is not a refusal of the service
 */
export const wireErrorOf = (error: unknown): WireError | null =>
  error instanceof TRPCClientError ? ((error as TRPCClientError<AppRouter>).data?.wire ?? null) : null; // the router's own shape
