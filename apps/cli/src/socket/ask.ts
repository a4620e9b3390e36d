/** Has a running service run a command, when it holds the embedded database. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createConnection, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Settings } from "@assay/config/settings";
import type { StoreHeldError } from "@assay/db";
import type { Step } from "@assay/process/progress";
import { ImportError } from "../import/import-error.ts";
import type { Output } from "../output.ts";
import { answerLine, type CommandRequest, isTooLong, MAX_PATH_BYTES, socketPath, targetOf, UNKNOWN_COMMAND } from "./protocol.ts";

/** A command line, and its files, which this process reads with the rights of whoever runs it. */
export interface LocalCommand extends Pick<CommandRequest, "command" | "args"> {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

const ENDED = "the service ended before the command did; run it again";

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Connects; null when no process listens. */
const connect = async (path: string): Promise<Socket | null> => {
  const socket = createConnection({ path });
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const code = codeOf(error);
    // Left by a process that was killed, never made, or not a socket.
    if (code === "ECONNREFUSED" || code === "ENOENT" || code === "ENOTSOCK") return null;
    if (code === "EACCES") throw new ImportError(`${path}: permission denied; run the command as the user who runs the service`);
    throw new ImportError(`${path}: the running service cannot be asked (${code})`);
  }
};

/** Reads a file; what is appended to it meanwhile is left out. */
async function* piecesOf(
  { path, bytes }: LocalCommand["files"][number],
  { progress }: Output,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (bytes === 0) return;
  const step = progress.step(`sending ${path}`, bytes);
  let sent = 0;
  for await (const piece of createReadStream(path, { end: bytes - 1, signal })) {
    sent += piece.length;
    step.advance(piece.length);
    yield piece;
  }
  step.done();
  if (sent < bytes) throw new ImportError(`${path}: it became shorter while it was read`);
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of response.setEncoding("utf8")) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Prints the answer as it arrives. @returns the exit code */
const print = async (response: IncomingMessage, { out, err, progress }: Output): Promise<number> => {
  const steps = new Map<number, Step>();
  for await (const text of linesOf(response)) {
    const line = answerLine.parse(JSON.parse(text));
    if ("exit" in line) return line.exit;
    if ("out" in line) out(line.out);
    else if ("err" in line) err(line.err);
    else if ("label" in line) steps.set(line.step, progress.step(line.label, line.total));
    else if ("by" in line) steps.get(line.step)?.advance(line.by);
    else steps.get(line.step)?.done();
  }
  throw new ImportError(ENDED);
};

/**
 * Has the service that holds the folder run a command.
 * @param signal stops it
 * @returns its exit code; null when no service takes commands for this folder, or the database is a server
 * @throws ImportError when a service runs but cannot be asked
 */
export const askService = async (
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  { files, ...command }: LocalCommand,
  output: Output,
  signal: AbortSignal,
): Promise<number | null> => {
  const path = socketPath(dataDir);
  if (databaseUrl !== undefined || isTooLong(path)) return null;
  const socket = await connect(path);
  if (socket === null) return null;

  const answered = new AbortController();
  const ending = AbortSignal.any([signal, answered.signal]);
  let fault: ImportError | undefined;
  /** The files. It stays open behind them, because its end stops the command. */
  const body = async function* (): AsyncGenerator<Buffer> {
    try {
      for (const file of files) yield* piecesOf(file, output, ending);
      if (!ending.aborted) await once(ending, "abort");
    } catch (error) {
      if (error instanceof ImportError) fault = error;
    }
  };
  const target = targetOf({ ...command, files: files.map(({ bytes }) => bytes) });
  // Else a service that refuses early closes the connection while files are being sent, and its answer can be lost.
  const headers = { Connection: "keep-alive" };
  const asked = request({ createConnection: () => socket, method: "POST", path: target, headers });
  asked.flushHeaders();
  // What ends the connection is noticed where the answer is read.
  asked.on("error", () => {});
  pipeline(body, asked).catch(() => {});
  try {
    const [response] = await once(asked, "response");
    const exit = await print(response, output);
    if (fault !== undefined) throw fault;
    return exit;
  } catch (error) {
    const code = codeOf(error);
    throw code === "" ? error : new ImportError(code.startsWith("HPE_") ? UNKNOWN_COMMAND : ENDED);
  } finally {
    answered.abort();
    socket.destroy();
    output.progress.stop();
  }
};

/** Why the database could not be opened although no service takes commands: in use, and what to do about it. */
export const heldLine = ({ message }: StoreHeldError, dataDir: string): string => {
  const path = socketPath(dataDir);
  if (!isTooLong(path))
    return `${message}, and takes no commands at ${path}: try again if it is starting or ending, else stop it first`;
  return `${message}; ${path} is too long for the socket that takes commands (at most ${MAX_PATH_BYTES} bytes), so stop it first`;
};
