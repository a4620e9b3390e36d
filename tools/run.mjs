/** Runs a compiled entry in this process, so that signals and the exit code are its own; builds what changed first. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { ROOT } from "./workspaces.mjs";

const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 };

/** Ends a run whose entry does not listen to signals, or not yet. A service that is told to end before it serves ends well. */
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
 * @param entry its compiled file from the root, such as `apps/api/dist/main.js`; one called main is a service
 * @param args what it reads as its command line
 */
export const run = async (entry, args) => {
  endOnSignals(entry.endsWith("/main.js"));
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
