/**
 * How a command asks a running service: over HTTP on the socket `DATA_DIR/assay.sock`, as in `POST /import?arg=--symbol&arg=GC&bytes=120`
 * with its files, one behind the other, as the body. The answer is lines of JSON, the last of which is the exit code. The body stays open
 * until then: whoever ends it before, or hangs up, stops the command.
 */
import type { IncomingMessage } from "node:http";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ImportError } from "../import/import-error.ts";

export const socketPath = (dataDir: string): string => join(resolve(dataDir), "assay.sock");

/** The longest path that the address of a Unix socket can hold, in bytes. */
export const MAX_PATH_BYTES = 107;

/** Whether a path is too long for a socket. */
export const isTooLong = (path: string): boolean => Buffer.byteLength(path) > MAX_PATH_BYTES;

const commandRequest = z.strictObject({
  command: z.enum(["keys", "alerts", "endpoints", "import"]),
  args: z.array(z.string()),
  /** The sizes of the files that follow, in bytes. */
  files: z.array(z.coerce.number().int().min(0)),
});
export type CommandRequest = z.output<typeof commandRequest>;

/** Where a command is asked for. */
export const targetOf = ({ command, args, files }: CommandRequest): string => {
  const query = new URLSearchParams();
  for (const arg of args) query.append("arg", arg);
  for (const bytes of files) query.append("bytes", String(bytes));
  return `/${command}?${query}`;
};

/** Why nothing is run for another release. */
export const UNKNOWN_COMMAND = "the running service does not know this command: it may be of another release";

/** @throws ImportError for anything but a request of this release, such as one with a further parameter */
export const readRequest = ({ method, url = "" }: IncomingMessage): CommandRequest => {
  const [path = "", query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  const asked = { command: path.slice(1), args: parameters.getAll("arg"), files: parameters.getAll("bytes") };
  const { data } = commandRequest.safeParse(asked);
  if (method !== "POST" || data === undefined || targetOf(data) !== url) throw new ImportError(UNKNOWN_COMMAND);
  return data;
};

/** A line of the answer: text to print, a step of progress that begins, goes on or ends, or the exit code. */
export const answerLine = z.union([
  z.strictObject({ out: z.string() }),
  z.strictObject({ err: z.string() }),
  z.strictObject({ step: z.int(), label: z.string(), total: z.number() }),
  z.strictObject({ step: z.int(), by: z.number() }),
  z.strictObject({ step: z.int(), isDone: z.literal(true) }),
  z.strictObject({ exit: z.int() }),
]);
export type AnswerLine = z.output<typeof answerLine>;

export const textOf = (line: AnswerLine): string => `${JSON.stringify(line)}\n`;

/** Why a command does not go on whose caller has hung up. */
export const stopped = (): ImportError => new ImportError("stopped; run the import again to finish");
