/** `assay keys`, for tests. */
import { type KeyMintResponse, keyMintResponse, type TierName } from "@assay/contract";
import { KEYS, runEntry, type Settings } from "./service.ts";

/** Mints a key. @throws Error with the command's output when it fails */
export const mintKey = async (settings: Settings, tier: TierName, org = `e2e ${tier}`): Promise<KeyMintResponse> => {
  const { code, stdout, stderr } = await runEntry(KEYS, settings, ["create", "--org", org, "--tier", tier]);
  if (code !== 0) throw new Error(`the key desk ended with ${code}: ${stderr}`);
  return keyMintResponse.parse(JSON.parse(stdout));
};
