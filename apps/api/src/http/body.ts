/** Reads a request body up to a limit. */
import type { IncomingMessage } from "node:http";
import type { FailInput } from "@assay/services";

/** The largest body accepted. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Whether a request announces a body that is too large; it is refused without reading it.
 * @param contentLength the Content-Length header
 */
export const announcesTooMuch = (contentLength: string | undefined): boolean =>
  contentLength !== undefined && Number(contentLength) > MAX_BODY_BYTES;

/**
 * The largest body that Node discards after its answer. A connection that closes with unread bytes is reset, and a sender that is
 * still writing, such as a proxy, may lose the answer: a body that is a little too large is read and dropped instead.
 */
const MAX_DISCARDED_BYTES = 256 * 1024;

/** Whether more of the request is to come than is read or discarded. */
export const leavesBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > MAX_DISCARDED_BYTES);

const invalidBody = (fail: FailInput, message: string): never =>
  fail("validation_error", { issues: [{ path: ["body"], code: "invalid_json", message }] });

const isAborted = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ECONNRESET";

/** Reads a body to its end. An aborted request is refused like a malformed body: no one is left to read the answer. */
const readBytes = async (incoming: IncomingMessage, fail: FailInput): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      // An IncomingMessage without an encoding yields buffers.
      length += chunk.length;
      if (length > MAX_BODY_BYTES) fail("payload_too_large");
      chunks.push(chunk);
    }
  } catch (error) {
    if (isAborted(error)) invalidBody(fail, "must be complete");
    throw error;
  }
  return Buffer.concat(chunks);
};

/**
 * Reads a JSON body.
 * @returns undefined when there is no body
 * @param fail receives payload_too_large, and validation_error when it is not JSON in UTF-8
 */
export const readJsonBody = async (incoming: IncomingMessage, fail: FailInput): Promise<unknown> => {
  const bytes = await readBytes(incoming, fail);
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return invalidBody(fail, "must be UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch {
    return invalidBody(fail, "must be JSON");
  }
};
