/** Reading a request body, bounded. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "@assay/contract";

/** The largest body that is read. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Whether a request announces a body that is too large; it is refused without reading on. */
export const announcesTooMuch = (incoming: IncomingMessage): boolean => {
  const announced = incoming.headers["content-length"];
  return announced !== undefined && Number(announced) > MAX_BODY_BYTES;
};

const invalidBody = (message: string): Refusal =>
  new Refusal("validation_error", { issues: [{ path: ["body"], code: "invalid_json", message }] });

/**
 * Reads a JSON body.
 * @returns undefined when there is none
 * @throws Refusal payload_too_large, or validation_error when it is not JSON in UTF-8
 */
export const readJsonBody = async (incoming: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    // An IncomingMessage without an encoding yields buffers.
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Refusal("payload_too_large");
    chunks.push(chunk);
  }
  if (length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw invalidBody("must be UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody("must be JSON");
  }
};
