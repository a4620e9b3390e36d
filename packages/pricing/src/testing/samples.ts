/** Captured figures for tests, where a folder of them lies beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const CAPTURED = new URL("../../../../../shared/data/", import.meta.url);

/** A captured file as text, unpacked; null, with the reason printed, where the folder is not there. */
export const captured = (path: string): string | null => {
  const url = new URL(path, CAPTURED);
  if (!existsSync(url)) {
    console.warn(`skipped: no captured ${path} in ../shared/data beside the repository`);
    return null;
  }
  const bytes = readFileSync(url);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
};
