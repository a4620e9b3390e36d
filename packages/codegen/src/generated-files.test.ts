/** What is made from the contract. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contract, contract, ERROR_CODES, ERRORS, type Route } from "@assay/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findDifferences, generatedFiles, MADE_FOLDERS, settleDifferences } from "./generated-files.ts";

const files = generatedFiles();
const textOf = (path: string): string => files.get(path) ?? "";

describe("made files", () => {
  test("are the same bytes in every run", () => {
    expect([...generatedFiles()]).toEqual([...files]);
  });

  test("document every route of the contract under its path and method", () => {
    const document = JSON.parse(textOf("packages/contract/generated/openapi.json"));
    const tree: Contract = contract;
    const routes: Route[] = Object.values(tree).flatMap((group) => Object.values(group));
    for (const { path, method } of routes) expect(document.paths[path], path).toHaveProperty(method.toLowerCase());
  });

  test("have a page for every code with its status, condition, remedy and an example", () => {
    for (const code of ERROR_CODES) {
      const page = textOf(`docs/errors/${code}.md`);
      const { status, condition, remedy } = ERRORS[code];
      expect(page).toContain(`Status **${status}**. ${condition}`);
      expect(page).toContain(remedy);
      const example = /```json\n([\s\S]*?)\n```/.exec(page)?.[1] ?? "";
      expect(JSON.parse(example)).toMatchObject({ error: code });
      expect(textOf("docs/errors/README.md")).toContain(`(${code}.md)`);
    }
  });

  test("name the routes a code follows from by their access, not only those that declare it", () => {
    // Most routes read a key, so this page lists those that do not.
    expect(textOf("docs/errors/invalid_api_key.md")).toMatch(/Every route but\n[\s\S]*`GET \/v1\/health`/);
    expect(textOf("docs/errors/invalid_api_key.md")).not.toContain("`GET /v1/prices`");
    expect(textOf("docs/errors/unauthenticated.md")).toContain("`GET /v1/account/usage`");
    expect(textOf("docs/errors/unauthenticated.md")).not.toContain("`GET /v1/health`");
  });
});

describe("made files on disk", () => {
  let root = "";
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "assay-gen-"));
  });
  afterEach(() => rm(root, { recursive: true }));

  test("are missing at first, and nothing differs once they are settled", async () => {
    const before = await findDifferences(root, files, MADE_FOLDERS);
    expect(before).toHaveLength(files.size);
    await settleDifferences(root, files, before);
    expect(await findDifferences(root, files, MADE_FOLDERS)).toEqual([]);
  });

  test("are removed from folders within the made ones as well", async () => {
    await mkdir(join(root, "docs/errors/deep/er"), { recursive: true });
    await writeFile(join(root, "docs/errors/deep/er/gone.md"), "");
    const differences = await findDifferences(root, new Map(), MADE_FOLDERS);
    expect(differences).toEqual([{ path: "docs/errors/deep/er/gone.md", kind: "gone" }]);
    await settleDifferences(root, new Map(), differences);
    expect(await findDifferences(root, new Map(), MADE_FOLDERS)).toEqual([]);
  });

  test("are brought back when somebody edits them, and pages of codes that are gone are removed", async () => {
    const page = new Map([["docs/errors/a.md", "a"]]);
    await mkdir(join(root, "docs/errors"), { recursive: true });
    await writeFile(join(root, "docs/errors/a.md"), "b");
    await writeFile(join(root, "docs/errors/gone.md"), "");
    const differences = await findDifferences(root, page, MADE_FOLDERS);
    expect(differences).toEqual([
      { path: "docs/errors/a.md", kind: "changed" },
      { path: "docs/errors/gone.md", kind: "gone" },
    ]);
    await settleDifferences(root, page, differences);
    expect(await readFile(join(root, "docs/errors/a.md"), "utf8")).toBe("a");
    expect(await findDifferences(root, page, MADE_FOLDERS)).toEqual([]);
  });
});
