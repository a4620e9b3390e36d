/** Captured figures for tests, where a folder of them exists beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const CAPTURED = new URL("../../../../../shared/data/", import.meta.url);
/** Redistributable figures, which the repository contains. */
const PUBLIC = new URL("../../../testkit/data/", import.meta.url);

const urlOf = (path: string): URL => {
  const url = new URL(path, PUBLIC);
  return existsSync(url) ? url : new URL(path, CAPTURED);
};

/** A captured file as text, decompressed; null, with the reason logged, where the folder does not exist. */
export const captured = (path: string): string | null => {
  const url = urlOf(path);
  if (!existsSync(url)) {
    console.warn(`skipped: no captured ${path} in ../shared/data beside the repository`);
    return null;
  }
  const bytes = readFileSync(url);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
};
