/** Brings the compiled code up to date, silently unless it fails. */
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./workspaces.mjs";

const TURBO = `${ROOT}/node_modules/turbo/bin/turbo`;

const QUIET = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };

/**
 * Builds what changed.
 * @param folder a workspace to build with its dependencies; everything when omitted
 * @returns whether it succeeded; if not, the compiler's output is on stderr
 */
export const build = (folder) =>
  new Promise((resolve, reject) => {
    const args = ["run", "build", "--output-logs=errors-only", ...(folder ? [`--filter=./${folder}`] : [])];
    const child = spawn(process.execPath, [TURBO, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...QUIET },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = [];
    child.stdout.on("data", (chunk) => said.push(chunk));
    child.stderr.on("data", (chunk) => said.push(chunk));
    const end = () => child.kill();
    process.once("exit", end);
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("exit", end);
      if (code !== 0) process.stderr.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = (await build(process.argv[2])) ? 0 : 1;
