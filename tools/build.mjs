/** Brings the compiled code up to date: a word on stderr when it takes longer than a moment, and what failed. */
import { execFileSync, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./workspaces.mjs";

const TURBO = `${ROOT}/node_modules/turbo/bin/turbo`;

const QUIET = { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };

/** How long it may be silent, in milliseconds. */
const SILENT_MS = 2_000;

/** Says that it is compiling, and for how long already: on a terminal in one line that is cleared, elsewhere once. */
const reportProgress = () => {
  const { stderr } = process;
  const startedMs = Date.now();
  let isShown = false;
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - startedMs) / 1_000);
    if (stderr.isTTY) stderr.write(`\rcompiling what changed, ${seconds} s`);
    else if (!isShown) stderr.write("compiling what changed\n");
    isShown = true;
  }, SILENT_MS);
  return () => {
    clearInterval(timer);
    if (isShown && stderr.isTTY) stderr.write("\r\u001b[K");
  };
};

/** What is built, for the bundle to say: the commit, with `-dirty` for changes on top; nothing outside a clone, unless it is given. */
const commit = () => {
  try {
    const args = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
};

/**
 * Builds what changed.
 * @param folder a workspace whose bundle to make, with what that reads, from source; when omitted, everything, with its types
 *   checked
 * @returns whether it succeeded; if not, the compiler's output is on stderr
 */
export const build = (folder) =>
  new Promise((resolve, reject) => {
    const args = ["run", "build", "--output-logs=errors-only", ...(folder ? [`--filter=./${folder}`] : ["compile"])];
    const child = spawn(process.execPath, [TURBO, ...args], {
      cwd: ROOT,
      env: { ASSAY_COMMIT: commit(), ...process.env, ...QUIET },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const endReport = reportProgress();
    const said = [];
    child.stdout.on("data", (chunk) => said.push(chunk));
    child.stderr.on("data", (chunk) => said.push(chunk));
    const end = () => child.kill();
    process.once("exit", end);
    child.once("error", (error) => {
      endReport();
      reject(error);
    });
    child.once("close", (code) => {
      process.off("exit", end);
      endReport();
      if (code !== 0) process.stderr.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = (await build(process.argv[2])) ? 0 : 1;
