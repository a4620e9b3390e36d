/** Archives in a folder. */
import { mkdirSync, symlinkSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ArchivesFailedError } from "./archive-store.ts";
import { archiveFile, fileArchives } from "./file-archives.ts";
import { archiveSuite, factsOf, GOLD_2025 } from "./testing/archive-suite.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-archives-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a folder of archives", () => {
  archiveSuite(() => ({
    archives: fileArchives(join(folder, "made/later")),
    read: (name) => readFile(archiveFile(join(folder, "made/later"), name)),
  }));

  test("names its files as the wire does, and holds nothing but them", async () => {
    await fileArchives(folder).put(GOLD_2025, Buffer.from("a"), factsOf(Buffer.from("a")));
    expect(await readdir(folder, { recursive: true })).toEqual(["XAU-USD-SPOT", "XAU-USD-SPOT/1d", "XAU-USD-SPOT/1d/2025.csv"]);
  });

  test("is readable by its owner only, whether new or formerly open to others", async () => {
    const open = join(folder, "open");
    await mkdir(open, { mode: 0o755 });
    await chmod(open, 0o755);
    const bytes = Buffer.from("a");
    for (const directory of [join(folder, "made/later"), open]) {
      await fileArchives(directory).put(GOLD_2025, bytes, factsOf(bytes));
      const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
      expect(await modeOf(directory)).toBe("700");
      expect(await modeOf(join(directory, "XAU-USD-SPOT/1d"))).toBe("700");
      expect(await modeOf(archiveFile(directory, GOLD_2025))).toBe("600");
    }
  });

  test("removes what a killed writer left of the same archive, and of no other", async () => {
    const beside = join(folder, "XAU-USD-SPOT/1d");
    await mkdir(beside, { recursive: true });
    await writeFile(join(beside, ".2025.csv.0b5a.unfinished"), "half");
    await writeFile(join(beside, ".2025.parquet.0b5a.unfinished"), "half");
    await fileArchives(folder).put(GOLD_2025, Buffer.from("whole"), factsOf(Buffer.from("whole")));
    expect(await readdir(beside)).toEqual([".2025.parquet.0b5a.unfinished", "2025.csv"]);
  });

  test("fails with an error that names no path when its folder is a file", async () => {
    await writeFile(join(folder, "XAU-USD-SPOT"), "");
    const failing = fileArchives(folder).put(GOLD_2025, Buffer.from("a"), factsOf(Buffer.from("a")));
    await expect(failing).rejects.toThrow(ArchivesFailedError);
    await expect(failing).rejects.not.toThrow(folder);
  });

  test("does not mistake a folder for an archive, and distinguishes unreadable from missing", async () => {
    mkdirSync(archiveFile(folder, GOLD_2025), { recursive: true });
    expect(await fileArchives(folder).has(GOLD_2025)).toBe(false);
    await rm(archiveFile(folder, GOLD_2025), { recursive: true });
    symlinkSync("2025.csv", archiveFile(folder, GOLD_2025));
    await expect(fileArchives(folder).has(GOLD_2025)).rejects.toThrow(ArchivesFailedError);
    await chmod(folder, 0o700);
  });
});
