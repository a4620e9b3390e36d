/** What a call ends in: an answer, in the format the caller asked for, or a refusal. */
import {
  bodyText,
  Encoded,
  type EncodedBody,
  EncodedList,
  ERRORS,
  encodedFormatWriter,
  FAULT_TEXT,
  type Format,
  formatEntry,
  formatsOf,
  formatWriter,
  noFigure,
  type Refused,
  type Route,
  refusalBody,
  type TextFormat,
} from "@assay/contract";
import { limitHeaders, refunded } from "./access/allowance.ts";
import { after, type FailAny, type Outcome, type Progress } from "./call.ts";
import type { SignReceipt } from "./receipts.ts";
import { matchesEtag } from "./representations.ts";
import { SharedAnswer } from "./shared-answers.ts";

/** The Retry-After of a 503 that does not set its own. */
const RETRY_AFTER_SECONDS = "5";
const RETRIABLE: ReadonlySet<number> = new Set([429, 503]);

/** Keeps browsers from taking an answer for another type than it says. */
export const NOSNIFF = { "X-Content-Type-Options": "nosniff" } as const;

/** The headers of an answer that nobody may store. */
export const unstoredHeaders = (requestId: string): Record<string, string> => ({
  "X-Request-Id": requestId,
  "Cache-Control": "no-store",
  ...NOSNIFF,
});

/** The plain answer to an unexpected error; the details are in the log under the same id. */
export const faultOutcome = (requestId: string): Outcome => ({
  status: 500,
  headers: { "Content-Type": "text/plain; charset=utf-8", "X-Request-Id": requestId, "Cache-Control": "no-store" },
  body: FAULT_TEXT,
});

/** Answers a refusal with the message from the error table and the code's own fields. */
export const refusalOutcome = (
  refusal: Refused,
  requestId: string,
  headers: Record<string, string> = {},
): Outcome & { error: NonNullable<Outcome["error"]> } => {
  const entry = ERRORS[refusal.code];
  const body = refusalBody(refusal, requestId);
  const all: Record<string, string> = { "Content-Type": "application/json", ...unstoredHeaders(requestId), ...headers };
  if (RETRIABLE.has(entry.status)) {
    const { retry_after_seconds: wait } = refusal.detail;
    all["Retry-After"] = typeof wait === "number" ? String(wait) : RETRY_AFTER_SECONDS;
  }
  if (refusal.code === "quota_exceeded") all["X-Should-Retry"] = "false";
  if (entry.status === 401) all["WWW-Authenticate"] = 'Bearer realm="assay"';
  return { status: entry.status, headers: all, body: JSON.stringify(body), error: { code: refusal.code, body } };
};

interface Represented {
  readonly contentType: string;
  readonly body: EncodedBody;
  /** The cursor of the next page; null when there is none. */
  readonly nextCursor: string | null;
  /** Why the one figure of the body is stale; undefined when it is not, or when the body says it itself. */
  readonly staleReason?: string | undefined;
}

interface ReceiptDetails {
  readonly requestId: string;
  readonly nowMs: number;
}

/** How a route writes one of its formats. */
interface Representation {
  /** The validator of this form of an answer: another than that of JSON, since the bytes are others. */
  etagOf(etag: string): string;
  /** @returns null when the answer lacks the one figure that the format shows */
  write(output: unknown, details: ReceiptDetails): Represented | null | Promise<Represented>;
}

/**
 * The JSON value of an answer. Numbers come back as the digits they were written with; the route suite holds every route to it.
 */
const jsonOf = (output: unknown): unknown => (output instanceof Encoded ? JSON.parse(bodyText(output.body)) : output);

const cursorIn = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || !("next_cursor" in value)) return null;
  return typeof value.next_cursor === "string" ? value.next_cursor : null;
};

/** Why an answer is stale; undefined when it is not. */
const staleReasonIn = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null || !("stale_reason" in value)) return undefined;
  return typeof value.stale_reason === "string" ? value.stale_reason : undefined;
};

const jsonTextOf = (output: unknown): string => (output instanceof Encoded ? bodyText(output.body) : JSON.stringify(output));

const textWriter = (route: Route, format: TextFormat): Representation["write"] => {
  const write = formatWriter(route, format);
  const writeList = encodedFormatWriter(route, format);
  const { contentType } = formatEntry(format);
  return (output) => {
    if (writeList && output instanceof Encoded && output.body instanceof EncodedList) {
      const { body, envelope } = writeList(output.body);
      return { contentType, body, nextCursor: cursorIn(envelope) };
    }
    const value = jsonOf(output);
    const body = write(value);
    if (body === null) return null;
    return { contentType, body, nextCursor: cursorIn(value), staleReason: format === "text" ? staleReasonIn(value) : undefined };
  };
};

