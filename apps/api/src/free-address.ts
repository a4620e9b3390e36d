/** Checks that an address is free before long work that ends in listening on it. */
import { createServer } from "node:net";
import { listenAt, type PortSetting } from "@assay/process";

/**
 * Checks whether an address can be listened on, by doing so briefly.
 * @param port 0 is always free
 * @throws AddressError when it is unavailable
 */
export const requireFreeAddress = async (host: string, port: number, setting: PortSetting): Promise<void> => {
  const server = createServer();
  await listenAt(server, host, port, setting);
  await new Promise<void>((resolve) => server.close(() => resolve()));
};
