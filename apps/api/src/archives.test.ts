/** Downloads whose client goes away; one that stops reading is cut like every other connection. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveName, openArchives } from "@assay/archives";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestApp } from "./testing/start-test-app.ts";

const GOLD: ArchiveName = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2025, format: "csv" };
/** More than the socket buffers at both ends hold. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, "a\n");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-left-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The files of the folder that this process has open. */
const openFiles = async (): Promise<string[]> => {
  const descriptors = await readdir("/proc/self/fd");
  const paths = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => "")));
  return paths.filter((path) => path.startsWith(folder));
};

test("closes the file of a download whose client goes away in the middle of it", async (context) => {
  if (process.platform !== "linux") return context.skip("open files are listed on Linux alone");
  const archives = openArchives({ kind: "file", directory: folder });
  await archives.put(GOLD, LARGE, { rows: 1, sha256: createHash("sha256").update(LARGE).digest("hex") });
  const app = await startTestApp({ archives });
  const { key } = await app.key("pro");
  const { headers } = await app.ask("/v1/download?symbol=XAU&year=2025&fmt=csv", { key });
  const link = (headers.get("location") ?? "").slice(app.url.length);

  const socket = connect(app.port, "127.0.0.1", () => socket.write(`GET ${link} HTTP/1.1\r\nHost: a\r\n\r\n`));
  await once(socket, "readable");
  expect(await openFiles()).toHaveLength(1);
  socket.destroy();
  await expect.poll(openFiles).toEqual([]);
  await app.close();
});
