/** A full disk while the embedded database writes: one line, an exit, and a restart that continues from there. */
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { endOf, type Service, spawnCapped, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 240_000 });

/** Within the first file of the database's log, which is 32 768 blocks long in this database: reached while the history is generated. */
const DISK_BLOCKS = 24_000;
const END_WITHIN_MS = 60_000;

let folder: Folder;
let service: Service | undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder.remove();
});

it("ends the process with 1 and a line that names the folder and the error; with space again it starts and serves", async () => {
  const settings = { DATA_DIR: folder.path };
  // With log files of 16 MB, as in older installations: where they are shorter, tables reach this limit first, which ends nothing (`packages/db/src/open/pglite.test.ts` has those).
  await (await PGlite.create(join(folder.path, "db"))).close();
  const capped = spawnCapped(settings, DISK_BLOCKS);
  expect(await endOf(capped, END_WITHIN_MS)).toEqual({ code: 1, signal: null });
  expect(capped.stdout()).toBe("");
  const reported = capped
    .stderr()
    .split("\n")
    .filter((line) => line.includes("DATA_DIR"));
  expect(reported).toHaveLength(1);
  expect(JSON.parse(reported[0] ?? "").msg).toMatch(
    /^DATA_DIR is ".*" \(the embedded database has ended: could not write to .*: File too large\); expected a writable folder on a disk with free space$/,
  );
  expect(reported[0]).toContain(folder.path);

  service = await startService(settings);
  expect((await fetch(`${service.url}/v1/status`)).status).toBe(200);
});
