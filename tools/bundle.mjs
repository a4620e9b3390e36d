/**
 * Bundles source, so that a service and the scripts of the build need no compiled code: that is for types, tests and the SDK.
 * `node tools/bundle.mjs <script>` runs a script that imports source.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import { ROOT } from "./workspaces.mjs";

/** How a module names its worker, which becomes a bundle of its own. */
const WORKER = /new URL\("\.\/([\w-]+-worker)\.js", import\.meta\.url\)/g;

const common = {
  platform: "node",
  resolve: { conditionNames: ["source", "node", "import", "default"] },
  // The SDK's has a path that is for its types alone.
  tsconfig: false,
  // These read files of their own package.
  transform: { define: { ASSAY_COMMIT: JSON.stringify(process.env.ASSAY_COMMIT ?? "") } },
  external: ["@electric-sql/pglite", /^swagger-ui-dist\//],
  logLevel: "warn",
};

/** Modules still find their own files, such as migrations and pages, where they are in the repository. */
const withTrueLocations = (out, workers) => ({
  name: "true-locations",
  transform(code, id) {
    if (id.startsWith("\0") || !code.includes("import.meta.url")) return null;
    const names = [...code.matchAll(WORKER)].map(([, name]) => name);
    for (const name of names) workers.push({ input: resolve(dirname(id), `${name}.ts`), file: join(out, `${name}.js`) });
    if (names.length > 0) return null;
    return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(relative(out, id))}, import.meta.url).href`);
  },
});

/**
 * One letter beyond Latin-1, such as a dash in a comment, makes V8 keep two bytes of each letter of a file. Letters behind a
 * backslash stay: it would escape the escape.
 */
const inOneByte = {
  name: "one-byte",
  generateBundle: (_options, files) => {
    const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const file of Object.values(files))
      if (file.type === "chunk") file.code = file.code.replaceAll(/(?<!\\)[^\0-\xff]/g, escaped);
  },
};

/** In the folder of a bundle: what the last build made. */
const LIST = "files.json";

/** What the build before made; without its list, all that is there. */
const filesBefore = async (out) => {
  try {
    return JSON.parse(await readFile(join(out, LIST), "utf8"));
  } catch {
    return await readdir(out);
  }
};

/**
 * Bundles a program and its workers. A running service, which loads some of its files when it first needs them, outlives a build: the
 * files of the build before stay.
 * @param name the bundle's name, without `.js`
 * @param entry the path of its source from the root
 * @param out the folder
 */
export const bundle = async (name, entry, out) => {
  const workers = [];
  const plugins = [withTrueLocations(out, workers), inOneByte];
  await mkdir(out, { recursive: true });
  const before = await filesBefore(out);
  const { output } = await build({
    ...common,
    input: { [name]: join(ROOT, entry) },
    plugins,
    output: { dir: out, format: "esm" },
  });
  // A thread loads what it uses and no more: most of the contract, for one, is schemas it never asks.
  const treeshake = { moduleSideEffects: false };
  for (const { input, file } of workers)
    await build({ ...common, input, treeshake, plugins: [inOneByte], output: { file, format: "esm" } });
  const files = [...output.map(({ fileName }) => fileName), ...workers.map(({ file }) => basename(file))];
  const kept = new Set([LIST, ...files, ...before]);
  for (const old of await readdir(out)) if (!kept.has(old)) await rm(join(out, old), { recursive: true });
  await writeFile(join(out, LIST), JSON.stringify(files));
};

/**
 * Runs a script of a workspace, whose imports may be source.
 * @param script its path
 */
export const runScript = async (script) => {
  const input = resolve(script);
  const file = join(dirname(input), `../dist/script-${process.pid}.js`);
  const plugins = [withTrueLocations(dirname(file), [])];
  try {
    await build({ ...common, input, plugins, output: { file, format: "esm", codeSplitting: false } });
    await import(pathToFileURL(file).href);
  } finally {
    await rm(file, { force: true });
  }
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) await runScript(process.argv[2]);
