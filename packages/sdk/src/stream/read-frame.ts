/** Parses the service's frames. */
import { decoderOf } from "../core/decode.ts";
import { isRecord } from "../core/is-record.ts";
import { frameFields, type ServerFrame, serverFrames } from "../generated/stream.ts";
import { missingField } from "./field-kinds.ts";

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
