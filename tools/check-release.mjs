/** `node tools/check-release.mjs`: compiles programs of the last SDK release, or else of `released/`, against the current SDK. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ENTRIES, lastRelease, publicPrograms, SDK } from "./release/public-programs.mjs";
import { FOLDER, storedPrograms } from "./release/snapshot.mjs";
import { isTest, ROOT } from "./workspaces.mjs";

/** A call that now compiles breaks no one. */
const UNUSED_EXPECTATION = "error TS2578";

const OPTIONS = {
  noEmit: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  rewriteRelativeImportExtensions: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
  lib: ["es2023", "dom"],
  paths: Object.fromEntries([...ENTRIES].map(([specifier, path]) => [specifier, [`./${path}`]])),
};

const layOut = (root, scratch, programs) => {
  cpSync(join(root, SDK), join(scratch, SDK), {
    recursive: true,
    filter: (path) => !isTest(path) && !/\/(dist|node_modules|testing)$/.test(path),
  });
  cpSync(join(root, "tsconfig.base.json"), join(scratch, "tsconfig.base.json"));
  writeFileSync(join(scratch, "package.json"), '{ "type": "module" }');
  symlinkSync(join(ROOT, "node_modules"), join(scratch, "node_modules"));
  for (const [path, text] of programs) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), text);
  }
  const config = { extends: "./tsconfig.base.json", compilerOptions: OPTIONS, files: [...programs.keys()] };
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(config));
};

const compile = (scratch) => {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = { cwd: scratch, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", ".", "--pretty", "false"], options);
  if (status !== 0 && !stdout.includes("error TS")) throw new Error(`tsc ended with ${status}: ${stdout}${stderr}`);
  // Indented lines continue the previous one.
  const faults = stdout.split(/\n(?=\S)/).map((fault) => fault.trimEnd());
  return faults.filter((fault) => fault !== "" && !fault.includes(UNUSED_EXPECTATION));
};

/** What of some programs no longer compiles. */
const programFaults = (root, programs) => {
  if (programs.size === 0) return [];
  const scratch = mkdtempSync(join(tmpdir(), "assay-release-"));
  try {
    layOut(root, scratch, programs);
    return compile(scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
};

/** What of the programs of `released/` no longer compiles, for `npm run verify`. */
export const releasedProgramFaults = (root = ROOT) => programFaults(root, storedPrograms(root));

/**
 * Checks against the last release.
 * @param root folder of the repository
 * @returns the release's tag, or null when there is none; what was compiled; and what no longer compiles
 */
export const checkRelease = (root = ROOT) => {
  const tag = lastRelease(root);
  const programs = tag === null ? storedPrograms(root) : publicPrograms(root, tag);
  return { tag, programs: [...programs.keys()], faults: programFaults(root, programs) };
};

const say = ({ tag, programs, faults }) => {
  const counted = `${programs.length} programs of ${tag ?? `${FOLDER}/, as there is no tag sdk-v* yet`}`;
  if (faults.length === 0) return `${counted} compile against this SDK\n`;
  return `${faults.join("\n")}\n\n${counted}: ${faults.length} faults. This is a breaking change.\n`;
};

if (process.argv[1] && existsSync(process.argv[1]) && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const result = checkRelease();
  process.stdout.write(say(result));
  process.exitCode = result.faults.length === 0 ? 0 : 1;
}
