/** The headers of answers, as the document lists them. */
import type { Route } from "@assay/contract";
import type { Json } from "./types.ts";

const text = (description: string, example: string): Json => ({ description, schema: { type: "string" }, example });
const count = (description: string, example: number): Json => ({ description, schema: { type: "integer" }, example });

const always = { "X-Request-Id": text("The id of the request", "4f1c2a0e-8d5b-4c58-9a59-2a2b1d6c7e11") };

const limits = {
  "X-RateLimit-Limit": count("Requests allowed in the window", 60),
  "X-RateLimit-Remaining": count("Of them left", 41),
  "X-RateLimit-Reset": count("When the window starts anew, epoch seconds", 1_795_220_460),
  "RateLimit-Policy": text("Every window: quota q and length w in seconds", '"minute";q=60;w=60, "month";q=20000;w=2592000'),
  RateLimit: text("Every window: remaining r and seconds to reset t", '"minute";r=41;t=36, "month";r=14120;t=864200'),
};

const deprecation = (successor: string) => ({
  Deprecation: text("This route is deprecated", "true"),
  Link: text("What replaces it", `<${successor}>; rel="successor-version"`),
  Sunset: text("When it goes; only once a date is set", "2027-06-30"),
});

/** Headers every answer of a route carries. */
export const commonHeaders = (route: Route): Record<string, Json> =>
  route.access.limit === "none" ? always : { ...always, ...limits };

/** Headers of its success. */
export const successHeaders = (route: Route): Record<string, Json> => ({
  ...commonHeaders(route),
  ...(route.success.status === 204
    ? {}
    : { "Cache-Control": text("How the answer may be kept", route.success.cacheControl ?? "no-store") }),
  ...(route.successor ? deprecation(route.successor) : {}),
});

/** Headers of a refusal with a status. */
export const refusalHeaders = (route: Route, status: number): Record<string, Json> => ({
  ...commonHeaders(route),
  ...(status === 429 || status === 503 ? { "Retry-After": count("Seconds to wait", 36) } : {}),
  ...(status === 429
    ? { "X-Should-Retry": text("false when waiting out the window does not help: quota_exceeded", "false") }
    : {}),
  ...(status === 401 ? { "WWW-Authenticate": text("The scheme of the key", 'Bearer realm="assay"') } : {}),
  ...(status === 403 && route.successor ? deprecation(route.successor) : {}),
});
