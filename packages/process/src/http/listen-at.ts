/** Listens on an address from the settings, and reports one that is unavailable. */
import type { Server } from "node:net";

/** The settings that name a port to listen on; each uses the host in `HOST`. */
export type PortSetting = "PORT" | "METRICS_PORT";

/** Connections the kernel queues until they are accepted. With Node's 511 a burst of reconnecting clients overflows it. */
const BACKLOG = 4_096;

/** An address that cannot be listened on. The message is one line naming the settings it comes from. */
class AddressError extends Error {
  override readonly name = "AddressError";

  constructor(setting: PortSetting, fault: Error) {
    const isTaken = "code" in fault && fault.code === "EADDRINUSE";
    super(`${setting} and HOST name an address that ${isTaken ? "is in use" : "cannot be listened on"}: ${fault.message}`);
  }
}

/**
 * Listens.
 * @param port 0 picks any free port
 * @throws AddressError when the address is unavailable
 */
export const listenAt = (server: Server, host: string, port: number, setting: PortSetting = "PORT"): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (fault: Error): void => reject(new AddressError(setting, fault));
    server.once("error", refuse);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", refuse);
      resolve();
    });
  });
