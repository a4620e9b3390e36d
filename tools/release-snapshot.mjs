/**
 * `node tools/release-snapshot.mjs`: keeps what is here as the last release, in `released/`, and prints the line for CHANGELOG.md.
 * With `--check` it writes nothing and fails unless the snapshot is of what is here, as it must be when a release is tagged.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentSnapshot, FOLDER, storedLine } from "./release/snapshot.mjs";
import { ROOT } from "./workspaces.mjs";

const texts = Object.entries(currentSnapshot(ROOT));
if (process.argv.includes("--check")) {
  const old = texts.filter(([name, text]) => readFileSync(join(ROOT, FOLDER, name), "utf8") !== text).map(([name]) => name);
  if (old.length > 0) {
    process.stderr.write(`${FOLDER}/${old.join(", ")} is not what this commit publishes: run node tools/release-snapshot.mjs\n`);
    process.exitCode = 1;
  }
} else {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const [name, text] of texts) writeFileSync(join(ROOT, FOLDER, name), text);
  process.stdout.write(
    `${FOLDER} is renewed. The line for CHANGELOG.md, under the heading of the release:\n\n${storedLine(ROOT)}\n`,
  );
}
