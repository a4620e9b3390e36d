/** Response headers, as the document lists them. */
import { EXAMPLE_LINK, formatEntry, formatsOf, type MediaType, type Route } from "@assay/contract";
import { z } from "zod";
import type { Json } from "./types.ts";

const text = (description: string, example: string): Json => ({ description, schema: { type: "string" }, example });
const count = (description: string, example: number): Json => ({ description, schema: { type: "integer" }, example });

/** Headers that mean the same in every response. */
export const HEADERS = {
  "X-Request-Id": text("The id of the request: your own when it was well-formed, else a made one", "4f1c2a0e-8d5b-4c58-9a59"),
  "X-Content-Type-Options": text("Always nosniff", "nosniff"),
  "X-RateLimit-Limit": count("Requests allowed in the window", 60),
  "X-RateLimit-Remaining": count("Of them left", 41),
  "X-RateLimit-Reset": count("When the window resets, epoch seconds", 1_795_183_440),
  "RateLimit-Policy": text("Every window: quota q and length w in seconds", '"minute";q=60;w=60, "month";q=20000;w=2592000'),
  RateLimit: text("Every window: remaining r and seconds to reset t", '"minute";r=41;t=33, "month";r=14120;t=899793'),
  "Retry-After": count("Seconds to wait before the next try", 33),
  "X-Should-Retry": text("false if waiting does not help: quota_exceeded", "false"),
  "WWW-Authenticate": text("The scheme of the key", 'Bearer realm="assay"'),
  ETag: text("A strong validator; send it back as If-None-Match", '"a7312f1916566a4668c437142fabeae8"'),
  Vary: text("The Accept header chose this form of the answer; absent when format did", "Accept"),
  "Content-Security-Policy": text(
    "What the answer may load, and whose pages may frame it",
    "default-src 'none'; frame-ancestors 'none'",
  ),
  "Cross-Origin-Resource-Policy": text("That any page may show it", "cross-origin"),
  "Referrer-Policy": text("That its links do not name it", "no-referrer"),
  "X-Frame-Options": text("DENY while no origin may frame it", "DENY"),
  "X-Stale-Reason": text("With format=text, why the figure is stale; only when it is", "market_closed"),
  Deprecation: text("This route is deprecated", "true"),
  Sunset: text("The day it goes; only once one is set", "2027-06-30"),
} as const;

type HeaderName = keyof typeof HEADERS;
type Headers = Record<string, Json>;

const refs = (...names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ALWAYS = ["X-Request-Id", "X-Content-Type-Options"] as const;
const LIMITS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"] as const;

const deprecation = (successor: string): Headers => ({
  ...refs("Deprecation", "Sunset"),
  Link: text("What replaces it", `<${successor}>; rel="successor-version"`),
});

const caching = (value: string): Headers => ({ "Cache-Control": text("How the answer may be kept", value) });

/** What formats add: the choice by Accept, and the next page where a body has no place for it. */
const negotiation = (route: Route): Headers => {
  const formats = formatsOf(route);
  if (formats.length === 0) return {};
  const next = text("The next page, in formats other than JSON; absent on the last", `<${route.path}?cursor=…>; rel="next"`);
  return {
    ...(formats.some((format) => formatEntry(format).accept !== undefined) ? refs("Vary") : {}),
    ...(route.paging ? { Link: next } : {}),
    ...(route.formats?.text !== undefined && route.output instanceof z.ZodObject && "stale_reason" in route.output.shape
      ? refs("X-Stale-Reason")
      : {}),
  };
};

const commonHeaders = (route: Route): Headers => refs(...ALWAYS, ...(route.access.limit === "none" ? [] : LIMITS));

const OF_MEDIA: Readonly<Record<MediaType, readonly HeaderName[]>> = {
  "application/json": [],
  "image/svg+xml": ["Content-Security-Policy", "Cross-Origin-Resource-Policy"],
  "text/html": ["Content-Security-Policy", "Referrer-Policy", "X-Frame-Options"],
};

export const successHeaders = (route: Route, hasValidator: boolean): Headers => ({
  ...commonHeaders(route),
  ...caching(route.success.cacheControl ?? (hasValidator ? "public, max-age=1593" : "no-store")),
  ...(hasValidator ? refs("ETag") : {}),
  ...negotiation(route),
  ...refs(...OF_MEDIA[route.success.mediaType ?? "application/json"]),
  ...(route.success.status === 307 ? { Location: text("The link, good for one hour", EXAMPLE_LINK) } : {}),
  ...(route.successor ? deprecation(route.successor) : {}),
});

/** Headers of an error response with a given status. */
export const refusalHeaders = (route: Route, status: number): Headers => ({
  ...commonHeaders(route),
  ...caching("no-store"),
  ...(status === 429 || status === 503 ? refs("Retry-After") : {}),
  ...(status === 429 ? refs("X-Should-Retry") : {}),
  ...(status === 401 ? refs("WWW-Authenticate") : {}),
  ...(status === 403 && route.successor ? deprecation(route.successor) : {}),
});

/** Headers of the plain-text 500. */
export const faultHeaders = (): Headers => ({ ...refs("X-Request-Id"), ...caching("no-store") });
