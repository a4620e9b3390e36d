/** `node tools/check-release.mjs`: compiles the last SDK release's tests and README code against the current SDK. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { lastRelease, publicPrograms, SDK } from "./release/public-programs.mjs";
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
  paths: { "@assay/sdk": [`./${SDK}/src/index.ts`], "@assay/sdk/msw": [`./${SDK}/src/msw/index.ts`] },
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
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", ".", "--pretty", "false"], { cwd: scratch, encoding: "utf8" });
  // Indented lines continue the previous one.
  const faults = stdout.split(/\n(?=\S)/).map((fault) => fault.trimEnd());
  return faults.filter((fault) => fault !== "" && !fault.includes(UNUSED_EXPECTATION));
};

/**
 * Checks against the last release.
 * @param root folder of the repository
 * @returns the release's tag, or null when there is none; what was compiled; and what no longer compiles
 */
export const checkRelease = (root = ROOT) => {
  const tag = lastRelease(root);
  if (tag === null) return { tag, programs: [], faults: [] };
  const programs = publicPrograms(root, tag);
  const scratch = mkdtempSync(join(tmpdir(), "assay-release-"));
  try {
    layOut(root, scratch, programs);
    return { tag, programs: [...programs.keys()], faults: programs.size === 0 ? [] : compile(scratch) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
};

const say = ({ tag, programs, faults }) => {
  if (tag === null) return "no release of the SDK yet (no tag sdk-v*): nothing to compare with\n";
  const counted = `${programs.length} programs of ${tag}`;
  if (programs.length === 0) return `${tag} has no public tests and no README code: nothing was compared\n`;
  if (faults.length === 0) return `${counted} compile against this SDK\n`;
  return `${faults.join("\n")}\n\n${counted}: ${faults.length} faults. This is a breaking change.\n`;
};

if (process.argv[1] && existsSync(process.argv[1]) && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const result = checkRelease();
  process.stdout.write(say(result));
  process.exitCode = result.faults.length === 0 ? 0 : 1;
}
