/** Runs the world from source: Vite resolves the packages as Vitest does, and plants a fault in a file as it is loaded. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createViteServer } from "vitest/node";

/** Faults that the world must find: each a few words of a file, changed while it is loaded. Nothing on disk changes. */
const PLANTED = JSON.parse(readFileSync(new URL("planted.json", import.meta.url), "utf8"));
const CONDITIONS = ["source", "node", "import", "default"];
/** Within how many worlds a planted fault must be found. */
const WITHIN = 300;

const planting = ({ name, also = [], ...change }) => ({
  name: "planted",
  enforce: "pre",
  transform(code, id) {
    const here = [change, ...also].filter((each) => id.split("?")[0].endsWith(each.file));
    return here.reduce((text, { file, is, becomes }) => {
      if (!text.includes(is)) throw new Error(`${name}: ${file} has changed; plant it elsewhere`);
      return text.replace(is, becomes);
    }, code);
  },
});

/** Plays worlds in this process. */
const play = async (fault, args) => {
  const server = await createViteServer({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    appType: "custom",
    plugins: fault ? [planting(fault)] : [],
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true },
    resolve: { conditions: CONDITIONS },
    ssr: { resolve: { conditions: CONDITIONS, externalConditions: CONDITIONS } },
  });
  try {
    const { main } = await server.ssrLoadModule("/src/main.ts");
    return await main(args);
  } finally {
    await server.close();
  }
};

/** Plants each fault in a process of its own. */
const proveAll = () => {
  let missed = 0;
  for (const { name } of PLANTED) {
    const command = [import.meta.filename, "--plant", name, "--seeds", String(WITHIN), "--first-failure"];
    const { stdout, status } = spawnSync(process.execPath, command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    if (status !== 0) missed += 1;
    process.stdout.write(`${name}: ${stdout.trim().split("\n").at(-1)}\n`);
  }
  process.stdout.write(`${PLANTED.length - missed} of ${PLANTED.length} planted faults found\n`);
  return missed === 0 ? 0 : 1;
};

const args = process.argv.slice(2);
try {
  if (args[0] === "--planted") process.exitCode = proveAll();
  else {
    const isPlanted = args[0] === "--plant";
    const fault = isPlanted ? PLANTED.find(({ name }) => name === args[1]) : undefined;
    if (isPlanted && !fault) throw new RangeError(`--plant must name one of ${PLANTED.map(({ name }) => name).join(", ")}`);
    process.exitCode = await play(fault, isPlanted ? args.slice(2) : args);
  }
} catch (error) {
  // What the caller got wrong is a line; what we did is a stack.
  const isMisuse = error instanceof RangeError || error.code?.startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${isMisuse ? error.message : error.stack}\n`);
  process.exitCode = isMisuse ? 2 : 1;
}
