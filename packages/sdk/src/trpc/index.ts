/** `@assay/sdk/trpc`: the service's tRPC router as a type, and a link configured for it. */
import { httpBatchLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AppRouter, WireError } from "../generated/router.ts";

export type { AppRouter, ErrorShape, Procedures, WireError } from "../generated/router.ts";
export type * as Wire from "../generated/wire.ts";

/** The most calls per request; the service refuses a larger batch as a whole. */
const MAX_BATCH = 10;
/** Well below the 8 KiB limit on a request's head. */
const MAX_URL_LENGTH = 4_096;

type LinkFetch = NonNullable<Parameters<typeof httpBatchLink>[0]["fetch"]>;

/** Options of the link. */
export interface AssayLinkOptions {
  /** The service's base URL, without `/trpc`: `https://prices.example.com`, possibly with a path. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; without it you have what the service gives callers without a key, by default prices delayed by 15 minutes. Keep it on a server. */
  readonly apiKey?: string | undefined;
  /** Headers to add, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A custom `fetch`, such as one that uses a proxy. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Creates the terminating link of a tRPC client: concurrent calls are sent as one request, ten at most.
 * @param options how to reach the service
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
    ...(fetch && { fetch: fetch as LinkFetch }), // the platform's, whose types differ from tRPC's only in an optional undefined
  });
};

/**
 * Returns the refusal behind a failed call, as REST would have sent it.
 * @param error the error a call threw
 * @returns the body, whose `error` is the code; null for anything but a refusal of the service
 */
export const wireErrorOf = (error: unknown): WireError | null =>
  error instanceof TRPCClientError ? ((error as TRPCClientError<AppRouter>).data?.wire ?? null) : null; // the router's own shape
