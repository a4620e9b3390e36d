/** Runs a compiled entry in this process, so that it gets the signals and sets the exit code; builds what changed first. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { ROOT } from "./workspaces.mjs";

const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 };

/** Commands of `assay` that serve until stopped. */
const SERVICES = new Set(["start", "api", "stream", "writer"]);

/** Exits when the entry does not handle signals, or not yet. A service stopped before it serves exits with 0. */
const endOnSignals = (isService) => {
  for (const signal of Object.keys(EXIT_CODES)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      process.exit(isService && signal === "SIGTERM" ? 0 : EXIT_CODES[signal]);
    });
  }
};

/**
 * Runs an entry.
 * @param entry its compiled file, relative to the root, such as `apps/cli/dist/bundle/assay.js`
 * @param args its command-line arguments
 */
export const run = async (entry, args) => {
  endOnSignals(SERVICES.has(args[0]));
  const [folder, file] = entry.split("/dist/");
  if (!(await build(file.startsWith("bundle/") ? folder : undefined))) {
    process.stderr.write(`${folder} does not compile; see the compiler's output above.\n`);
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
