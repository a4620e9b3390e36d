/** `assay keys`, `import` and `signing-keys` on the embedded database of a service that runs. */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { contract, SECOND_MS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import {
  endOf,
  IMPORT,
  KEYS,
  mintKey,
  runEntry,
  type Service,
  type Settings,
  spawnEntry,
  startService,
} from "./harness/service.ts";

const IS_ROOT = process.getuid?.() === 0;
if (!IS_ROOT) console.info("another user's commands are not tried: only root can be another user");

let folder: Folder;
let settings: Settings;
let service: Service;
let dataDir: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, "data");
  await mkdir(dataDir);
  const nowMs = Date.now();
  // A price that ticks for longer than the suite takes.
  const lines = Array.from({ length: 600 }, (_, tick) =>
    at(nowMs + (5 * tick - 10) * SECOND_MS, gold("replay-a", (4_000 + (tick % 9)).toFixed(2))),
  );
  settings = { DATA_DIR: dataDir, FEEDS: await replayFile(folder, lines) };
  service = await startService(settings);
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder.remove();
});

const desk = (...args: string[]) => runEntry(KEYS, settings, args);
const statusOf = async (key: string): Promise<number> => (await ask(service.url, "/v1/spot/gold", { key })).status;
const tierOf = async (key: string) => (await read(service.url, contract.account.usage, {}, { key })).tier;

describe("a key", () => {
  it("works at once, has the tier that its organisation is given from the next request on, and stops at once", async () => {
    const expires = `${new Date().getUTCFullYear() + 1}-01-31T18:00:00Z`;
    const { stdout } = await desk("create", "--org", "Running Ltd", "--tier", "pro", "--expires", expires);
    const { id, plaintext, org, tier, expires_at } = JSON.parse(stdout);
    expect([org, tier, expires_at]).toEqual(["Running Ltd", "pro", expires]);
    expect(await tierOf(plaintext)).toBe("pro");
    const given = await desk("tier", "Running Ltd", "realtime_pro");
    expect(JSON.parse(given.stdout)).toEqual({ org: "Running Ltd", tier: "realtime_pro", previous_tier: "pro" });
    expect(await tierOf(plaintext)).toBe("realtime_pro");
    const listed: { id: string }[] = JSON.parse((await desk("list")).stdout);
    expect(listed.find((key) => key.id === id)).toMatchObject({ org: "Running Ltd", tier: "realtime_pro", expires_at: expires });
    expect((await desk("revoke", id)).code).toBe(0);
    expect(await statusOf(plaintext)).toBe(401);
  });
});

describe("an import", () => {
  const csv = (rows: number): Promise<string> => {
    const lines = Array.from({ length: rows }, (_, index) => {
      const time = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString().slice(0, 19).replace("T", " ");
      return `${time},2000.10,2001.00,1999.00,2000.50,${1 + (index % 9)}`;
    });
    return folder.write(`gold-${rows}.csv`, `time,Open,High,Low,Close,Volume\n${lines.join("\n")}\n`);
  };
  const argsOf = (path: string): string[] => ["--symbol", "GC", "--interval", "1m", "--timezone", "UTC", path];
  const uploads = (): Promise<string[]> => readdir(join(dataDir, "uploads"));
  const days = async (key: string) => {
    const query = { symbol: "GC", interval: "1d", from: "2024-01-01", to: "2024-02-01" } as const;
    return (await read(service.url, contract.bars.list, query, { key })).bars.map(({ bar_start }) => bar_start);
  };

  it("is served without a restart, while prices tick and keys are created", async () => {
    const { plaintext } = await mintKey(settings, "pro", "Analysts Ltd");
    const computedMs = async (): Promise<number> =>
      Date.parse((await read(service.url, contract.spot.get, { symbol: "gold" }, { key: plaintext })).computed_at ?? "");
    expect(await days(plaintext)).toEqual([]);
    const startedMs = await computedMs();
    const run = spawnEntry(IMPORT, settings, argsOf(await csv(14_400)));
    const others = await Promise.all([desk("list"), desk("create", "--org", "Meanwhile Ltd", "--tier", "free")]);
    expect(others.map(({ code }) => code)).toEqual([0, 0]);
    await eventually("a price is composed", computedMs, (ms) => ms > startedMs);
    const exit = await endOf(run, 180_000);
    expect([exit.code, run.stdout()]).toEqual([0, expect.stringMatching(/gold-14400\.csv: 14400 rows, .*\n/)]);
    expect(run.stderr()).toMatch(/^sending .*\n(.*\n)*checking .*\n(.*\n)*writing .*\n/);
    expect(await days(plaintext)).toHaveLength(10);
    expect(await uploads()).toEqual([]);
  });

  it.each(["SIGINT", "SIGKILL"] as const)("stops on %s, and the service takes the next one", async (signal) => {
    const path = await csv(signal === "SIGINT" ? 40_000 : 40_001);
    const run = spawnEntry(IMPORT, settings, argsOf(path));
    await eventually(
      "it writes",
      () => run.stderr(),
      (text) => text.includes("\nwriting "),
      { withinMs: 180_000, everyMs: 20 },
    );
    run.child.kill(signal);
    const { code } = await endOf(run, 180_000);
    expect(run.stdout()).toBe("");
    if (signal === "SIGINT")
      expect([code, run.stderr()]).toEqual([1, expect.stringMatching(/\nstopped; run the import again to finish\n$/)]);
    await eventually("the service has put the files away", uploads, (files) => files.length === 0);
    expect((await ask(service.url, "/v1/health")).status).toBe(200);
    const short = await csv(1_440);
    expect((await runEntry(IMPORT, settings, [...argsOf(short), "--force"])).code).toBe(0);
  });
});

describe("the socket", () => {
  it.runIf(IS_ROOT)("is closed to every other user, even in a folder that they may read", async () => {
    for (const path of [folder.path, dataDir]) await chmod(path, 0o755);
    const socket = join(dataDir, "assay.sock");
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    const connect = `require("net").connect(process.argv[1]).on("connect", () => console.log("open")).on("error", ({ code }) => console.log(code))`;
    const as = (user: string) => promisify(execFile)("runuser", ["-u", user, "--", process.execPath, "-e", connect, socket]);
    expect((await as("nobody")).stdout).toBe("EACCES\n");
    const { stdout } = await promisify(execFile)("timeout", ["2", process.execPath, "-e", connect, socket]).catch(
      (error) => error,
    );
    expect(stdout).toBe("open\n");
  });

  it("that is missing is reported while the service holds the database", async () => {
    const socket = join(dataDir, "assay.sock");
    await rm(socket);
    const { code, stdout, stderr } = await desk("list");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      new RegExp(
        `^[^\\n]*in use by process ${service.child.pid} [^\\n]*takes no commands at ${socket}: [^\\n]*stop it first\\n$`,
      ),
    );
  });

  it("that a killed service left keeps no command from the database, is replaced by the next start, and removed by an orderly end", async () => {
    await service.stop("SIGKILL");
    service = await startService(settings);
    await service.stop("SIGKILL");
    expect((await stat(join(dataDir, "assay.sock"))).isSocket()).toBe(true);
    const alone = await mintKey(settings, "pro", "Alone Ltd");
    service = await startService(settings);
    expect(await statusOf(alone.plaintext)).toBe(200);
    expect(await statusOf((await mintKey(settings, "pro", "Replaced Ltd")).plaintext)).toBe(200);
    await service.stop();
    expect(await readdir(dataDir)).not.toContain("assay.sock");
  });
});
