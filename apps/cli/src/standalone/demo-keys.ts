/** Demo keys, one per tier, for a service without real prices. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TIER_NAMES, type TierName } from "@assay/contract";
import { readKeyStandings, type Store } from "@assay/db";
import { machineRandom } from "@assay/ports";
import { createKey, hashKey } from "@assay/services";

export type DemoKeys = Record<TierName, string>;

const readKept = async (file: string): Promise<Partial<DemoKeys>> => {
  try {
    // Our own file; each key is looked up before it is used.
    return JSON.parse(await readFile(file, "utf8")) as Partial<DemoKeys>;
  } catch {
    return {};
  }
};

const mint = async (store: Store, tier: TierName, nowMs: number): Promise<string> =>
  (await createKey(store, { org: `demo ${tier}`, tier, name: "demo" }, nowMs, machineRandom)).plaintext;

/**
 * Loads the demo keys from their file and mints those that are missing or no longer valid.
 * @param dataDir the folder of `demo-keys.json`, which only its owner can read
 */
export const demoKeys = async (store: Store, dataDir: string, nowMs: number): Promise<DemoKeys> => {
  const file = join(dataDir, "demo-keys.json");
  const kept = await readKept(file);
  const standings = await readKeyStandings(store, Object.values(kept).map(hashKey));
  const isActive = (key: string): boolean => {
    const standing = standings.get(hashKey(key));
    return standing !== undefined && (standing.endMs === null || standing.endMs > nowMs);
  };
  const keys: Partial<DemoKeys> = {};
  let minted = false;
  for (const tier of TIER_NAMES) {
    const known = kept[tier];
    if (known !== undefined && isActive(known)) keys[tier] = known;
    else {
      keys[tier] = await mint(store, tier, nowMs);
      minted = true;
    }
  }
  if (minted) {
    const fresh = `${file}.${process.pid}`;
    await writeFile(fresh, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    await rename(fresh, file);
  }
  return keys as DemoKeys; // every tier was set above
};
