/** Receipts of several API processes: with one key each verifies with the keys any of them publishes, also over a rotation. */
import { spawnSync } from "node:child_process";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ReceiptKeys, verifyReceipt } from "@assay/sdk/receipts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "./harness/cluster.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { API, ASSAY, type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });
sayWhySkipped("receipts of several API processes");

const get = async ({ url }: Service, path: string): Promise<string> => {
  const answer = await fetch(`${url}${path}`);
  expect(answer.status, path).toBe(200);
  return answer.text();
};
const receiptOf = (api: Service): Promise<string> => get(api, "/v1/spot/gold?format=jws");
const keysOf = async (api: Service): Promise<ReceiptKeys> => JSON.parse(await get(api, "/.well-known/jwks.json")) as ReceiptKeys; // the contract's own
const signingKid = async (api: Service): Promise<string | undefined> => (await keysOf(api)).keys[0]?.kid;
const verified = async (receipt: string, by: Service) => verifyReceipt(receipt, { jwks: await keysOf(by) });

const rotate = (file: string): string => {
  const env = { PATH: process.env.PATH ?? "", SIGNING_KEY_FILE: file };
  const { stdout, stderr, status } = spawnSync(process.execPath, [ASSAY, "signing-keys", "rotate"], { env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return (JSON.parse(stdout) as { keys: [{ kid: string }] }).keys[0].kid; // the command's own
};

describe.skipIf(!hasServers)(
  "receipts of several API processes",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } },
  () => {
    let folder: Folder;
    let cluster: Cluster;
    let file: string;
    beforeAll(async () => {
      folder = await temporaryFolder();
      file = join(folder.path, "signing-keys.json");
      rotate(file);
      const FEEDS = await replayFile(folder, [at(Date.now() - 1_000, gold("replay-a", "4003.20"))]);
      cluster = await startCluster({ FEEDS, SIGNING_KEY_FILE: file }, {}, ["a"]);
    });
    afterAll(async () => {
      await cluster?.close();
      await folder?.remove();
    });

    it("with one file verify with the keys of either, before and after a rotation", async () => {
      const [one, other] = cluster.apis;
      const before = await Promise.all(cluster.apis.map(receiptOf));
      expect(new Set(before).size).toBe(2);
      for (const receipt of before)
        for (const api of cluster.apis) expect((await verified(receipt, api)).body).toMatchObject({ symbol: "XAU" });

      const kid = rotate(file);
      for (const api of cluster.apis) await expect.poll(() => signingKid(api), { timeout: 30_000 }).toBe(kid);
      expect(await keysOf(one)).toEqual(await keysOf(other));
      for (const receipt of [...before, ...(await Promise.all(cluster.apis.map(receiptOf)))])
        for (const api of cluster.apis) await verified(receipt, api);
      expect(await readdir(cluster.settings.DATA_DIR ?? "")).not.toContain("signing-keys.json");
    });

    it("with a copy each do not verify with the keys of a process that has not the new one yet; all earlier ones do", async () => {
      const [late] = cluster.apis;
      const copy = join(folder.path, "copy.json");
      await copyFile(file, copy);
      const early = await startService({ ...cluster.settings, SIGNING_KEY_FILE: copy }, API);
      try {
        expect(await keysOf(early)).toEqual(await keysOf(late));
        const before = await receiptOf(late);
        const kid = rotate(copy);
        await expect.poll(() => signingKid(early), { timeout: 30_000 }).toBe(kid);
        const after = await receiptOf(early);
        await verified(before, early);
        await verified(await receiptOf(late), early);
        await expect(verified(after, late)).rejects.toThrow("not in the set");

        await copyFile(copy, file);
        await expect.poll(() => signingKid(late), { timeout: 30_000 }).toBe(kid);
        for (const receipt of [before, after]) for (const api of [early, late]) await verified(receipt, api);
      } finally {
        await early.stop();
      }
    });

    it("are warned of by a process that was given no key", async () => {
      const alone = await startService({ ...cluster.settings, SIGNING_KEY_FILE: "", DATA_DIR: join(folder.path, "alone") }, API);
      try {
        await expect(verified(await receiptOf(alone), cluster.apis[0])).rejects.toThrow("not in the set");
        expect(alone.stderr().match(/SIGNING_KEY_FILE is not set/g)).toHaveLength(1);
        for (const api of cluster.apis) expect(api.stderr()).not.toContain("SIGNING_KEY_FILE is not set");
      } finally {
        await alone.stop();
      }
    });

    it("do not start without the file they were given", async () => {
      const missing = join(folder.path, "missing.json");
      await expect(startService({ ...cluster.settings, SIGNING_KEY_FILE: missing }, API)).rejects.toThrow(
        /SIGNING_KEY_FILE is .*missing\.json/,
      );
    });
  },
);
