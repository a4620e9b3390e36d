/** PostgreSQL and Redis servers of a suite's own, in temporary folders, which it may kill, fill and restart. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import postgres from "postgres";
import { eventually } from "./eventually.ts";

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo; // it listens on a port
      server.close(() => resolve(port));
    });
  });

/** Where a program is installed; null when it is not. */
export const inPath = (program: string): string | null =>
  [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].map((folder) => join(folder, program)).find(existsSync) ?? null;

/** Debian keeps PostgreSQL's programs by version. */
const postgresProgram = (name: string): string | null => {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort().reverse() : [];
  return inPath(name) ?? versions.map((each) => `/usr/lib/postgresql/${each}/bin/${name}`).find(existsSync) ?? null;
};

const PROGRAMS = {
  initdb: postgresProgram("initdb"),
  postgres: postgresProgram("postgres"),
  "redis-server": inPath("redis-server") ?? inPath("valkey-server"),
};

/** nginx, if it is installed. */
export const NGINX = inPath("nginx");

/** The programs that are missing; none when a suite can start its own servers. */
export const missingServers = (): string[] => Object.entries(PROGRAMS).flatMap(([name, path]) => (path === null ? [name] : []));

/** PostgreSQL does not run as root. */
const postgresUser = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
};

/** A server that can be killed and started again, with its data. */
export interface OwnServer {
  readonly url: string;
  start(): Promise<void>;
  /** As a power cut does. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

const gone = async (child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
};

export const startOwnPostgres = async (maxConnections: number): Promise<OwnServer> => {
  const user = postgresUser();
  // The run's own temporary folder is open to its user only.
  const folder = mkdtempSync(join(user.uid === undefined ? tmpdir() : "/tmp", "assay-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"];
  execFileSync(PROGRAMS.initdb ?? "initdb", options, { ...user, cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const settings = [
      ...[`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "shared_buffers=32MB"],
      ...[`max_connections=${maxConnections}`, "fsync=off", "timezone=UTC"],
    ];
    const args = ["-D", data, ...settings.flatMap((each) => ["-c", each])];
    child = spawn(PROGRAMS.postgres ?? "postgres", args, { ...user, cwd: folder, stdio: "ignore" });
    const answers = async (): Promise<boolean> => {
      const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined });
      return sql`select 1`.then(() => true).finally(() => sql.end());
    };
    await eventually("PostgreSQL answers", answers, Boolean, { withinMs: 30_000 });
  };
  await start();
  return {
    url,
    start,
    // An immediate shutdown: like a crash, but its processes are gone, so that it can start again.
    kill: () => gone(child, "SIGQUIT"),
    remove: async () => {
      await gone(child, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A Redis that can be changed while it runs. */
export interface OwnRedisServer extends OwnServer {
  /** @param more options of this start only */
  start(...more: string[]): Promise<void>;
  command(...words: string[]): Promise<unknown>;
}

export const startOwnRedis = async (...more: string[]): Promise<OwnRedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-redis-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const command = async (...words: string[]): Promise<unknown> => {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  };
  const start = async (...moreNow: string[]): Promise<void> => {
    const options = [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder],
      ...["--save", "", "--appendonly", "no", "--enable-debug-command", "yes"],
    ];
    child = spawn(PROGRAMS["redis-server"] ?? "redis-server", [...options, ...more, ...moreNow], { stdio: "ignore" });
    await eventually(
      "Redis answers",
      () => command("PING"),
      (answer) => answer === "PONG",
    );
  };
  await start();
  return {
    url,
    start,
    command,
    kill: () => gone(child, "SIGKILL"),
    remove: async () => {
      await gone(child, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
