/** Listening on an address the settings name, and what is told when it cannot be had. */
import type { Server } from "node:net";

/** The settings whose port is listened on; each lies on the host of `HOST`. */
export type PortSetting = "PORT" | "METRICS_PORT";

/** An address that cannot be listened on. The message is one line that names the settings it comes from. */
class AddressError extends Error {
  override readonly name = "AddressError";

  constructor(setting: PortSetting, fault: Error) {
    const isTaken = "code" in fault && fault.code === "EADDRINUSE";
    super(`${setting} and HOST name an address that ${isTaken ? "is in use" : "cannot be listened on"}: ${fault.message}`);
  }
}

/**
 * Listens.
 * @param port 0 takes any free one
 * @throws AddressError when the address cannot be had
 */
export const listenAt = (server: Server, host: string, port: number, setting: PortSetting = "PORT"): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (fault: Error): void => reject(new AddressError(setting, fault));
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
