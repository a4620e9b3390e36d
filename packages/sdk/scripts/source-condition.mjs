/**
 * Removes the `source` condition from the package's exports while it is packed: a consumer using the same name means its own
 * sources.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const MANIFEST = new URL("../package.json", import.meta.url);
const KEPT = new URL("../package.json.kept", import.meta.url);

const withoutSource = (value) =>
  value === null || typeof value !== "object"
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== "source")
          .map(([name, each]) => [name, withoutSource(each)]),
      );

if (process.argv[2] === "strip") {
  // After an aborted pack the full manifest is still saved.
  const text = readFileSync(existsSync(KEPT) ? KEPT : MANIFEST, "utf8");
  const manifest = JSON.parse(text);
  writeFileSync(KEPT, text);
  writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, exports: withoutSource(manifest.exports) }, null, 2)}\n`);
} else if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
