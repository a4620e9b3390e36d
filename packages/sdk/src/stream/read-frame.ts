/** Frames of the service: from text to what they say. */
import { decoderOf } from "../core/decode.ts";
import { isRecord } from "../core/is-record.ts";
import { type ServerFrame, serverFrames } from "../generated/stream.ts";

const isSeq = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === "string";
const isInstant = (value: unknown): boolean => value instanceof Date;
const isThere = (value: unknown): boolean => value !== undefined && value !== null;

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

/** What a frame must have for the streams to rest on it; figures and instants are checked by their decoding. */
const NEEDED: Readonly<Record<string, Fields>> = {
  welcome: { heartbeatIntervalSeconds: (value) => typeof value === "number", serverTime: isInstant },
  subscribed: { symbols: Array.isArray, channels: Array.isArray, rejected: Array.isArray },
  tick: { symbol: isText, seq: isSeq, price: isThere, conf: isThere, computedAt: isInstant },
  physical: { channel: isText, seq: isSeq, quote: (value) => isRecord(value) && isInstant(value.quotedAt) },
  heartbeat: { ts: isInstant, seq: (value) => isRecord(value) && Object.values(value).every(isSeq) },
  gap: { symbol: isText, fromSeq: isSeq, toSeq: isSeq, reason: isText },
  error: { code: isText, message: isText },
};

/**
 * Reads a frame.
 * @param text a message
 * @returns null for a frame of a kind this client does not know
 * @throws Error when it is no frame, or lacks what frames of its kind have
 */
export const readFrame = (text: string): ServerFrame | null => {
  const wire: unknown = JSON.parse(text);
  if (!isRecord(wire) || typeof wire.type !== "string") throw new TypeError("not a frame");
  const { type } = wire;
  const shape = Object.hasOwn(serverFrames, type) ? serverFrames[type] : undefined;
  if (shape === undefined) return null;
  const frame = decoderOf(shape)?.(wire);
  if (!isRecord(frame)) throw new TypeError("not a frame");
  for (const [field, holds] of Object.entries(NEEDED[type] ?? {}))
    if (!holds(frame[field])) throw new TypeError(`${type} without a good ${field}`);
  return frame as unknown as ServerFrame; // its type and fields were just looked at
};
