/**
 * Takes the operator's commands while the service runs: the embedded database serves one process at a time, so `assay keys`, `alerts`,
 * `endpoints` and `import` have the service run them. Only its own user, or root, can open the socket.
 */
import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { isForeseen } from "@assay/process";
import { CommanderError } from "commander";
import { ImportError } from "../import/import-error.ts";
import type { HostedCommand } from "../operator-command.ts";
import type { Output } from "../output.ts";
import {
  type AnswerLine,
  type CommandRequest,
  isTooLong,
  MAX_PATH_BYTES,
  readRequest,
  socketPath,
  stopped,
  textOf,
  UNKNOWN_COMMAND,
} from "./protocol.ts";
import { newFolder, receiveFiles, removeLeftFiles } from "./received-files.ts";

/** More would only wait for the database. */
const MAX_CONNECTIONS = 16;
/** A command line has at most two megabytes; a thousand paths have a tenth of one. */
const MAX_HEAD_BYTES = 1_048_576;
/** How long the other side may be silent before its command begins, and take to hang up after it. */
const SILENT_MS = 30_000;
/** How long a caller that does not read its answer may delay the end of the service. */
const UNREAD_MS = 2_000;
/** Its owner alone, and root, may connect. */
const MODE = 0o600;

/** What a service has for a command. */
interface ServiceParts {
  readonly dataDir: string;
  readonly store: Store;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Log;
}

/** Each loads its code when it is first asked for. */
const COMMANDS: Record<CommandRequest["command"], (hosted: HostedCommand) => Promise<void>> = {
  keys: async (hosted) => (await import("../keys.ts")).runHostedKeys(hosted),
  alerts: async (hosted) => (await import("../alerts.ts")).runHostedAlerts(hosted),
  endpoints: async (hosted) => (await import("../alerts.ts")).runHostedEndpoints(hosted),
  import: async (hosted) => (await import("../import/command.ts")).runHostedImport(hosted),
};

const remoteOutput = (send: (line: AnswerLine) => void): Output => {
  let steps = 0;
  return {
    out: (out) => send({ out }),
    err: (err) => send({ err }),
    progress: {
      step: (label, total) => {
        steps += 1;
        const step = steps;
        send({ step, label, total });
        return { advance: (by) => send({ step, by }), done: () => send({ step, isDone: true }) };
      },
      stop: () => {},
    },
  };
};

/** Reports why a command failed. @returns its exit code */
const report = (error: unknown, { err }: Output, log: Log): number => {
  // commander has printed what is wrong, or the help.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof Error && isForeseen(error)) err(`${error.message}\n`);
  else {
    log.error({ err: error }, "an operator's command failed");
    err("the command failed; the log of the service says why\n");
  }
  return 1;
};

/** Reads a body to its end, which is noticed only by reading. */
const readOn = async (pieces: AsyncIterator<Buffer>): Promise<void> => {
  while (!(await pieces.next()).done);
};

/** Reads what is asked, and runs it until its caller hangs up or the service ends. */
const run = async (parts: ServiceParts, incoming: IncomingMessage, output: Output, ending: AbortSignal): Promise<void> => {
  const { dataDir, log, ...engines } = parts;
  const { command, args, files } = readRequest(incoming);
  const hungUp = new AbortController();
  incoming.once("close", () => hungUp.abort(stopped()));
  const signal = AbortSignal.any([hungUp.signal, ending]);
  const pieces: AsyncIterator<Buffer> = incoming[Symbol.asyncIterator]();
  const folder = newFolder(dataDir);
  try {
    // Also after a refusal: if the connection were closed with files unread, the answer could be lost.
    const places = await receiveFiles(folder, files, pieces, signal).finally(() => void readOn(pieces).catch(() => {}));
    signal.throwIfAborted();
    incoming.setTimeout(0);
    await COMMANDS[command]({ ...engines, args, places, output, signal });
    log.info({ command, args }, "ran an operator's command");
  } finally {
    incoming.setTimeout(SILENT_MS);
    await rm(folder, { recursive: true, force: true });
  }
};

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((done, reject) => {
    server.once("error", reject);
    // It is created within this call, for its owner alone from the first moment on.
    const before = process.umask(0o077);
    server.listen(path, done);
    process.umask(before);
  });

/**
 * Opens the socket of a data folder. The caller holds the folder, so a socket in it belongs to a process that was killed. A service
 * that cannot open it runs without.
 * @returns stops the commands, and closes it
 */
export const serveCommands = async (parts: ServiceParts): Promise<() => Promise<void>> => {
  const { dataDir, log } = parts;
  const path = socketPath(dataDir);
  const ending = new AbortController();
  const { signal } = ending;
  const running = new Set<Promise<void>>();

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const output = remoteOutput((line) => void outgoing.write(textOf(line)));
    const exit = await run(parts, incoming, output, signal).then(
      () => 0,
      (error: unknown) => report(error, output, log),
    );
    outgoing.end(textOf({ exit }));
    // Its caller may not read, or be gone.
    if (signal.aborted) await finished(outgoing, { signal: AbortSignal.timeout(UNREAD_MS) }).catch(() => {});
  };

  // A request lasts as long as its command.
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES, requestTimeout: 0 }, (incoming, outgoing) => {
    const answering = answer(incoming, outgoing).finally(() => running.delete(answering));
    running.add(answering);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SILENT_MS;
  // Invalid HTTP, and a head that is too long, are answered by the lines alone, which a command of another release may read.
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end(textOf({ err: `${UNKNOWN_COMMAND}\n` }) + textOf({ exit: 1 }));
  });
  try {
    if (isTooLong(path)) throw new Error(`its path has ${Buffer.byteLength(path)} bytes, of at most ${MAX_PATH_BYTES}`);
    await removeLeftFiles(dataDir);
    await rm(path, { force: true });
    await listen(server, path);
    await chmod(path, MODE);
  } catch (error) {
    server.close();
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ path, reason }, "failed to open the socket for commands; `keys` and `import` need the service stopped");
    return async () => {};
  }
  return async () => {
    const closed = new Promise((done) => server.close(done));
    ending.abort(new ImportError("the service is shutting down; run the import again to finish"));
    await Promise.all(running);
    server.closeAllConnections();
    await closed;
  };
};
