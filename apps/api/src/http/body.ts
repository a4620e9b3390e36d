/** Reading a request body, bounded. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "@assay/contract";

/** The largest body that is read. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Whether a request announces a body that is too large; it is refused without reading on.
 * @param contentLength the header of that name
 */
export const announcesTooMuch = (contentLength: string | undefined): boolean =>
  contentLength !== undefined && Number(contentLength) > MAX_BODY_BYTES;

const invalidBody = (message: string): Refusal =>
  new Refusal("validation_error", { issues: [{ path: ["body"], code: "invalid_json", message }] });

const isAborted = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ECONNRESET";

/** Reads a body to its end. A client that goes away in the middle of it is refused like any other bad body: nobody is there to read it. */
const readBytes = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      // An IncomingMessage without an encoding yields buffers.
      length += chunk.length;
      if (length > MAX_BODY_BYTES) throw new Refusal("payload_too_large");
      chunks.push(chunk);
    }
  } catch (error) {
    throw isAborted(error) ? invalidBody("must be whole") : error;
  }
  return Buffer.concat(chunks);
};

/**
 * Reads a JSON body.
 * @returns undefined when there is none
 * @throws Refusal payload_too_large, or validation_error when it is not JSON in UTF-8
 */
export const readJsonBody = async (incoming: IncomingMessage): Promise<unknown> => {
  const bytes = await readBytes(incoming);
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody("must be UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody("must be JSON");
  }
};
