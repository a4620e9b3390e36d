/** nginx with the configuration we ship, in front of processes of a suite: without TLS, on ports of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { ROOT, temporaryFolder } from "./files.ts";
import { freePort, NGINX } from "./own-servers.ts";

export interface Nginx {
  readonly url: string;
  close(): Promise<void>;
}

export const startNginx = async (ports: {
  readonly apis: readonly number[];
  readonly streams: readonly number[];
}): Promise<Nginx> => {
  const folder = await temporaryFolder();
  const port = await freePort();
  const config = readFileSync(join(ROOT, "deploy/nginx.conf"), "utf8")
    .replaceAll(/127\.0\.0\.1:80([89])([12])/g, (_, kind, place) => {
      const all = kind === "8" ? ports.apis : ports.streams;
      return `127.0.0.1:${all[Number(place) - 1]}`;
    })
    .replace(/ {2}server \{\s*listen 80;[\s\S]*?\n {2}\}\n/, "")
    .replace(/listen 443 ssl( http2)?;/, `listen 127.0.0.1:${port};`)
    .replace(/^\s*(ssl_\w+|http2|worker_rlimit_nofile)\b.*$/gm, "")
    .replace(/pid .*;/, `pid ${folder.path}/nginx.pid;`)
    .replaceAll("/var/log/nginx", folder.path);
  const file = join(folder.path, "nginx.conf");
  writeFileSync(file, config);
  const child = spawn(NGINX ?? "nginx", ["-c", file, "-p", folder.path, "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    "nginx answers",
    async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
      return (await fetch(`${url}/v1/health`)).status;
    },
    (status) => status === 200,
  );
  return {
    url,
    close: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await folder.remove();
    },
  };
};
