import { chmod, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@assay/live";
import { newSigningKeys, rotatedSigningKeys } from "@assay/services";
import { fakeClock } from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openSigningKeys, replaceSigningKeyFile, type SigningKeyPlace, signingKeyPlace } from "./signing-key-file.ts";

let dataDir: string;
let place: SigningKeyPlace;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "assay-signing-"));
  place = signingKeyPlace({ dataDir, signingKeyFile: undefined });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (at = place, clock = fakeClock(0)) => openSigningKeys(at, { clock, log: silentLog, isOneOfMany: false });

describe("keys in the data folder", () => {
  test("are made when first needed, readable by the service's user only", async () => {
    const ring = await open();
    await expect(stat(place.path)).rejects.toThrow("ENOENT");
    const keys = await ring.current();
    expect((await stat(place.path)).mode & 0o777).toBe(0o600);
    expect((await (await open()).current()).kid).toBe(keys.kid);
  });

  test("are the same for processes that need them at the same moment", async () => {
    const rings = await Promise.all([open(), open(), open()]);
    const kids = await Promise.all([...rings, ...rings].map(async (ring) => (await ring.current()).kid));
    expect(new Set(kids).size).toBe(1);
  });

  test("that were rotated are picked up within seconds, without a restart", async () => {
    const clock = fakeClock(0);
    const ring = await open(place, clock);
    const { kid } = await ring.current();
    await replaceSigningKeyFile(place, await rotatedSigningKeys(await readFile(place.path, "utf8")));
    await utimes(place.path, 1, 1);
    expect((await ring.current()).kid, "not looked at on every receipt").toBe(kid);
    clock.advance(5_000);
    const { kid: next, publicKeys } = await ring.current();
    expect(next).not.toBe(kid);
    expect(publicKeys.map((key) => key.kid)).toEqual([next, kid]);
    expect((await stat(place.path)).mode & 0o777).toBe(0o600);
  });

  test("that break while the service runs are kept as last read", async () => {
    const clock = fakeClock(0);
    const ring = await open(place, clock);
    const { kid } = await ring.current();
    await writeFile(place.path, "broken");
    await utimes(place.path, 1, 1);
    clock.advance(5_000);
    expect((await ring.current()).kid).toBe(kid);
  });
});

describe("of several processes, one", () => {
  const warningsOf = async (at: SigningKeyPlace, isOneOfMany = true): Promise<readonly unknown[]> => {
    const warn = vi.fn();
    const ring = await openSigningKeys(at, { clock: fakeClock(0), log: { ...silentLog, warn }, isOneOfMany });
    await Promise.all([ring.current(), ring.current()]);
    return warn.mock.calls.map(([, message]) => message);
  };

  test("without a key for all says once, at the start, which setting it needs and the command that makes the file", async () => {
    expect(await warningsOf(place)).toEqual([expect.stringMatching(/^SIGNING_KEY_FILE is not set.*`assay signing-keys rotate`/)]);
    expect(await warningsOf(place), "also when its own key is there already").toHaveLength(1);
  });

  test("with a key for all says nothing, nor does one that is alone", async () => {
    const path = join(dataDir, "shared.json");
    await writeFile(path, await newSigningKeys());
    expect(await warningsOf(signingKeyPlace({ dataDir, signingKeyFile: path }))).toEqual([]);
    expect(await warningsOf(place, false)).toEqual([]);
  });
});

describe("keys that cannot be read stop the start, and name the setting", () => {
  test("in the data folder", async () => {
    await writeFile(place.path, "broken");
    await expect(open()).rejects.toThrow(/^DATA_DIR is .*signing-keys\.json: it is not JSON/);
  });

  test("in a named file that is missing, broken or readable by others", async () => {
    const path = join(dataDir, "keys.json");
    const named = signingKeyPlace({ dataDir, signingKeyFile: path });
    await expect(open(named)).rejects.toThrow(/^SIGNING_KEY_FILE is .*ENOENT/);
    await writeFile(path, '{"keys":[]}');
    await expect(open(named)).rejects.toThrow(/^SIGNING_KEY_FILE is .*not a JWK set/);
    await writeFile(path, await newSigningKeys());
    await expect((await open(named)).current()).resolves.toHaveProperty("kid");
    // The superuser reads everything.
    if (process.getuid?.() === 0) return;
    await chmod(path, 0o000);
    await expect(open(named)).rejects.toThrow(/^SIGNING_KEY_FILE is .*EACCES/);
  });
});
