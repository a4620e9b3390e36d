/** What the console's first load weighs: everything its page names, compressed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./root.ts";

/** The console's build. */
const DIST = join(ROOT, "apps/console/dist");

/** The bound of the first load, in bytes. */
export const FIRST_LOAD_BYTES = 150 * 1_024;

/** A file of the first load. */
export interface LoadedFile {
  readonly name: string;
  readonly gzipBytes: number;
}

/** The page and the scripts and styles it names, with their sizes as gzip sends them; icons come later. */
export const firstLoad = async (): Promise<readonly LoadedFile[]> => {
  const html = await readFile(join(DIST, "index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);
  return Promise.all(
    ["index.html", ...named].map(async (name) => ({ name, gzipBytes: (await readFile(join(DIST, `${name}.gz`))).length })),
  );
};
