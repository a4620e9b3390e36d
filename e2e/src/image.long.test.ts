/**
 * The tree that the image is made of, run as the image runs it: as nobody, on a read-only file system, with one folder of its
 * own.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { freePort } from "./harness/proxies.ts";
import { layOut, NOBODY, type SealedRoot, whyNoSealedRoot } from "./harness/sealed-root.ts";
import { endOf, type Service, untilReady, type Watched } from "./harness/service.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 });

const reason = whyNoSealedRoot();
if (reason !== null) console.info(`the image's tree: skipped, because ${reason}`);

const ASSAY = "/app/apps/cli/bin/assay.mjs";
/** Megabytes, 26 of them the prepared history; the base image comes on top. */
const MOST_MEGABYTES = 80;

describe.skipIf(reason !== null)("the image's tree", { meta: { needs: reason ?? "" } }, () => {
  let folder: Folder;
  let sealed: SealedRoot;
  let metricsPort: number;
  const settings = { DATA_DIR: "/data", NODE_ENV: "production" };
  const assay = (...args: string[]): Watched => sealed.spawn(settings, [ASSAY, ...args]);
  const inside = async (...command: string[]) => {
    const program = sealed.spawn({}, command);
    const { code } = await endOf(program, 60_000);
    return { code, stdout: program.stdout(), stderr: program.stderr() };
  };
  /** Signals reach what runs inside: the outermost process is unshare's. */
  const innermost = ({ child }: Watched): number => {
    const below = (pid: number): number => {
      const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
      const [next] = stdout.trim().split(/\s+/).filter(Boolean).map(Number);
      return next === undefined ? pid : below(next);
    };
    return below(child.pid ?? 0);
  };
  const start = (): Promise<Service> =>
    untilReady(sealed.spawn({ ...settings, METRICS_PORT: String(metricsPort) }, [ASSAY, "start"]));
  const end = async (service: Service) => {
    process.kill(innermost(service), "SIGTERM");
    return endOf(service, 20_000);
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    sealed = await layOut(folder.path);
    metricsPort = await freePort();
  });
  afterAll(() => folder?.remove());

  it("is small, holds no source, test or map, and can be read by anyone", async () => {
    const app = join(folder.path, "sealed/app");
    const files = (await readdir(app, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    expect(paths.filter((path) => /\.(ts|js\.map|css\.map|tsbuildinfo)$|\/\.git/.test(path))).toEqual([]);
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000_000;
    console.info(`the image's tree: ${paths.length} files, ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThan(MOST_MEGABYTES);
    for (const path of paths) {
      expect((await stat(path)).mode & 0o444, path).toBe(0o444);
      // Modules look for their files where they are in the repository.
      expect(existsSync(join(ROOT, relative(app, path))), path).toBe(true);
    }
  });

  it("runs as nobody, without a capability, and can write only to /data", async () => {
    const { stdout } = await inside(
      "/bin/sh",
      "-c",
      "id -u; grep CapBnd /proc/self/status; : >/data/mine && rm /data/mine && echo data",
    );
    expect(stdout.split("\n").slice(0, 3)).toEqual([String(NOBODY), "CapBnd:\t0000000000000000", "data"]);
    for (const path of ["/mine", "/app/mine", "/tmp/mine", "/etc/mine", "/usr/mine"])
      expect((await inside("/bin/sh", "-c", `: >${path}`)).code, path).not.toBe(0);
  });

  it("has every role and every job", async () => {
    for (const name of ["start", "api", "stream", "writer", "migrate", "keys", "import"]) {
      const help = assay(name, "--help");
      expect(await endOf(help, 60_000), help.stderr()).toMatchObject({ code: 0 });
    }
  });

  it("serves prices, the console and every page, becomes ready, and ends with 0 on SIGTERM", async () => {
    const service = await start();
    const keys = await readDemoKeys(sealed.data);
    expect((await ask(service.url, "/v1/spot/gold", { key: keys.pro })).status).toBe(200);
    const pages = [
      "/",
      "/docs",
      "/docs/guides",
      "/docs/guides/limits",
      "/docs/errors/plan_gated",
      "/openapi.json",
      "/asyncapi.json",
    ];
    for (const page of [...pages, "/llms.txt", "/llms-full.txt"]) expect((await ask(service.url, page)).status, page).toBe(200);
    const html = (await ask(service.url, "/docs")).text + (await ask(service.url, "/")).text;
    const assets = [...html.matchAll(/(?:href|src)="(\/[^"]*\.(?:js|css|svg))"/g)].map(([, path = ""]) => path);
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) expect((await ask(service.url, path)).status, path).toBe(200);
    await eventually(
      "it is ready",
      () => ask(`http://127.0.0.1:${metricsPort}`, "/ready"),
      ({ status }) => status === 200,
    );
    expect(await end(service)).toMatchObject({ code: 0 });
  });

  it("continues with its data when it is started again", async () => {
    const before = await readDemoKeys(sealed.data);
    const service = await start();
    expect(await readDemoKeys(sealed.data)).toEqual(before);
    expect((await ask(service.url, "/v1/spot/gold", { key: before.pro })).status).toBe(200);
    expect(await end(service)).toMatchObject({ code: 0 });
  });

  it("is what the Dockerfile copies, and its health check asks a path there is", async () => {
    const dockerfile = await readFile(join(ROOT, "Dockerfile"), "utf8");
    expect(dockerfile).toContain("deploy/layout.sh /image/app");
    expect(dockerfile).toContain(`USER ${NOBODY}:${NOBODY}`);
    expect(dockerfile).toContain("/ready`");
  });
});
