/** The commands of `assay`; each loads its code only when it runs. */
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { Role } from "@assay/process";

interface Command {
  /** One line for the list of commands, in lower case. */
  readonly summary: string;
  /** @param args the arguments after the command's name */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/**
 * How far the heap of long-lived objects may grow before it is collected, in percent of what the last collection left. V8 allows
 * up to 300 where memory is plentiful, and takes it under load: 50 MB of objects in use would take 150.
 */
const HEAP_GROWTH = 20;

/** Parses the arguments. @returns whether help is wanted; null, after a line on stderr, for unknown arguments */
const readHelpWanted = (name: string, args: readonly string[]): boolean | null => {
  try {
    return parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } }).values.help ?? false;
  } catch (error) {
    process.stderr.write(`assay ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
    return null;
  }
};

/**
 * Creates a command that runs a service until a signal ends it.
 * @param summary one line, in lower case
 * @param about what it needs to run, for the help
 * @param load loads its code
 */
const serviceCommand = (name: string, summary: string, about: string, load: () => Promise<Role>): Command => ({
  summary,
  run: async (args) => {
    const isHelpWanted = readHelpWanted(name, args);
    if (isHelpWanted === null) return;
    if (isHelpWanted) {
      const lines = [`Usage: assay ${name}`, "", `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${about}`];
      const end =
        "It prints `ready` and its address on stdout once it accepts requests, logs to stderr, and ends cleanly on SIGTERM or Ctrl-C.";
      process.stdout.write(
        `${[...lines, end, "Settings are read from the environment; docs/reference/settings.md lists them."].join("\n")}\n`,
      );
      return;
    }
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
    const [{ start }, role] = await Promise.all([import("@assay/process"), load()]);
    await start(role);
  },
});

export const COMMANDS = {
  start: serviceCommand(
    "start",
    "run everything in one process: API, streams and writer",
    "Without DATABASE_URL it keeps its data in an embedded database under DATA_DIR (./data).",
    async () => (await import("./standalone/role.ts")).standaloneRole,
  ),
  api: serviceCommand(
    "api",
    "run one API process",
    "It needs DATABASE_URL, REDIS_URL and a running writer. You can run any number of API processes.",
    async () => (await import("@assay/api")).apiRole,
  ),
  stream: serviceCommand(
    "stream",
    "run one stream process: SSE and WebSocket",
    "It needs DATABASE_URL, REDIS_URL and a running writer. You can run any number of stream processes.",
    async () => (await import("@assay/stream")).streamRole,
  ),
  writer: serviceCommand(
    "writer",
    "run one writer process: fetch, compose and store prices",
    "It needs DATABASE_URL and REDIS_URL. If several writers run, one holds the lease and writes; the others stand by.",
    async () => (await import("@assay/writer")).writerRole,
  ),
  check: {
    summary: "read the settings and the files they name, and say what is wrong",
    run: async (args) => (await import("./check.ts")).runCheck(args),
  },
  migrate: {
    summary: "bring the tables of a PostgreSQL database up to date, then exit",
    run: async (args) => (await import("./database.ts")).runMigrate(args),
  },
  renumber: {
    summary: "after a restore, raise sequence numbers above all that were used",
    run: async (args) => (await import("./database.ts")).runRenumber(args),
  },
  keys: {
    summary: "create, list, revoke and suspend API keys, change tiers, and show usage",
    run: async (args) => (await import("./keys.ts")).runKeys(args),
  },
  alerts: {
    summary: "list and suspend the alerts of an organisation",
    run: async (args) => (await import("./alerts.ts")).runAlerts(args),
  },
  endpoints: {
    summary: "list where events of alerts are sent, and which of them fail",
    run: async (args) => (await import("./alerts.ts")).runEndpoints(args),
  },
  "signing-keys": {
    summary: "list and rotate the keys that sign receipts",
    run: async (args) => (await import("./signing-keys.ts")).runSigningKeys(args),
  },
  import: {
    summary: "load historical bars from CSV files",
    run: async (args) => (await import("./import/command.ts")).runImportCommand(args),
  },
} as const satisfies Readonly<Record<string, Command>>;

export const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);
