/** The `assay` command: its help, its version, and its errors for invalid arguments. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT, temporaryFolder } from "./harness/files.ts";
import { ASSAY, runEntry, spawnEntry, spawnFile } from "./harness/service.ts";

const SERVICES = ["start", "api", "stream", "writer"];
const COMMANDS = [...SERVICES, "check", "migrate", "renumber", "keys", "alerts", "endpoints", "signing-keys", "import"];

const assay = (name: string, ...args: string[]) => runEntry(name, {}, args);

describe("the assay command", () => {
  it.each(["help", "-h"])("lists every command on %s", async (name) => {
    const { code, stdout, stderr } = await assay(name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const listed = [...stdout.matchAll(/^ {2}([\w-]+) {2,}\w/gm)].map(([, command]) => command);
    expect(listed).toEqual(COMMANDS);
  });

  it.each(COMMANDS)("describes %s with --help, without needing a setting", async (name) => {
    const { code, stdout, stderr } = await assay(name, "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^Usage: assay ${name}`));
    if (name === "keys") expect((await assay("help", name)).stdout).toBe(stdout);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "apps/cli/package.json"), "utf8"));
    expect(await assay("--version")).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("refuses an unknown command with exit 2, and lists the known ones", async () => {
    const { code, stdout, stderr } = await assay("serve", "--port", "80");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`assay: unknown command "serve"; the commands are ${COMMANDS.join(", ")}\n`);
  });

  it.each(["--port=80", "now"])("refuses %s after a service, which takes settings from the environment", async (argument) => {
    const { code, stdout, stderr } = await assay("start", argument);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^assay start: [^\n]+\n$/);
    expect(stderr).toContain(argument.replace("=80", ""));
  });

  it.each([
    ["stdout", "help", 0],
    ["stderr", "serve", 2],
  ] as const)("ends without a stack when nobody reads its %s any more", async (stream, name, code) => {
    const run = spawnEntry(name, {});
    run.child[stream]?.destroy();
    expect({ ...(await run.exited), written: run.stdout() + run.stderr() }).toEqual({ code, signal: null, written: "" });
  });

  it("says in one line that its output could not be written, and exits with 1", async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const full = ["-c", 'ulimit -f 0 && exec "$@" >"$OUT"', "sh", process.execPath, ASSAY, "help"];
    const run = spawnFile("sh", full, { OUT: join(folder.path, "out") });
    expect({ ...(await run.exited), stderr: run.stderr() }).toEqual({
      code: 1,
      signal: null,
      stderr: expect.stringMatching(/^assay: the output could not be written: EFBIG[^\n]*\n$/),
    });
  });

  it.each(COMMANDS)("has %s in its reference", (name) => {
    const page = readFileSync(join(ROOT, "docs/reference/commands.md"), "utf8");
    expect(page).toMatch(new RegExp(`\\| .*\`(npm run|npm|assay) ${name}\\b.* \\|`));
  });

  it("is what the npm scripts of the same names run", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    for (const name of COMMANDS)
      expect(scripts[name]).toMatch(
        new RegExp(`^(MALLOC_TRIM_THRESHOLD_=\\d+ )?exec node (--[a-z-]+=\\d+ )?apps/cli/bin/assay.mjs ${name}$`),
      );
  });
});
