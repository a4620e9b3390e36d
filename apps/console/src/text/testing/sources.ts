/** The sources of the console as syntax trees, for suites that look for words in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";

const FOLDER = join(import.meta.dirname, "../..");

/** A node, walked by its shape. */
export type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

export const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

/** The tree of a source. */
export const treeOf = (path: string, source: string): Node => parseSync(path, source).program as unknown as Node; // walked by its shape

/** Every source but those of tests: its path within `src`, and its text. */
export const sources = (): readonly (readonly [path: string, source: string])[] =>
  readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts") && !name.startsWith("text/testing/"))
    .map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]);
