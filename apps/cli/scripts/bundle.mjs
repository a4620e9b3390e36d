/**
 * Bundles the compiled command into `dist/bundle`: reading one file instead of 1,800 starts it a second and a half sooner, with
 * 30 MB less. Modules still find their own files, such as migrations and pages, where they are in the repository.
 */
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const OUT = fileURLToPath(new URL("../dist/bundle", import.meta.url));

/** How a module names its worker, which becomes a bundle of its own. */
const WORKER = /new URL\("\.\/([\w-]+-worker\.js)", import\.meta\.url\)/g;

const common = {
  platform: "node",
  // These read files of their own package.
  external: ["@electric-sql/pglite", /^swagger-ui-dist\//],
  logLevel: "warn",
};

const workers = [];
const withTrueLocations = {
  name: "true-locations",
  transform(code, id) {
    if (id.startsWith("\0") || !code.includes("import.meta.url")) return null;
    const names = [...code.matchAll(WORKER)].map(([, name]) => name);
    for (const name of names) workers.push({ input: resolve(dirname(id), name), file: join(OUT, name) });
    if (names.length > 0) return null;
    return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(relative(OUT, id))}, import.meta.url).href`);
  },
};

await build({
  ...common,
  input: { assay: fileURLToPath(new URL("../dist/main.js", import.meta.url)) },
  plugins: [withTrueLocations],
  output: { dir: OUT, format: "esm", cleanDir: true },
});
// A thread loads what it uses and no more: most of the contract, for one, is schemas it never asks.
const treeshake = { moduleSideEffects: false };
for (const { input, file } of workers) await build({ ...common, input, treeshake, output: { file, format: "esm" } });
