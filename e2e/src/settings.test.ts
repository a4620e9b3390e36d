/** Invalid settings, for every entry: one line naming the variable, nothing created, exit 1. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { API, KEYS, RENUMBER, runEntry, STANDALONE, WRITER } from "./harness/service.ts";

/** The kinds of refusal a start goes through; `packages/config` has every variable and value. */
const WRONG: readonly [variable: string, value: string][] = [
  ["PORT", "http"],
  ["DATABASE_URL", "mysql://assay:hunter2@db.example.com/assay"],
  ["FEEDS", "replay:/nowhere/at/all.ndjson"],
  ["METRICS_PORT", "8080"],
];

describe("a wrong setting", () => {
  let folder: Folder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  const refused = async (entry: string, settings: Readonly<Record<string, string>>, variable: string, args: string[] = []) => {
    const dataDir = join(folder.path, `never-made-${variable}`);
    const { code, stdout, stderr } = await runEntry(entry, { DATA_DIR: dataDir, ...settings }, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^${variable} [^\\n]+\\n$`));
    expect(existsSync(dataDir)).toBe(false);
    return stderr;
  };

  it.each(WRONG)("stops the start: %s=%s", async (variable, value) => {
    const line = await refused(STANDALONE, { PORT: "8080", [variable]: value }, variable);
    expect(line).toMatch(/; expected /);
    expect(line).not.toContain("hunter2");
  });

  it.each([
    ["TIERS_FILE", (path: string) => ({ TIERS_FILE: path })],
    ["VOTS_DEALERS", (path: string) => ({ FEEDS: "vots-file", VOTS_DEALERS: path })],
    ["FEEDS", (path: string) => ({ FEEDS: `replay:${path}` })],
  ] as const)("that names another file stops the start without showing anything of it: %s", async (_, settingsOf) => {
    const path = await folder.write("shadow", "root:hunter2:19000:0:99999:7:::\n");
    const settings = { DATA_DIR: join(folder.path, "unused-data"), ...settingsOf(path) };
    const { code, stdout, stderr } = await runEntry(STANDALONE, settings);
    expect(code).toBe(1);
    expect(stderr).toContain(path);
    for (const part of ["hunter2", "root:", "19000"]) expect(stdout + stderr).not.toContain(part);
  });

  it.each([
    [API, { REDIS_URL: "redis://127.0.0.1:6379" }, "DATABASE_URL"],
    [WRITER, {}, "DATABASE_URL"],
  ])(
    "stops %s, which shares its engines with other processes, when one of them is not named",
    async (entry, settings, variable) => {
      await refused(entry, settings, variable);
    },
  );

  it.each([
    [KEYS, ["list"]],
    [RENUMBER, []],
  ])("stops %s %j on a folder without a database, and creates none", async (entry, args) => {
    expect(await refused(entry, {}, "DATA_DIR", args)).toContain("(there is no database in it); expected the data folder");
  });

  it("lets keys create come before the first start, and says that it made the database", async () => {
    const dataDir = join(folder.path, "first");
    const { code, stderr } = await runEntry(KEYS, { DATA_DIR: dataDir }, ["create", "--org", "Example GmbH", "--tier", "pro"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `There was no database in ${dataDir} yet; it is made now.\n` });
    expect((await runEntry(KEYS, { DATA_DIR: dataDir }, ["list"])).stdout).toContain("Example GmbH");
  });

  it("includes a server that a command cannot reach: one line, without the password", async () => {
    const settings = {
      DATA_DIR: join(folder.path, "unused"),
      DATABASE_URL: "postgres://assay:hunter2@127.0.0.1:9/assay",
    };
    const { code, stdout, stderr } = await runEntry(KEYS, settings, ["list"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"))).toEqual([
      expect.stringContaining("the database does not answer"),
    ]);
    expect(stderr).not.toContain("hunter2");
  });
});
