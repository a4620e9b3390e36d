/** The answer of a verb as a response: headers, validator, format, body. */
import { Encoded, type Route } from "@assay/contract";
import { type Allowance, limitHeaders, refunded } from "./access/limits.ts";
import { after } from "./after.ts";
import type { Call, Outcome } from "./call.ts";
import type { SignReceipt } from "./receipts/sign-receipt.ts";
import { representationsOf } from "./represent.ts";

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

/** Writes the answer of a verb. @param allowance the windows the call was counted against */
type WriteAnswer = (output: unknown, call: Call, allowance: Allowance | undefined, nowMs: number) => Outcome | Promise<Outcome>;

/**
 * How a route's answers are written.
 * @param deprecation the headers of a deprecated route
 * @param signReceipt for routes with receipts
 */
export const answerWriter = (
  route: Route,
  deprecation: Readonly<Record<string, string>>,
  signReceipt: SignReceipt | undefined,
): WriteAnswer => {
  const cacheControl = route.success.cacheControl ?? "no-store";
  const contentType = contentTypeOf(route);
  const representations = representationsOf(route, signReceipt);

  return (output, call, allowance, nowMs) => {
    const format = call.format?.();
    const representation = format && representations.get(format);
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
};
