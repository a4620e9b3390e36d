/** Has a running service run a command, when it holds the embedded database. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createConnection, type Socket } from "node:net";
import type { Settings } from "@assay/config/settings";
import type { StoreHeldError } from "@assay/db";
import type { Step } from "@assay/process/progress";
import { ImportError } from "../import/import-error.ts";
import type { Output } from "../output.ts";
import { answerLine, type CommandRequest, Incoming, isTooLong, MAX_PATH_BYTES, socketPath } from "./protocol.ts";

/** A command line, and its files, which this process reads with the rights of whoever runs it. */
export interface LocalCommand extends Pick<CommandRequest, "command" | "args"> {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Connects; null when no process listens. */
const connect = async (path: string): Promise<Socket | null> => {
  const socket = createConnection({ path, allowHalfOpen: true });
  try {
    await once(socket, "connect");
    // What ends the connection is noticed where it is read.
    return socket.on("error", () => {});
  } catch (error) {
    const code = codeOf(error);
    // Left by a process that was killed, never made, or not a socket.
    if (code === "ECONNREFUSED" || code === "ENOENT" || code === "ENOTSOCK") return null;
    if (code === "EACCES") throw new ImportError(`${path}: permission denied; run the command as the user who runs the service`);
    throw new ImportError(`${path}: the running service cannot be asked (${code})`);
  }
};

/** Sends a file; what is appended to it meanwhile is left out. */
const sendFile = async (socket: Socket, { path, bytes }: LocalCommand["files"][number], { progress }: Output): Promise<void> => {
  if (bytes === 0) return;
  const step = progress.step(`sending ${path}`, bytes);
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  let sent = 0;
  for await (const piece of createReadStream(path, { end: bytes - 1 })) {
    if (!socket.writable) return;
    sent += piece.length;
    step.advance(piece.length);
    // What closes in between never drains, and is noticed above.
    if (!socket.write(piece)) await once(socket, "drain", { signal: gone.signal }).catch(() => undefined);
  }
  step.done();
  if (sent < bytes) throw new ImportError(`${path}: it became shorter while it was read`);
};

/** Prints the answer as it arrives. @returns the exit code */
const print = async (socket: Socket, { out, err, progress }: Output): Promise<number> => {
  const incoming = new Incoming(socket, Number.POSITIVE_INFINITY);
  const steps = new Map<number, Step>();
  for (;;) {
    const text = await incoming.line();
    if (text === null) throw new ImportError("the service ended before the command did; run it again");
    const line = answerLine.parse(JSON.parse(text));
    if ("exit" in line) return line.exit;
    if ("out" in line) out(line.out);
    else if ("err" in line) err(line.err);
    else if ("label" in line) steps.set(line.step, progress.step(line.label, line.total));
    else if ("by" in line) steps.get(line.step)?.advance(line.by);
    else steps.get(line.step)?.done();
  }
};

/**
 * Has the service that holds the folder run a command.
 * @param signal stops it
 * @returns its exit code; null when no service takes commands for this folder, or the database is a server
 * @throws ImportError when a service runs but cannot be asked
 */
export const askService = async (
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  { files, ...asked }: LocalCommand,
  output: Output,
  signal: AbortSignal,
): Promise<number | null> => {
  const path = socketPath(dataDir);
  if (databaseUrl !== undefined || isTooLong(path)) return null;
  const socket = await connect(path);
  if (socket === null) return null;
  // Half of the connection: what the service says about the end still arrives.
  const stop = (): void => void socket.end();
  signal.addEventListener("abort", stop);
  let fault: unknown;
  const send = async (): Promise<void> => {
    socket.write(`${JSON.stringify({ ...asked, files: files.map(({ bytes }) => bytes) })}\n`);
    for (const file of files) await sendFile(socket, file, output);
  };
  // Not waited for: a service that refuses early does not read it all.
  send().catch((error: unknown) => {
    if (error instanceof ImportError) fault = error;
    socket.end();
  });
  try {
    const exit = await print(socket, output);
    if (fault !== undefined) throw fault;
    return exit;
  } catch (error) {
    throw codeOf(error) === "" ? error : new ImportError("the service ended before the command did; run it again");
  } finally {
    signal.removeEventListener("abort", stop);
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
