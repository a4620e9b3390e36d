/** Runs a compiled entry in this process, so that signals and the exit code are its own; builds what changed first. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { ROOT } from "./workspaces.mjs";

/**
 * Runs an entry.
 * @param entry its compiled file from the root, such as `apps/api/dist/main.js`
 * @param args what it reads as its command line
 */
export const run = async (entry, args) => {
  const folder = entry.slice(0, entry.indexOf("/dist/"));
  if (!(await build(folder))) {
    process.stderr.write(`${folder} does not compile; what the compiler says stands above.\n`);
    process.exit(1);
  }
  const path = resolve(ROOT, entry);
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [entry, ...args] = process.argv.slice(2);
  if (!entry?.includes("/dist/")) {
    process.stderr.write("usage: node tools/run.mjs <workspace>/dist/<entry>.js [arguments]\n");
    process.exit(2);
  }
  await run(entry, args);
}
