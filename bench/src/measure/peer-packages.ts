/** Other people's programs, installed from the npm registry for one run: they are not dependencies of the project. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Packages in a folder of their own. */
export interface Peers {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Why there are none. */
export interface NoPeers {
  readonly why: string;
}

const BUN = "bun@1.4.5";

/** Installs packages without running their scripts. */
export const installPeers = async (packages: readonly string[]): Promise<Peers | NoPeers> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-peers-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await writeFile(join(folder, "package.json"), "{}");
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  const { status, stderr } = spawnSync("npm", options, { cwd: folder, encoding: "utf8" });
  if (status === 0) return { folder, remove };
  await remove();
  return { why: `${packages.join(" and ")} cannot be installed: ${stderr.trim().split("\n").at(-1) ?? "npm says nothing"}` };
};

/** Bun's program, out of the package for this system: its own install script may have to download it. */
export const findBun = async (): Promise<{ program: string; remove(): Promise<void> } | NoPeers> => {
  const installed = await installPeers([BUN]);
  if ("why" in installed) return installed;
  const systems = join(installed.folder, "node_modules", "@oven");
  for (const system of await readdir(systems).catch(() => [])) {
    const program = join(systems, system, "bin", "bun");
    if (spawnSync(program, ["--version"]).status === 0) return { program, remove: installed.remove };
  }
  await installed.remove();
  return { why: `${BUN} has no program for this system` };
};
