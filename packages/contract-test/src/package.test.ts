/** The package as npm would publish it: its dependencies, and nothing of the repository. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { VERSION } from "@assay/contract";
import { expect, onTestFinished, test } from "vitest";

const exec = promisify(execFile);
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const INSTALLED = join(PACKAGE, "../../node_modules");

/** Lets a program read its own files and what it declares, and neither write, nor start another, nor read the repository. */
const confined = (project: string): string[] => {
  const isNamed = process.allowedNodeEnvironmentFlags.has("--permission");
  const readable = [project, INSTALLED].map((path) => `--allow-fs-read=${path}/*`);
  const isNetClosed = process.allowedNodeEnvironmentFlags.has("--allow-net");
  return [isNamed ? "--permission" : "--experimental-permission", ...readable, ...(isNetClosed ? ["--allow-net"] : [])];
};

/** Packs it and unpacks it in an empty project with only its dependencies. */
const install = async (): Promise<{ readonly project: string; readonly bin: string }> => {
  const project = await mkdtemp(join(tmpdir(), "assay-packed-"));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  await exec("npm", ["pack", "--silent", "--pack-destination", project], { cwd: PACKAGE });
  const [tarball = ""] = await readdir(project);
  await exec("tar", ["-xzf", tarball], { cwd: project });
  const modules = join(project, "node_modules");
  const packed = join(modules, "@assay/contract-test");
  await mkdir(dirname(packed), { recursive: true });
  await cp(join(project, "package"), packed, { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(packed, "package.json"), "utf8")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) await symlink(join(INSTALLED, name), join(modules, name));
  return { project, bin: join(packed, "bin/assay-contract-test.mjs") };
};

test("the packed command builds nothing: it runs in an empty project from what was published and what it declares", async () => {
  const { project, bin } = await install();
  const run = (...args: string[]) => exec(process.execPath, [...confined(project), bin, ...args]);
  expect((await run("--version")).stdout).toBe(`${VERSION}\n`);
  expect((await run("--help")).stdout).toMatch(/^Usage: assay-contract-test/);
  await expect(run("--base-url", "http://127.0.0.1:9")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 cannot be reached/m),
  });
});
