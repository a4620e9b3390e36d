/**
 * Takes the operator's commands while the service runs: the embedded database serves one process at a time, so `assay keys`, `alerts`,
 * `endpoints` and `import` have the service run them. Only its own user, or root, can open the socket.
 */
import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { finished } from "node:stream/promises";
import type { Log } from "@assay/live";
import { isForeseen } from "@assay/process";
import { CommanderError } from "commander";
import { ImportError } from "../import/import-error.ts";
import type { Output } from "../output.ts";
import type { HostedCommand, ServiceParts } from "./hosted-command.ts";
import {
  type AnswerLine,
  type CommandRequest,
  commandRequest,
  Incoming,
  isTooLong,
  MAX_PATH_BYTES,
  ProtocolError,
  socketPath,
  stopped,
} from "./protocol.ts";
import { receiveFiles, removeLeftFiles } from "./received-files.ts";

/** More would only wait for the database. */
const MAX_CONNECTIONS = 16;
/** A command line has at most two megabytes; a thousand paths have a tenth of one. */
const MAX_LINE_BYTES = 1_048_576;
/** How long the other side may be silent before its command begins, and take to hang up after it. */
const SILENT_MS = 30_000;
/** How long a caller that does not read its answer may delay the end of the service. */
const UNREAD_MS = 2_000;
/** Its owner alone, and root, may connect. */
const MODE = 0o600;

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
  if (error instanceof Error && (error instanceof ProtocolError || isForeseen(error))) err(`${error.message}\n`);
  else {
    log.error({ err: error }, "an operator's command failed");
    err("the command failed; the log of the service says why\n");
  }
  return 1;
};

const readRequest = async (incoming: Incoming): Promise<CommandRequest> => {
  try {
    return commandRequest.parse(JSON.parse((await incoming.line()) ?? ""));
  } catch {
    throw new ProtocolError("the running service does not know this command: it may be of another release");
  }
};

class Commands {
  readonly #parts: ServiceParts;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Connections whose command has not begun, or has ended. */
  readonly #idle = new Set<Socket>();

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  take(socket: Socket): void {
    const run = this.#answer(socket).finally(() => {
      this.#running.delete(run);
      this.#idle.delete(socket);
    });
    this.#running.add(run);
  }

  /** Stops those that run, and hangs up. */
  async end(): Promise<void> {
    this.#ending.abort(new ImportError("the service is shutting down; run the import again to finish"));
    for (const socket of this.#idle) socket.destroy();
    await Promise.all(this.#running);
  }

  async #answer(socket: Socket): Promise<void> {
    this.#idle.add(socket);
    // What ends the connection is noticed where it is read.
    socket.on("error", () => {});
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    const incoming = new Incoming(socket, MAX_LINE_BYTES);
    const output = remoteOutput((line) => socket.writable && socket.write(`${JSON.stringify(line)}\n`));
    const exit = await this.#run(socket, incoming, output).then(
      () => 0,
      (error: unknown) => report(error, output, this.#parts.log),
    );
    // Its caller may not read, or be gone.
    const isEnding = this.#ending.signal.aborted;
    socket.setTimeout(isEnding ? UNREAD_MS : SILENT_MS);
    if (!isEnding) this.#idle.add(socket);
    const said = finished(socket, { readable: false, cleanup: true }).catch(() => undefined);
    socket.end(`${JSON.stringify({ exit } satisfies AnswerLine)}\n`);
    await said;
    if (!this.#ending.signal.aborted) {
      // Closed with something unread, the last lines could be lost on their way.
      await incoming.end();
    }
    socket.destroy();
  }

  /** Reads what is asked, and runs it until its caller hangs up. */
  async #run(socket: Socket, incoming: Incoming, output: Output): Promise<void> {
    const { dataDir, store, live, clock, log } = this.#parts;
    const { command, args, files } = await readRequest(incoming);
    const received = await receiveFiles(dataDir, files, incoming);
    try {
      this.#idle.delete(socket);
      socket.setTimeout(0);
      const hungUp = new AbortController();
      void incoming.end().then(() => hungUp.abort(stopped()));
      const signal = AbortSignal.any([hungUp.signal, this.#ending.signal]);
      signal.throwIfAborted();
      await COMMANDS[command]({ store, live, clock, args, places: received.paths, output, signal });
      log.info({ command, args }, "ran an operator's command");
    } finally {
      await received.remove();
    }
  }
}

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
  const commands = new Commands(parts);
  const server = createServer({ allowHalfOpen: true }, (socket) => commands.take(socket));
  server.maxConnections = MAX_CONNECTIONS;
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
    await commands.end();
    await closed;
  };
};
