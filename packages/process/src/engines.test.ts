/** What the operator reads when the store in the settings cannot be opened. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSettings } from "@assay/config";
import { silentLog } from "@assay/live";
import { fakeClock } from "@assay/ports/virtual";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEngines } from "./engines.ts";
import { Lifecycle } from "./lifecycle.ts";
import { makeDataFolder } from "./store.ts";

const SERVER = process.env.TEST_DATABASE_URL || undefined;
if (SERVER === undefined) console.info("a PostgreSQL server that refuses: skipped, because TEST_DATABASE_URL is not set");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-engines-"));
  writeFileSync(join(folder, "file"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

const opening = (env: Record<string, string>) =>
  openEngines(parseSettings(env), {
    clock: fakeClock(0),
    log: silentLog,
    lifecycle: new Lifecycle(() => {}),
  });

test("a data folder that cannot be made is reported with DATA_DIR", async () => {
  const dataDir = join(folder, "file", "data");
  const refusal = {
    name: "SettingError",
    message: expect.stringMatching(/^DATA_DIR is ".*" \(ENOTDIR: .*; expected a writable folder/),
  };
  await expect(makeDataFolder(dataDir)).rejects.toMatchObject(refusal);
  await expect(opening({ DATA_DIR: dataDir })).rejects.toMatchObject(refusal);
});

describe.skipIf(SERVER === undefined)(
  "a PostgreSQL server that refuses",
  { meta: { needs: "TEST_DATABASE_URL is not set" } },
  () => {
    const addressWith = (part: Partial<Pick<URL, "pathname" | "username">>): string =>
      Object.assign(new URL(SERVER ?? ""), { password: "hunter2", ...part }).href;

    test.each([
      ["a database it does not have", { pathname: "/assay_no_such_database" }],
      ["a user it does not have", { username: "assay_no_such_user" }],
    ])("is reported with DATABASE_URL, without the password: %s", async (_, part) => {
      const refusal = await opening({ DATABASE_URL: addressWith(part) }).catch((error: unknown) => String(error));
      expect(refusal).toMatch(/^SettingError: DATABASE_URL is "postgres:\/\/.* \(.*assay_no_such_.*\); expected a database/);
      expect(refusal).not.toContain("hunter2");
    });
  },
);
