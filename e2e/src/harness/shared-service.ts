/** One service on the simulated market for all read-only suites of a worker, each within its limits. */
import { readDemoKeys, type TierKeys, temporaryFolder } from "./files.ts";
import { type Service, startService } from "./service.ts";

/** The service, and a key of each tier. */
export interface SharedService {
  readonly service: Service;
  readonly keys: TierKeys;
}

const start = async (): Promise<SharedService> => {
  const folder = await temporaryFolder();
  const service = await startService({ DATA_DIR: folder.path, DISABLE: "download" });
  return { service, keys: await readDemoKeys(folder.path) };
};

let started: Promise<SharedService> | undefined;

/** Starts it on the first call; it ends with the worker. */
export const sharedService = (): Promise<SharedService> => {
  started ??= start();
  return started;
};
