/** Creates a small repository in a temporary folder, for the tests of the checks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Writes files that are removed when the test ends.
 * @param files content by path; an object is written as JSON
 * @returns the folder
 */
export const layOut = (files) => {
  const root = mkdtempSync(join(tmpdir(), "assay-verify-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries({ "package.json": {}, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
};
