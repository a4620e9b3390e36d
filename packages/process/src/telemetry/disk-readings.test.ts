import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { openStore, type Store } from "@assay/db";
import { expect, onTestFinished, test } from "vitest";
import { databaseReadings, diskReadings } from "./disk-readings.ts";

test("the size of the database is read once a minute, however often it is scraped", async () => {
  const store = await openStore({ temporary: true });
  onTestFinished(() => store.close());
  let asked = 0;
  const run: Store["run"] = (work) => {
    asked += 1;
    return store.run(work);
  };
  let nowMs = 0;
  const read = databaseReadings({ ...store, run }, () => nowMs);
  const [size] = await read();
  expect(size).toMatchObject({ name: "assay_database_size_bytes", kind: "gauge" });
  expect(size && "value" in size && size.value).toBeGreaterThan(1_000_000);
  nowMs = 59_999;
  expect(await read()).toEqual([size]);
  expect(asked).toBe(1);
  nowMs = 60_000;
  await read();
  expect(asked).toBe(2);
});

test("the room on a disk is that of its file system, and nothing is said of a folder that is not there", async () => {
  const { blocks, bsize } = await statfs(tmpdir());
  const figures = await diskReadings(tmpdir())();
  expect(figures).toMatchObject([{ name: "assay_disk_free_bytes" }, { name: "assay_disk_size_bytes", value: blocks * bsize }]);
  await expect(diskReadings("/no/such/folder")()).rejects.toThrow("ENOENT");
});
