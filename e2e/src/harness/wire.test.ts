/** The proxy itself: what it delays keeps its order, or a failure of a suite would be the proxy's own. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openWire } from "./wire.ts";

/** Parts of one answer. */
const PARTS = 4_000;

it("passes on delayed parts in the order they were sent in", async () => {
  const server = createServer(async (socket) => {
    socket.setNoDelay(true);
    for (let part = 0; part < PARTS; part += 1) {
      socket.write(`${part}\n`);
      // Parts are sent at all fractions of a millisecond.
      await (part % 16 === 0 ? pause(1) : new Promise(setImmediate));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const wire = await openWire(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, 0);
  try {
    wire.delay(20);
    const reader = connect(Number(new URL(wire.url).port), "127.0.0.1");
    let text = "";
    reader.setEncoding("latin1").on("data", (data) => {
      text += data;
      if (text.split("\n").length > PARTS) reader.destroy();
    });
    await once(reader, "close");
    expect(text).toBe(Array.from({ length: PARTS }, (_, part) => `${part}\n`).join(""));
  } finally {
    await wire.close();
    server.close();
  }
});
