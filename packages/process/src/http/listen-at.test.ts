/** What the operator reads when an address cannot be listened on. */
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenAt } from "./listen-at.ts";

const squatter = createServer();
beforeAll(() => listenAt(squatter, "127.0.0.1", 0));
afterAll(() => void squatter.close());

test.each(["PORT", "METRICS_PORT"] as const)("an address in use is reported with %s", async (setting) => {
  const { port } = squatter.address() as AddressInfo; // it listens on a port, not a pipe
  await expect(listenAt(createServer(), "127.0.0.1", port, setting)).rejects.toMatchObject({
    name: "AddressError",
    message: `${setting} and HOST name an address that is in use: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  });
});

test("an address of another machine is reported with HOST", async () => {
  // An address reserved for documentation, which no machine has.
  await expect(listenAt(createServer(), "192.0.2.1", 0)).rejects.toThrow(
    /^PORT and HOST name an address that cannot be listened on: /,
  );
});
