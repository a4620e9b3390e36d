/** One attempt at a connection, over either transport: what it reports, how frames are read, and what its end means. */

import { decoderOf } from "../core/decode.ts";
import { ApiError } from "../core/errors.ts";
import { isRecord } from "../core/is-record.ts";
import type { FieldKind, FieldKinds } from "../core/operation.ts";
import type { Redact } from "../core/settings.ts";
import { errorRegistry } from "../generated/errors.ts";
import {
  frameFields,
  RECONNECT_CLOSES,
  REST_REFUSALS,
  type ServerFrame,
  STREAM_CLOSES,
  serverFrames,
  streamErrors,
} from "../generated/stream.ts";
import type { Loss } from "./connection-states.ts";
import { type StreamCloseDetails, StreamClosedError } from "./errors.ts";
import type { StreamName } from "./events.ts";

/** How a link ended. */
export type Ending =
  | { readonly name: "lost"; readonly loss: Loss }
  /** The service closed it cleanly without a reason, as it regularly does with feeds. */
  | { readonly name: "over" }
  /** Another attempt would fail in the same way. */
  | { readonly name: "refused"; readonly error: Error };

/** What is known once the service has accepted the key and the names. */
export interface Opened {
  readonly heartbeatMs: number;
  /** The service's clock, epoch milliseconds; null when it was not sent. */
  readonly serverMs: number | null;
}

/** Receives a link's events; nothing after `ended`. */
export interface LinkEvents {
  opened(opened: Opened): void;
  frame(frame: ServerFrame): void;
  ended(ending: Ending): void;
}

/** One attempt at a connection. It reports nothing after `close` or `drop`. */
export interface Link {
  /** The followed names have changed. */
  follow(): void;
  /** Closes it cleanly. */
  close(): void;
  /** Drops it at once, since it may be dead. */
  drop(): void;
}

/** Opens a link. Events are asynchronous, never before it returns. */
export type OpenLink = (events: LinkEvents) => Link;

/** The followed names, each with a mark that changes when it is followed again. */
export type Following = ReadonlyMap<StreamName, object>;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const CHECKS: Readonly<Record<Exclude<FieldKind, FieldKinds>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  count: isCount,
  boolean: (value) => typeof value === "boolean",
  list: Array.isArray,
  counts: (value) => isRecord(value) && Object.values(value).every(isCount),
};

/** The first required field that is missing or of another type; null when all are valid. */
const missingField = (value: Readonly<Record<string, unknown>>, kinds: FieldKinds): string | null => {
  for (const [field, kind] of Object.entries(kinds)) {
    const part = value[field];
    const holds = typeof kind === "string" ? CHECKS[kind](part) : isRecord(part) && missingField(part, kind) === null;
    if (!holds) return field;
  }
  return null;
};

/**
 * Parses a frame.
 * @param text a message
 * @returns null for a frame of a kind this client does not know
 * @throws Error when it is not a frame, or lacks a required field
 */
export const readFrame = (text: string): ServerFrame | null => {
  const wire: unknown = JSON.parse(text);
  if (!isRecord(wire) || typeof wire.type !== "string") throw new TypeError("not a frame");
  const { type } = wire;
  const shape = Object.hasOwn(serverFrames, type) ? serverFrames[type] : undefined;
  if (shape === undefined) return null;
  const missing = missingField(wire, frameFields[type] ?? {});
  if (missing !== null) throw new TypeError(`${type} frame with a missing or invalid ${missing}`);
  return decoderOf(shape)?.(wire) as ServerFrame; // its type and fields were checked above
};

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

/** The end of a link whose frame cannot be read. */
export const lostBy = (error: unknown, redact: Redact): Ending =>
  lost(`a frame that cannot be read: ${error instanceof Error ? redact(error.message) : "unknown"}`);

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
