/** The shipped proxy configurations, started on free ports with nothing changed but addresses, names and paths. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually } from "./eventually.ts";
import { ROOT } from "./files.ts";

const run = promisify(execFile);

/** The proxies with a configuration in `deploy`. */
export const PROXIES = ["nginx", "caddy"] as const;
/** A proxy with a configuration in `deploy`. */
export type ProxyName = (typeof PROXIES)[number];

const VERSION_ARGUMENTS = { nginx: ["-v"], caddy: ["version"], openssl: ["version"] } as const;

/** The programs a proxy's suite lacks on this machine. */
export const missingFor = (name: ProxyName): string[] =>
  ([name, "openssl"] as const).filter((program) => spawnSync(program, VERSION_ARGUMENTS[program]).status !== 0);

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

/** A certificate of localhost, which signs itself. */
interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export const makeCertificate = async (folder: string): Promise<Certificate> => {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const form = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await run("openssl", ["req", ...form, ...subject, "-keyout", key, "-out", cert]);
  return { cert, key };
};

/** Where a proxy listens, and what is behind it. */
interface ProxyOptions {
  readonly folder: string;
  readonly certificate: Certificate;
  readonly port: number;
  /** Host and port of each process. */
  readonly apis: readonly string[];
  readonly streams: readonly string[];
  /** The path that Assay is served below, such as `/metals`. */
  readonly prefix?: string | undefined;
}

export interface RunningProxy {
  /** Where it listens without TLS. */
  readonly httpPort: number;
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Replaces text that must be there, so that a change of the shipped file cannot go unnoticed. */
const edit = (text: string, replacements: readonly (readonly [from: string | RegExp, to: string])[]): string =>
  replacements.reduce((edited, [from, to]) => {
    const after = edited.replace(from, to);
    if (after === edited) throw new Error(`the shipped configuration no longer holds ${from}`);
    return after;
  }, text);

const start = async (
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  { port, httpPort }: { readonly port: number; readonly httpPort: number },
  log: () => Promise<string>,
): Promise<RunningProxy> => {
  const child = spawn(command, args, { env: { PATH: process.env.PATH ?? "", ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const end = (): boolean => child.kill("SIGKILL");
  process.once("exit", end);
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  const exited = once(child, "close");
  await eventually(
    `${command} listens`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${written}`);
      return run("openssl", ["s_client", "-connect", `127.0.0.1:${port}`, "-servername", "localhost"]).then(() => true);
    },
    Boolean,
    { withinMs: 60_000 },
  );
  return {
    httpPort,
    log: async () => written + (await log()),
    stop: async () => {
      process.off("exit", end);
      child.kill("SIGTERM");
      await exited;
    },
  };
};

const startNginx = async ({ folder, certificate, port, apis, streams, prefix }: ProxyOptions): Promise<RunningProxy> => {
  const home = join(folder, "nginx");
  const httpPort = await freePort();
  await mkdir(home, { recursive: true });
  const shipped = await readFile(join(ROOT, "deploy/nginx.conf"), "utf8");
  const own = edit(shipped, [
    ["pid /run/nginx.pid;", `pid ${home}/pid; daemon off;`],
    // Started by root, it would work as a user who cannot enter this folder.
    ["worker_processes auto;", `worker_processes 1;${process.getuid?.() === 0 ? " user root;" : ""}`],
    ["worker_rlimit_nofile 65536;", ""],
    ["worker_connections 16384;", "worker_connections 512;"],
    ["/var/log/nginx/assay.log", `${home}/access.log`],
    [/\/var\/log\/nginx\/error\.log/g, `${home}/error.log`],
    [/server 127\.0\.0\.1:8081/, `server ${apis[0]}`],
    [/server 127\.0\.0\.1:8082/, `server ${apis[1]}`],
    [/server 127\.0\.0\.1:8091/, `server ${streams[0]}`],
    [/server 127\.0\.0\.1:8092/, `server ${streams[1]}`],
    ["listen 80;", `listen 127.0.0.1:${httpPort};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
    [/server_name prices\.example\.com;/g, "server_name localhost;"],
    ["/etc/assay/tls/cert.pem", certificate.cert],
    ["/etc/assay/tls/key.pem", certificate.key],
    // Where Debian's package keeps what it buffers belongs to another user.
    ["server_tokens off;", `server_tokens off; client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy;`],
    ...(prefix === undefined
      ? []
      : ([
          ['# "~^/metals(/.*)$"', `"~^${prefix}(/.*)$"`],
          [/# (location = )\/metals (.*308 )\/metals\//, `$1${prefix} $2${prefix}/`],
        ] as const)),
  ]);
  const file = join(home, "nginx.conf");
  await writeFile(file, own);
  const logs = async (): Promise<string> =>
    (await Promise.all(["access.log", "error.log"].map((name) => readFile(join(home, name), "utf8").catch(() => "")))).join("");
  const args = ["-e", join(home, "start.log"), "-p", home, "-c", file];
  await run("nginx", [...args, "-t"]);
  return start("nginx", args, {}, { port, httpPort }, logs);
};

const startCaddy = async ({ folder, certificate, port, apis, streams, prefix }: ProxyOptions): Promise<RunningProxy> => {
  const home = join(folder, "caddy");
  const httpPort = await freePort();
  await mkdir(home, { recursive: true });
  const shipped = await readFile(join(ROOT, "deploy/Caddyfile"), "utf8");
  const file = join(home, "Caddyfile");
  await writeFile(
    file,
    prefix === undefined
      ? shipped
      : edit(shipped, [
          ["# redir /metals /metals/", `redir ${prefix} ${prefix}/`],
          ["# uri strip_prefix /metals", `uri strip_prefix ${prefix}`],
        ]),
  );
  const env = {
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    ASSAY_SITE: "localhost",
    ASSAY_HTTP_PORT: String(httpPort),
    ASSAY_HTTPS_PORT: String(port),
    ASSAY_TLS: `${certificate.cert} ${certificate.key}`,
    ASSAY_APIS: apis.join(" "),
    ASSAY_STREAMS: streams.join(" "),
  };
  const args = ["--config", file, "--adapter", "caddyfile"];
  await run("caddy", ["validate", ...args], { env: { PATH: process.env.PATH ?? "", ...env } });
  return start("caddy", ["run", ...args], env, { port, httpPort }, async () => "");
};

export const startProxyServer = (name: ProxyName, options: ProxyOptions): Promise<RunningProxy> =>
  name === "nginx" ? startNginx(options) : startCaddy(options);
