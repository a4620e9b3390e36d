/** Runs of the contract test on a service whose tiers allow as many requests as it takes. */
import { join } from "node:path";
import { TIER_NAMES } from "@assay/contract";
import type { GivenKey, Report, RunOptions } from "@assay/contract-test";
import type { Folder, TierKeys } from "./files.ts";
import { type Service, startService } from "./service.ts";

/** Of what is chosen at random. */
export const SEED = 4711;

const OFTEN = { rate_limit_per_minute: 1_000_000, monthly_quota: 10_000_000 };
const TIERS = {
  ...Object.fromEntries(TIER_NAMES.map((tier) => [tier, OFTEN])),
  keyless: { per_minute: 1_000_000, per_hour: 1_000_000 },
};

/** Starts the service; every proxy in front of it has an address of its own. */
export const startGenerous = async (folder: Folder): Promise<Service> => {
  const tiers = await folder.write("tiers.json", JSON.stringify(TIERS));
  return startService({ DATA_DIR: join(folder.path, "data"), TIERS_FILE: tiers, TRUST_PROXY: "127.0.0.1", DISABLE: "" });
};

export const given = (keys: TierKeys, ...tiers: (keyof TierKeys)[]): GivenKey[] =>
  tiers.map((tier) => ({ tier, key: keys[tier] }));

/** A run of some routes, repeatable. */
export const options = (baseUrl: string, only: readonly string[] | string, tiers: readonly GivenKey[]): RunOptions => ({
  baseUrl,
  keys: tiers,
  seed: SEED,
  runs: 5,
  only: [only].flat(),
  maxWaitMs: 90_000,
  allowKeyRotation: false,
});

/** What failed, as `group: title`. */
export const failed = ({ results }: Report): string[] =>
  results.filter(({ status }) => status === "failed").map(({ group, title }) => `${group}: ${title}`);
