/** Reads a request body up to a limit: as JSON or, where its route has a list for it, as CSV. */
import type { IncomingMessage } from "node:http";
import {
  csvListReader,
  type Format,
  MAX_BODY_BYTES,
  maxBodyBytes,
  type Refused,
  type Route,
  refused,
  SplitError,
} from "@assay/contract";
import { MAX_DROPPED_BYTES } from "@assay/process";
import type { FailInput } from "@assay/services";
import { type Decoder, decoderOf, type RawParameters } from "./decode.ts";
import { repeatedName } from "./repeated-name.ts";

/** The deepest nesting accepted; libraries that walk a body recursively overflow the stack at some thousands. */
export const MAX_BODY_DEPTH = 32;

/** How much of a name is shown. */
const MAX_SHOWN = 64;

const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth === 0 || Object.values(value).some((each) => isDeeperThan(depth - 1, each)));

/**
 * Whether a request announces a body that is too large; it is refused without reading it.
 * @param contentLength the Content-Length header
 * @param maxBytes the largest body accepted
 */
export const announcesTooMuch = (contentLength: string | undefined, maxBytes = MAX_BODY_BYTES): boolean =>
  contentLength !== undefined && Number(contentLength) > maxBytes;

/** How a body is refused that is larger than its route reads. */
export const tooLarge = (maxBytes: number) => ({ message: `The body is larger than ${maxBytes / 1_024} KiB.` });

/** Why a request's body is not even read: it announces too much, or a coding, whose bytes would be taken for text. */
export const bodyFault = ({ method, headers }: IncomingMessage, maxBytes = MAX_BODY_BYTES): Refused | undefined => {
  if (announcesTooMuch(headers["content-length"], maxBytes)) return refused("payload_too_large", tooLarge(maxBytes));
  const { "content-encoding": coding = "identity" } = headers;
  return method === "GET" || method === "HEAD" || /^identity$/i.test(coding) ? undefined : refused("unsupported_media_type");
};

/** Whether the rest of the body is of unknown length, or longer than what is dropped for the sake of the connection. */
export const leavesBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > MAX_DROPPED_BYTES);

const invalidBody = (fail: FailInput, message: string): never =>
  fail("validation_error", { issues: [{ path: ["body"], code: "invalid_json", message }] });

const isAborted = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ECONNRESET";

/** Reads a body to its end. An aborted request is refused like a malformed body: no one is left to read the answer. */
const readBytes = async (incoming: IncomingMessage, fail: FailInput, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      // An IncomingMessage without an encoding yields buffers.
      length += chunk.length;
      if (length > maxBytes) fail("payload_too_large", tooLarge(maxBytes));
      chunks.push(chunk);
    }
  } catch (error) {
    if (isAborted(error)) invalidBody(fail, "must be complete");
    throw error;
  }
  return Buffer.concat(chunks);
};

/** Reads a text to its end; a byte order mark is left out. */
const readText = async (incoming: IncomingMessage, fail: FailInput, maxBytes: number): Promise<string> => {
  const bytes = await readBytes(incoming, fail, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return invalidBody(fail, "must be UTF-8");
  }
};

/**
 * Reads a JSON body.
 * @param form what the route reads, for the refusal of anything else
 * @returns undefined when there is no body
 * @param fail receives payload_too_large, and validation_error when it is not JSON in UTF-8, nested too deep, or has a
 *   name twice in one object
 */
export const readJsonBody = async (
  incoming: IncomingMessage,
  fail: FailInput,
  maxBytes = MAX_BODY_BYTES,
  form = "must be JSON",
): Promise<unknown> => {
  const text = await readText(incoming, fail, maxBytes);
  if (text === "") return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return invalidBody(fail, form);
  }
  if (isDeeperThan(MAX_BODY_DEPTH, body)) return invalidBody(fail, `must be nested at most ${MAX_BODY_DEPTH} deep`);
  const name = repeatedName(text);
  return name === undefined
    ? body
    : invalidBody(fail, `must not have ${JSON.stringify(name.slice(0, MAX_SHOWN))} twice in one object`);
};

const isCsv = ({ headers }: IncomingMessage): boolean => /^text\/csv\s*(?:;|$)/i.test(headers["content-type"] ?? "");

/**
 * Reads a CSV body.
 * @param fail receives payload_too_large, and validation_error when it is not CSV in UTF-8 as the route has it
 */
const readCsvBody = async <T>(
  incoming: IncomingMessage,
  fail: FailInput,
  { read, maxBytes }: { readonly read: (text: string) => T; readonly maxBytes: number },
): Promise<T> => {
  const text = await readText(incoming, fail, maxBytes);
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    return fail("validation_error", {
      issues: [{ path: ["body"], code: "invalid_csv", message: `line ${error.line}: ${error.message}` }],
    });
  }
};

type ReadPosted = (incoming: IncomingMessage, raw: RawParameters, fail: FailInput) => Promise<unknown>;

/** Whether a request's body is the CSV file that its route reads. */
const postsCsv = ({ body }: Route, incoming: IncomingMessage): boolean => body !== undefined && isCsv(incoming);

/** What is answered when nothing else is asked for: a list that came as CSV goes as CSV, unless JSON is named. */
export const plainFormat = (route: Route, incoming: IncomingMessage): Format | undefined =>
  postsCsv(route, incoming) && !/\bapplication\/json\b/i.test(incoming.headers.accept ?? "") ? "csv" : undefined;

/** Prepares the reader of a route; what it needs is made with the first request. */
export const postedReader = (route: Route): ReadPosted => {
  const maxBytes = maxBodyBytes(route);
  const { csv } = route.body ?? {};
  const form = csv ? "must be JSON, or CSV with Content-Type: text/csv" : "must be JSON";
  let readJson: Decoder | undefined;
  let readCsv: { readonly decode: Decoder; readonly read: ReturnType<typeof csvListReader> } | undefined;
  return async (incoming, raw, fail) => {
    if (csv && postsCsv(route, incoming)) {
      readCsv ??= { decode: decoderOf(route, "csv"), read: csvListReader(csv.row) };
      const { decode, read } = readCsv;
      return decode({ ...raw, body: { [csv.list]: await readCsvBody(incoming, fail, { read, maxBytes }) } }, fail);
    }
    readJson ??= decoderOf(route);
    return readJson({ ...raw, body: await readJsonBody(incoming, fail, maxBytes, form) }, fail);
  };
};
