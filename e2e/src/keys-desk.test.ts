/** `assay keys`: on the embedded database while no service runs on it, and on PostgreSQL; `running-service.test.ts` has the rest. */
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { createDatabase, DATABASE_SERVER, type OwnDatabase } from "./harness/servers.ts";
import { KEYS, mintKey, runEntry, type Service, type Settings, startService } from "./harness/service.ts";

interface Listed {
  readonly id: string;
  readonly key_prefix: string;
  readonly revoked_at: string | null;
}

const desk = (settings: Settings, ...args: string[]) => runEntry(KEYS, settings, args);
const list = async (settings: Settings): Promise<Listed[]> => JSON.parse((await desk(settings, "list")).stdout);
const statusOf = async (service: Service, key: string): Promise<number> =>
  (await ask(service.url, "/v1/spot/gold", { key })).status;
const pastPrice = (): string => at(Date.now() - 20 * 60_000, gold("replay-a", "4000.00"));

describe("the key desk on an embedded database that no service has open", () => {
  let folder: Folder;
  let settings: Settings;
  let service: Service | undefined;
  beforeAll(async () => {
    folder = await temporaryFolder();
    settings = { DATA_DIR: folder.path, FEEDS: await replayFile(folder, [pastPrice()]) };
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("mints, lists and revokes while the service is stopped; what it minted works at the next start, what it revoked does not", async () => {
    const kept = await mintKey(settings, "pro", "Kept Ltd");
    const ended = await mintKey(settings, "basic", "Ended Ltd");
    const before = await list(settings);
    expect(before.map(({ id }) => id).toSorted()).toEqual([kept.id, ended.id].toSorted());
    expect(before.find(({ id }) => id === kept.id)).toMatchObject({ key_prefix: kept.plaintext.slice(0, 16), revoked_at: null });
    // A key is shown once, when it is minted.
    expect(JSON.stringify(before)).not.toContain(kept.plaintext);

    const revoked = await desk(settings, "revoke", ended.id);
    expect(revoked.code).toBe(0);
    expect(JSON.parse(revoked.stdout)).toMatchObject({ id: ended.id });
    expect((await list(settings)).find(({ id }) => id === ended.id)?.revoked_at).not.toBeNull();

    service = await startService(settings);
    expect([await statusOf(service, kept.plaintext), await statusOf(service, ended.plaintext)]).toEqual([200, 401]);
    expect((await read(service.url, contract.account.usage, {}, { key: kept.plaintext })).tier).toBe("pro");
  });

  it("is free again as soon as the service has ended", async () => {
    await service?.stop();
    expect(await list(settings)).toHaveLength(2 + 5);
  });
});

if (DATABASE_SERVER === undefined) console.info("the key desk on PostgreSQL: skipped, because TEST_DATABASE_URL is not set");

describe.skipIf(DATABASE_SERVER === undefined)(
  "the key desk on PostgreSQL",
  { meta: { needs: "TEST_DATABASE_URL is not set" } },
  () => {
    let folder: Folder;
    let database: OwnDatabase;
    let settings: Settings;
    let service: Service;
    beforeAll(async () => {
      folder = await temporaryFolder();
      database = await createDatabase();
      // Without Redis the service gets no notification: it must detect the change itself.
      settings = { DATA_DIR: folder.path, DATABASE_URL: database.url, FEEDS: await replayFile(folder, [pastPrice()]) };
      service = await startService(settings);
    });
    afterAll(async () => {
      await service?.stop("SIGKILL");
      await database?.drop();
      await folder.remove();
    });

    it("mints a key that works on a running service at once; its new tier and its revocation come into force by themselves", async () => {
      const { id, plaintext } = await mintKey(settings, "pro", "Running Ltd");
      expect(await statusOf(service, plaintext)).toBe(200);
      expect((await desk(settings, "tier", "Running Ltd", "free")).code).toBe(0);
      await eventually(
        "the new tier is in force",
        () => read(service.url, contract.account.usage, {}, { key: plaintext }),
        ({ tier }) => tier === "free",
        // Within the new tier's 30 calls a minute.
        { everyMs: 2_500 },
      );
      const revoked = await desk(settings, "revoke", id);
      expect(revoked.code).toBe(0);
      await eventually(
        "the revoked key is refused",
        () => statusOf(service, plaintext),
        (status) => status === 401,
        { everyMs: 2_500 },
      );
      // Permanently.
      expect(await statusOf(service, plaintext)).toBe(401);
    });
  },
);
