/** Runs a program of the repository as a check. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../workspaces.mjs";

/**
 * Runs a script with this Node.
 * @param script its path from the root
 * @returns its output when it failed, else nothing
 */
export const faultsOf = (script, ...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    const said = [];
    child.stdout.on("data", (chunk) => said.push(chunk));
    child.stderr.on("data", (chunk) => said.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const text = Buffer.concat(said).toString("utf8").trimEnd();
      resolve(code === 0 ? [] : [text === "" ? `${script} ended with ${code}` : text]);
    });
  });
