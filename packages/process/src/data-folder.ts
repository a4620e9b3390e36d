/** The folder `DATA_DIR` names, and the error when it cannot be used. */
import { mkdir } from "node:fs/promises";
import { SettingError } from "@assay/config";

/** A data folder that cannot be used, reported as an invalid setting. */
export const dataDirFault = (dataDir: string, because: string): SettingError =>
  new SettingError({ variable: "DATA_DIR", value: dataDir, mayHold: "a writable folder on a disk with free space", because });

/** Private to the service: it holds key hashes, link-signing secrets and archives. */
const PRIVATE = 0o700;

/**
 * Creates the data folder if it is missing.
 * @throws SettingError when it cannot be created
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw dataDirFault(dataDir, error instanceof Error ? error.message : String(error));
  }
};
