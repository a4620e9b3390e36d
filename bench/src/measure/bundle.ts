/** Measures the size of a bundled and minified program. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Sizes in bytes. */
export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
}

/**
 * Bundles a module with everything it imports, minified, for Node.
 * @param source its text
 * @param folder where its imports are resolved
 * @returns the size of the resulting file; Node's built-in modules are excluded
 */
export const bundleSize = async (source: string, folder: string): Promise<BundleSize> => {
  const scratch = await mkdtemp(join(tmpdir(), "assay-bundle-"));
  try {
    const input = join(scratch, "entry.mjs");
    await writeFile(input, source);
    const bundle = await rolldown({
      input,
      cwd: folder,
      platform: "node",
      logLevel: "silent",
      resolve: { modules: [join(folder, "node_modules")] },
    });
    const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
    await bundle.close();
    const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
    return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
