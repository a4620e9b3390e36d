/** `npm start` for a person at a terminal, and the same for a program: what is printed first, and how the log reads. */
import { execFileSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask } from "./harness/call.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { lendDatabase, type Service, spawnCommand, spawnFile, untilReady, type Watched } from "./harness/service.ts";

/** Whether util-linux's `script` is there, which runs a program on a terminal of its own. */
const hasScript = (): boolean => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).includes(
      "util-linux",
    );
  } catch {
    return false;
  }
};

const isSkipped = !hasScript();
if (isSkipped) console.info("skipped: npm start on a terminal; util-linux's script is not installed");

const linesOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "");

describe("npm start", () => {
  let folder: Folder;
  let keys: TierKeys;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await lendDatabase({ DATA_DIR: folder.path });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(() => folder?.remove());

  /** Each has a copy of its own: a service that a failed test left behind keeps its folder. */
  const start = async (spawned: (settings: Record<string, string>) => Watched): Promise<Service> => {
    const own = await temporaryFolder();
    onTestFinished(own.remove);
    await cp(folder.path, own.path, { recursive: true });
    const service = await untilReady(spawned({ DATA_DIR: own.path, DISABLE: "download", LOG_LEVEL: "info" }));
    onTestFinished(() => void service.child.kill("SIGKILL"));
    return service;
  };

  const startOnTerminal = (): Promise<Service> =>
    start((settings) => spawnFile("script", ["--quiet", "--return", "--flush", "--command", "npm start", "/dev/null"], settings));

  /** The output once the last of it has been printed. */
  const untilWelcomed = async (service: Service): Promise<string[]> => {
    await expect.poll(() => service.stdout()).toContain("Documents: ");
    return linesOf(service.stdout());
  };

  describe.skipIf(isSkipped)("on a terminal", { meta: { needs: "util-linux's script is not installed" } }, () => {
    it("prints the console's address first, whose key opens it, and log lines that people can read", async () => {
      const service = await startOnTerminal();
      const lines = await untilWelcomed(service);
      const ready = lines.indexOf(`ready ${service.url}`);
      expect(lines[ready + 1]).toBe(`  Console: ${service.url}/#key=${keys.realtime_pro}`);
      const log = lines.slice(0, ready).filter((line) => line.includes("the market is simulated"));
      expect(log).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d {2}warn {2}the market is simulated: every price is made up/)]);
      expect(lines.filter((line) => line.startsWith("{"))).toEqual([]);
      const { hash } = new URL(lines[ready + 1]?.split(" ").at(-1) ?? "");
      expect((await ask(service.url, "/")).status).toBe(200);
      expect((await ask(service.url, "/v1/account/usage", { key: hash.slice("#key=".length) })).json).toMatchObject({
        tier: "realtime_pro",
      });
      await service.stop();
      expect(linesOf(service.stdout()).filter((line) => line.startsWith("{"))).toEqual([]);
    });
  });

  it("logs JSON where there is no terminal, prints one line, without a key, and ends with 0 when npm is stopped", async () => {
    const service = await start((settings) => spawnCommand("start", settings));
    expect((await ask(service.url, "/v1/health")).status).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await expect(ask(service.url, "/v1/health")).rejects.toThrow();
    const printed = linesOf(service.stdout()).filter((line) => !line.startsWith("> "));
    expect(printed).toEqual([`ready ${service.url}`]);
    // npm's own words, and those of a build that takes longer than a moment.
    const logged = linesOf(service.stderr()).filter((line) => !/^(npm |compiling what changed$)/.test(line));
    expect(logged.map((line) => JSON.parse(line).msg)).toContain("the market is simulated: every price is made up");
    for (const tier of Object.values(keys)) expect(service.stdout() + service.stderr()).not.toContain(tier);
  });
});