const receiptWriter = (route: Route, sign: SignReceipt | undefined): Representation["write"] => {
  if (!sign) throw new Error(`${route.path} has receipts, but nothing to sign them with`);
  const { contentType } = formatEntry("jws");
  const name = `${route.method} ${route.path}`;
  return async (output, details) => {
    const body = await sign({ route: name, ...details, body: jsonTextOf(output) });
    return { contentType, body, nextCursor: null };
  };
};

const representationsOf = (route: Route, sign: SignReceipt | undefined): ReadonlyMap<Format, Representation> =>
  new Map(
    formatsOf(route).map((format): [Format, Representation] => [
      format,
      {
        etagOf: (etag) => etag.replace(/"$/, `-${format}"`),
        write: format === "jws" ? receiptWriter(route, sign) : textWriter(route, format),
      },
    ]),
  );

/** Adds a link beside those of a deprecated route. */
const addLink = (headers: Record<string, string>, link: string): void => {
  headers["Link"] = headers["Link"] === undefined ? link : `${headers["Link"]}, ${link}`;
};

/** JSON is always UTF-8; other text has to say so. */
const contentTypeOf = ({ success: { mediaType = "application/json" } }: Route): string =>
  mediaType === "application/json" ? mediaType : `${mediaType}; charset=utf-8`;

/** An answer in the route's own media type. */
const plainOutcome = ({ success: { status } }: Route, output: unknown, headers: Record<string, string>): Outcome => {
  if (output instanceof Encoded) return { status, headers, body: output.body };
  if (status !== 307 && output !== undefined) return { status, headers, body: JSON.stringify(output) };
  delete headers["Content-Type"];
  if (status === 307) headers["Location"] = (output as { location: string }).location; // the output of every route that redirects
  return { status, headers, body: null };
};

type WriteAnswer = (output: unknown, progress: Progress, fail: FailAny) => Outcome | Promise<Outcome>;

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

  const write = (
    output: unknown,
    { call, nowMs, allowance }: Progress,
    fail: FailAny,
    format: Format | undefined,
  ): Outcome | Promise<Outcome> => {
    const representation = format && representations.get(format);
    const caching = output instanceof Encoded ? output.caching : undefined;
    const etag = caching?.etag && representation ? representation.etagOf(caching.etag) : caching?.etag;
    const isUnchanged = etag !== undefined && matchesEtag(call.ifNoneMatch, etag);
    const counted = allowance && isUnchanged ? refunded(allowance) : allowance;
    const headers: Record<string, string> = counted ? limitHeaders(counted, nowMs) : {};
    headers["Content-Type"] = contentType;
    headers["X-Request-Id"] = call.requestId;
    headers["Cache-Control"] = caching?.cacheControl ?? cacheControl;
    headers["X-Content-Type-Options"] = NOSNIFF["X-Content-Type-Options"];
    if (route.successor) Object.assign(headers, deprecation);
    if (output instanceof Encoded && output.headers) Object.assign(headers, output.headers);
    if (etag !== undefined) headers["ETag"] = etag;
    if (isUnchanged) {
      delete headers["Content-Type"];
      delete headers["Content-Encoding"];
      return { status: 304, headers, body: null };
    }
    if (format && representation) {
      return after(representation.write(output, { requestId: call.requestId, nowMs }), (written) => {
        if (!written) {
          const { code, message } = noFigure(route, format);
          return fail(code, { message });
        }
        headers["Content-Type"] = written.contentType;
        if (written.staleReason !== undefined) headers["X-Stale-Reason"] = written.staleReason;
        if (written.nextCursor !== null && call.pageLink) addLink(headers, `<${call.pageLink(written.nextCursor)}>; rel="next"`);
        return { status: route.success.status, headers, body: written.body };
      });
    }
    return plainOutcome(route, output, headers);
  };

  return (output, progress, fail) => {
    const { call } = progress;
    const format = call.format?.();
    // Formats other than JSON are made from the plain bytes.
    if (!(output instanceof SharedAnswer) || (format && representations.has(format))) {
      return write(output, progress, fail, format);
    }
    return after(output.representations.accepted(call.acceptEncoding), (representation) =>
      write(output.in(representation), progress, fail, undefined),
    );
  };
};
