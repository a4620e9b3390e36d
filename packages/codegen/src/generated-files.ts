/** Every file that is made from the contract or the console's messages and kept in the repository: its text, and how it differs from what is on disk. */
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { catalogue, WIDE } from "@assay/catalogue";
import { type Contract, contract, DOCUMENTED_URL, VERSION } from "@assay/contract";
import { asyncApiDocument } from "./asyncapi/document.ts";
import { errorPages } from "./errors/error-page.ts";
import { registryEntry } from "./mcp/registry-entry.ts";
import { messageTypesFile } from "./messages/message-types.ts";
import { openApiDocument } from "./openapi/document.ts";
import { resourcePath, resourcesOf } from "./sdk/names.ts";
import { readContract } from "./sdk/read-contract.ts";
import { apiPage } from "./sdk/write-api-page.ts";
import { assayFile, indexFile, resourcesFile } from "./sdk/write-assay.ts";
import { errorsFile } from "./sdk/write-errors.ts";
import { mocksFile } from "./sdk/write-mocks.ts";
import { operationsFile } from "./sdk/write-operations.ts";
import { resourceFile } from "./sdk/write-resource.ts";
import { routerFile } from "./sdk/write-router.ts";
import { streamFile } from "./sdk/write-stream.ts";
import { inputsFile, typesFile, valuesFile, webhooksFile, wireFile } from "./sdk/write-types.ts";

/** The folder that holds only generated files. */
export const SDK_FOLDER = "packages/sdk/src/generated";

const WORDS = "apps/console/src/text";
const ENGLISH = new URL(`../../../${WORDS}/en.json`, import.meta.url);

/** Folders that hold nothing but made files; others found there are of codes that are gone. */
export const MADE_FOLDERS = ["docs/errors", SDK_FOLDER];

/**
 * Generates the SDK of a contract. The same contract gives the same bytes.
 * @param contract the routes
 * @returns texts by path from the repository root
 */
export const sdkFiles = (contract: Contract): ReadonlyMap<string, string> => {
  const model = readContract(contract, VERSION);
  const files: [string, string][] = [
    ["assay.ts", assayFile(model)],
    ["errors.ts", errorsFile(model)],
    ["index.ts", indexFile(model)],
    ["resources/index.ts", resourcesFile(model)],
    ["inputs.ts", inputsFile(model)],
    ["mocks.ts", mocksFile(model)],
    ["operations.ts", operationsFile(model)],
    ["router.ts", routerFile(model)],
    ["stream.ts", streamFile(model)],
    ["types.ts", typesFile(model)],
    ["values.ts", valuesFile(model)],
    ["webhooks.ts", webhooksFile(model)],
    ["wire.ts", wireFile(model)],
    ...resourcesOf(model).map((resource): [string, string] => [resourcePath(resource), resourceFile(resource, model)]),
  ];
  return new Map([
    ...files.map(([name, text]): [string, string] => [`${SDK_FOLDER}/${name}`, text]),
    ["packages/sdk/api.md", apiPage(model)],
  ]);
};

/** Every made file: its path from the root of the repository, and its text. The same contract gives the same bytes. */
export const generatedFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ["catalogs/seed.json", `${JSON.stringify(catalogue.rows, null, 2)}\n`],
    ["catalogs/wide.json", `${JSON.stringify(WIDE, null, 2)}\n`],
    ["packages/contract/generated/openapi.json", `${JSON.stringify(openApiDocument(DOCUMENTED_URL), null, 2)}\n`],
    ["packages/contract/generated/asyncapi.json", `${JSON.stringify(asyncApiDocument(DOCUMENTED_URL), null, 2)}\n`],
    [`${WORDS}/generated/messages.ts`, messageTypesFile(JSON.parse(readFileSync(ENGLISH, "utf8")))],
    ["server.json", `${JSON.stringify(registryEntry(), null, 2)}\n`],
    ...errorPages(),
    ...sdkFiles(contract),
  ]);

/** Differences between the generated files and the disk. */
export interface Difference {
  readonly path: string;
  readonly kind: "missing" | "changed" | "gone";
}

const unlessMissing = <T>(error: unknown, fallback: T): T => {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return fallback;
  throw error;
};

const textAt = (path: string): Promise<string | null> =>
  readFile(path, "utf8").catch((error: unknown) => unlessMissing(error, null));

/** Every file below a folder, with paths relative to it. */
const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) =>
    unlessMissing(error, []),
  );
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
};

/**
 * Finds the differences.
 * @param root folder that paths are relative to
 * @param files generated files by path
 * @param folders folders that hold only generated files
 */
export const findDifferences = async (
  root: string,
  files: ReadonlyMap<string, string>,
  folders: readonly string[],
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const [path, text] of files) {
    const current = await textAt(join(root, path));
    if (current !== text) differences.push({ path, kind: current === null ? "missing" : "changed" });
  }
  for (const folder of folders) {
    const strays = (await filesIn(join(root, folder))).map((name) => `${folder}/${name}`).filter((path) => !files.has(path));
    differences.push(...strays.sort().map((path): Difference => ({ path, kind: "gone" })));
  }
  return differences;
};

/** Updates the disk: writes missing and changed files, removes obsolete ones. */
export const settleDifferences = async (
  root: string,
  files: ReadonlyMap<string, string>,
  differences: readonly Difference[],
): Promise<void> => {
  for (const { path } of differences) {
    const target = join(root, path);
    const text = files.get(path);
    if (text === undefined) {
      await rm(target, { recursive: true });
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
};
