import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SigningKeyPlace, signingKeyPlace } from "@assay/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listKeys, rotateKeys } from "./signing-keys.ts";

let dataDir: string;
let named: SigningKeyPlace;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "assay-signing-"));
  named = signingKeyPlace({ dataDir, signingKeyFile: join(dataDir, "shared.json") });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const modeOf = async ({ path }: SigningKeyPlace): Promise<number> => (await stat(path)).mode & 0o777;

describe("listing", () => {
  test("names no key of a service that has not made one, and makes none", async () => {
    const place = signingKeyPlace({ dataDir, signingKeyFile: undefined });
    expect(await listKeys(place)).toEqual({ file: join(dataDir, "signing-keys.json"), keys: [] });
    expect(await readdir(dataDir)).toEqual([]);
  });

  test("refuses a named file that is missing, with the setting's name", async () => {
    await expect(listKeys(named)).rejects.toThrow(/^SIGNING_KEY_FILE is .*ENOENT/);
  });
});

describe("rotating", () => {
  test("makes the first key in a file of its owner alone, then one that signs before the others", async () => {
    const [first] = (await rotateKeys(named)).keys;
    expect(await modeOf(named)).toBe(0o600);
    const { file, keys } = await rotateKeys(named);
    expect(file).toBe(named.path);
    expect(keys.map(({ signs }) => signs)).toEqual([true, false]);
    expect(keys[1]).toEqual({ ...first, signs: false });
    expect(await listKeys(named)).toEqual({ file, keys });
  });

  test("prints no private half, and leaves nothing beside the file", async () => {
    await rotateKeys(named);
    const listed = JSON.stringify(await rotateKeys(named));
    const secret = /"d": "([^"]+)"/.exec(await readFile(named.path, "utf8"))?.[1] ?? "";
    expect(secret).toHaveLength(43);
    expect(listed).not.toContain(secret);
    expect(await readdir(dataDir)).toEqual(["shared.json"]);
  });

  test("keeps the mode of a file that others read, and its owner", async () => {
    await rotateKeys(named);
    await chmod(named.path, 0o640);
    // Only the superuser can give a file away.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(named.path, 65_534, 65_534);
    const { uid, gid } = await stat(named.path);
    await rotateKeys(named);
    expect(await modeOf(named)).toBe(0o640);
    expect(await stat(named.path)).toMatchObject({ uid, gid });
  });

  test("refuses a file that is not one of keys, and leaves it alone", async () => {
    await writeFile(named.path, "precious");
    await expect(rotateKeys(named)).rejects.toThrow(/^SIGNING_KEY_FILE is .*it is not JSON/);
    expect(await readFile(named.path, "utf8")).toBe("precious");
  });
});
