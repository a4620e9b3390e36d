/** A disk that fills up while an archive is written, on a real file system of one megabyte. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ArchivesFailedError } from "./archive-store.ts";
import { archiveFile, fileArchives } from "./file-archives.ts";
import { factsOf, GOLD_2025 } from "./testing/archive-suite.ts";

const mounted = (() => {
  try {
    execFileSync("mount", ["--version"], { stdio: "ignore" });
    return process.getuid?.() === 0 && process.platform === "linux";
  } catch {
    return false;
  }
})();
let folder = "";
let isSmall = false;

beforeAll(async () => {
  if (!mounted) return;
  folder = await mkdtemp(join(tmpdir(), "assay-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    isSmall = true;
  } catch {
    console.info("skipped: this process may mount no small disk");
  }
});
afterAll(async () => {
  if (isSmall) execFileSync("umount", [folder]);
  if (folder !== "") await rm(folder, { recursive: true, force: true });
});

if (!mounted) console.info("skipped: only root on Linux mounts a small disk");

describe.skipIf(!mounted)("on a disk that fills up", { meta: { needs: "no leave to mount a small disk" } }, () => {
  test("an archive that does not fit leaves the previous one, and no partial file", async (context) => {
    if (!isSmall) return context.skip();
    const archives = fileArchives(folder);
    const before = Buffer.alloc(300_000, "a");
    await archives.put(GOLD_2025, before, factsOf(before));
    const large = Buffer.alloc(900_000, "b");
    await expect(archives.put(GOLD_2025, large, factsOf(large))).rejects.toThrow(
      new ArchivesFailedError("there is no space left for archives (ENOSPC)"),
    );
    expect((await readFile(archiveFile(folder, GOLD_2025))).equals(before)).toBe(true);
    expect(await readdir(dirname(archiveFile(folder, GOLD_2025)))).toEqual(["2025.csv"]);

    // The next run succeeds once there is space.
    const smaller = Buffer.alloc(600_000, "c");
    await archives.put(GOLD_2025, smaller, factsOf(smaller));
    expect((await readFile(archiveFile(folder, GOLD_2025))).equals(smaller)).toBe(true);
    await writeFile(join(folder, "room"), "is left");
  });
});
