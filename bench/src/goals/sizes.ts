/** P26: what callers load: the SDK in their bundle, the tools an agent is given, the console's first page. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { Figure, Goal } from "../goal.ts";
import { SHORT_PAST, withFolder, withService } from "../measure/service.ts";

const SDK = fileURLToPath(import.meta.resolve("@assay/sdk"));
const CALLER = `import { Assay } from ${JSON.stringify(SDK)}; console.log(new Assay());`;
const RESOURCES = fileURLToPath(import.meta.resolve("@assay/sdk/resources"));
const CALLER_OF_ONE = `import { assayWith, SpotResource } from ${JSON.stringify(RESOURCES)}; console.log(assayWith({ spot: SpotResource }));`;
const LIST_TOOLS = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

const kilobytes = (content: string): number => Buffer.byteLength(content) / 1_000;
const gzipped = (content: string): number => gzipSync(content, { level: 9 }).length / 1_000;

const sizeOf = (what: string, value: number, atMost: number, raw: string): Figure => ({
  what,
  value,
  unit: "kB",
  bound: { atMost },
  isCount: true,
  raw,
});

/** Bundles a caller with everything it imports, minified, for Node; built-in modules are excluded. */
const bundled = (caller: string): Promise<string> =>
  withFolder(async (folder) => {
    const input = join(folder, "entry.mjs");
    await writeFile(input, caller);
    const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
    const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
    await bundle.close();
    return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  });

const served = (): Promise<Figure[]> =>
  withService(SHORT_PAST, async ({ url, key }) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const tools = await (await fetch(`${url}/mcp`, { method: "POST", headers, body: LIST_TOOLS })).text();
    const page = await (await fetch(`${url}/`)).text();
    const names = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name);
    const files = await Promise.all(names.map(async (name) => (await fetch(`${url}/${name}`)).text()));
    const firstLoad = [page, ...files].reduce((sum, file) => sum + gzipped(file), 0);
    return [
      sizeOf("tools/list of MCP", kilobytes(tools), 12, `${gzipped(tools).toFixed(1)} kB gzipped`),
      sizeOf("first load of the console, gzipped", firstLoad, 150, `${names.length} files and the page`),
    ];
  });

/** The goal of sizes. */
export const sizes: Goal = {
  id: "P26",
  what: "the sizes of what callers load",
  floor: null,
  run: async ({ isCheck }) => {
    const sdk = async (what: string, caller: string): Promise<Figure> => {
      const code = await bundled(caller);
      return sizeOf(`bundle of the SDK, ${what}, gzipped`, gzipped(code), 25, `${kilobytes(code).toFixed(1)} kB minified`);
    };
    const sdks = [await sdk("REST only", CALLER), await sdk("one resource", CALLER_OF_ONE)];
    return [...sdks, ...(isCheck ? [] : await served())];
  },
};
