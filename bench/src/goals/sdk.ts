/** S4: the size of the SDK in a caller's bundle. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { Bench } from "../bench.ts";

const SDK = fileURLToPath(import.meta.resolve("@assay/sdk"));
const CALLER = `import { Assay } from ${JSON.stringify(SDK)}; console.log(new Assay());`;

/** Bundles the caller with everything it imports, minified, for Node; built-in modules are excluded. */
const bundled = async (): Promise<string> => {
  const scratch = await mkdtemp(join(tmpdir(), "assay-bundle-"));
  try {
    const input = join(scratch, "entry.mjs");
    await writeFile(input, CALLER);
    const bundle = await rolldown({
      input,
      platform: "node",
      logLevel: "silent",
    });
    const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
    await bundle.close();
    return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const kib = (bytes: number): number => bytes / 1_024;

/** The benchmark of the SDK's size. */
export const sdk: Bench = {
  ids: ["S4"],
  run: async ({ report }) => {
    const code = await bundled();
    report({
      id: "S4",
      what: "bundle of the SDK, REST only, gzipped",
      figure: kib(gzipSync(code, { level: 9 }).length),
      unit: "KiB",
      isCount: true,
      raw: `${kib(Buffer.byteLength(code)).toFixed(1)} KiB minified`,
    });
  },
};
