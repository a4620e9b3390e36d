/** Writes compressed forms beside the built files, once, so that no request waits for a compressor. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const TEXT = /\.(css|html|js|json|svg|txt)$/;

const compressors = {
  ".gz": (bytes) => promisify(gzip)(bytes, { level: 9 }),
  ".br": (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
};

const names = (await readdir(DIST, { recursive: true })).filter((name) => TEXT.test(name));
await Promise.all(
  names.map(async (name) => {
    const bytes = await readFile(join(DIST, name));
    for (const [ending, compress] of Object.entries(compressors))
      await writeFile(join(DIST, name + ending), await compress(bytes));
  }),
);
