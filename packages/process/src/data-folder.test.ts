/** The folder a service keeps its data in. */
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDataFolder } from "./data-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-data-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test("is made for its owner alone", async () => {
  await makeDataFolder(join(folder, "new/data"));
  expect(await modeOf(join(folder, "new/data"))).toBe("700");
});

test("stays as the operator made it", async () => {
  await chmod(folder, 0o750);
  await makeDataFolder(folder);
  expect(await modeOf(folder)).toBe("750");
});
