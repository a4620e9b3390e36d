/** The commands of `assay`; each loads its code only when it runs. */
import type { Command } from "./command.ts";
import { serviceCommand } from "./service-command.ts";

/** Every command by name. */
export const COMMANDS = {
  start: serviceCommand(
    "start",
    "run everything in one process: API, streams and writer",
    "Without DATABASE_URL it keeps its data in an embedded database under DATA_DIR (./data).",
    async () => (await import("@assay/standalone")).runStandalone,
  ),
  api: serviceCommand(
    "api",
    "run one API process",
    "It needs DATABASE_URL, REDIS_URL and a running writer. You can run any number of API processes.",
    async () => (await import("@assay/api")).runApi,
  ),
  stream: serviceCommand(
    "stream",
    "run one stream process: SSE and WebSocket",
    "It needs DATABASE_URL, REDIS_URL and a running writer. You can run any number of stream processes.",
    async () => (await import("@assay/stream")).runStream,
  ),
  writer: serviceCommand(
    "writer",
    "run one writer process: fetch, compose and store prices",
    "It needs DATABASE_URL and REDIS_URL. If several writers run, one holds the lease and writes; the others stand by.",
    async () => (await import("@assay/writer")).runWriter,
  ),
  migrate: {
    summary: "bring the tables of a PostgreSQL database up to date, then exit",
    run: async (args) => (await import("./migrate.ts")).runMigrate(args),
  },
  renumber: {
    summary: "after a restore, raise sequence numbers above all that were used",
    run: async (args) => (await import("./renumber.ts")).runRenumber(args),
  },
  keys: {
    summary: "create, list and revoke API keys",
    run: async (args) => (await import("./keys/command.ts")).runKeys(args),
  },
  "signing-keys": {
    summary: "list and rotate the keys that sign receipts",
    run: async (args) => (await import("./signing-keys/command.ts")).runSigningKeys(args),
  },
  import: {
    summary: "load historical bars from CSV files",
    run: async (args) => (await import("./import/command.ts")).runImportCommand(args),
  },
} as const satisfies Readonly<Record<string, Command>>;

/** Whether a command has this name. */
export const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);
