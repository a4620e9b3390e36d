/**
 * `npm run dev`: compiles on every change and restarts `assay start` in place, on the same `DATA_DIR`. Errors are shown, and
 * nothing is emitted, so that the running process continues.
 */
import { spawn } from "node:child_process";
import { build } from "./build.mjs";
import { ROOT } from "./workspaces.mjs";

if (!(await build())) process.exit(1);

const run = (args, options) => spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], ...options });
// A separate process group: on Node 20 the compiler is a grandchild, and ends only with its group. In watch mode it ignores
// every signal but SIGKILL.
const compiler = run(["node_modules/typescript/bin/tsc", "--build", "--watch", "--preserveWatchOutput", "apps/cli"], {
  detached: true,
});
// On a restart Node stops the old process with SIGTERM and waits for it to exit.
const service = run(["--watch", "--watch-preserve-output", "apps/cli/dist/main.js", "start"], { stdio: "inherit" });

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => service.kill(signal));
process.once("exit", () => {
  if (compiler.exitCode === null) process.kill(-compiler.pid, "SIGKILL");
});
service.once("exit", (code) => process.exit(code ?? 1));
