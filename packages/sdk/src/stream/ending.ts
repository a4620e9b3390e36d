/** Whether a close is followed by another attempt: the rules of the close codes. */
import { ApiError } from "../core/errors.ts";
import { errorRegistry } from "../generated/errors.ts";
import { RECONNECT_CLOSES, REST_REFUSALS, STREAM_CLOSES, streamErrors } from "../generated/stream.ts";
import { type StreamCloseDetails, StreamClosedError } from "./errors.ts";
import type { Ending } from "./link.ts";

/** What the service's `error` frame said. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

const entryOf = <T>(table: Readonly<Record<string, T>>, code: string | null): T | undefined =>
  code !== null && Object.hasOwn(table, code) ? table[code] : undefined;

/** A connection that broke, for a reason the transport does not report. */
export const lost = (reason: string, waitMs: number | null = null): Ending => ({
  name: "lost",
  loss: { reason, close: null, waitMs },
});

const mayReconnect = (close: number): boolean => RECONNECT_CLOSES.some(([from, to]) => close >= from && close <= to);

/** The error code for a close code; the first one when no frame named it. */
const codeOf = (close: number, fault: Fault | null): string | null =>
  fault?.code ?? Object.entries(STREAM_CLOSES).find(([, other]) => other === close)?.[0] ?? null;

/** One cause has one class, over every transport. */
const errorOf = (details: StreamCloseDetails): Error => {
  const Closed = entryOf(streamErrors, details.code) ?? StreamClosedError;
  const closed = new Closed(details);
  const refusal = entryOf(REST_REFUSALS, details.code);
  if (refusal === undefined) return closed;
  const { status, body } = refusal;
  const { message } = details;
  const Refused = errorRegistry.byCode[body.error] ?? ApiError;
  return new Refused({
    status,
    code: body.error,
    message,
    requestId: null,
    retryAfterSeconds: null,
    body: { ...body, message },
    headers: new Headers(),
    cause: closed,
  });
};

/**
 * What to do after a close.
 * @param close the WebSocket close code
 * @param fault the `error` frame before it; null when there was none
 * @param detail the runtime's message, with secrets removed; may be empty
 */
export const endingOf = (close: number, fault: Fault | null, detail: string): Ending => {
  const code = codeOf(close, fault);
  const words = fault?.message ?? (detail || (mayReconnect(close) ? "the connection was lost" : "the connection was closed"));
  const reason = `${close}${code === null ? "" : ` ${code}`}: ${words}`;
  if (mayReconnect(close)) return { name: "lost", loss: { reason, close, waitMs: null } };
  return { name: "refused", error: errorOf({ code, close, message: reason }) };
};

/**
 * What to do after an `error` that ends a transport without close codes.
 * @param fault what it said
 */
export const endingOfFault = (fault: Fault): Ending => {
  const close = entryOf<number>(STREAM_CLOSES, fault.code);
  return close === undefined ? lost(`${fault.code}: ${fault.message}`) : endingOf(close, fault, "");
};
