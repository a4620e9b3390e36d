/** Other runtimes, installed from npm into a temporary folder: never dependencies of the repository. */
import { execFile } from "node:child_process";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const INSTALL_WITHIN_MS = 300_000;

/** An installed runtime, by the program that runs scripts in it. */
export interface Runtime {
  /** Runs a script and returns its output. */
  run(cwd: string, ...args: string[]): Promise<string>;
  /** The folder of its packages. */
  readonly folder: string;
}

/** A runtime's npm packages, and the path of its program. */
export interface RuntimeSource {
  readonly packages: readonly string[];
  /** Relative to `node_modules`; the first that exists. */
  readonly programs: readonly string[];
  /** Arguments before the script. */
  readonly args: readonly string[];
}

const { platform, arch } = process;
const musl = platform === "linux" ? "-glibc" : "";
const node = (version: string): RuntimeSource => ({
  packages: [`node-${platform}-${arch}@${version}`],
  programs: [`node-${platform}-${arch}/bin/node`],
  args: [],
});

/** Every runtime except the one running the tests. */
export const RUNTIME_SOURCES: Readonly<Record<string, RuntimeSource>> = {
  "Node 22": node("22"),
  "Node 24": node("24"),
  Bun: { packages: ["bun@1"], programs: [`@oven/bun-${platform}-${arch}/bin/bun`], args: ["run"] },
  Deno: { packages: ["deno@2"], programs: [`@deno/${platform}-${arch}${musl}/deno`], args: ["run", "-A"] },
  workerd: { ...node("22"), packages: [...node("22").packages, "miniflare@4"] },
};

const firstOf = async (paths: readonly string[]): Promise<string> => {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`no program at ${paths.join(", ")}`);
};

/**
 * Installs a runtime.
 * @param folder an empty folder
 * @throws when the registry does not answer, or has no program for this machine
 */
export const installRuntime = async (source: RuntimeSource, folder: string): Promise<Runtime> => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--force", ...source.packages];
  await run("npm", args, { cwd: folder, timeout: INSTALL_WITHIN_MS });
  const program = await firstOf(source.programs.map((path) => join(folder, "node_modules", path)));
  return {
    folder,
    run: async (cwd, ...given) => {
      const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
      const { stdout } = await run(program, [...source.args, ...given], { cwd, env, timeout: 60_000 });
      return stdout.trimEnd();
    },
  };
};
