/** The folder `DATA_DIR` names, and what is told when it cannot be used. */
import { mkdir } from "node:fs/promises";
import { SettingError } from "./setting-error.ts";

/** A data folder that cannot be used, as a wrong setting. */
export const dataDirFault = (dataDir: string, because: string): SettingError =>
  new SettingError({ variable: "DATA_DIR", value: dataDir, mayHold: "a folder to write in, on a disk with room", because });

/** What lies in it is the service's own: keys' hashes, secrets that sign links, archives. */
const PRIVATE = 0o700;

/**
 * Makes the data folder where there is none.
 * @throws SettingError when it cannot be made
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw dataDirFault(dataDir, error instanceof Error ? error.message : String(error));
  }
};
