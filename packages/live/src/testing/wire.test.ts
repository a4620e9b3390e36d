/** The proxy itself: what it delays keeps its order, or a failure of a suite would be the proxy's own. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openWire } from "./wire.ts";

const parts = Array.from({ length: 4_000 }, (_, part) => `${part}\n`);
const whole = parts.join("");

it("passes on delayed parts in the order they were sent in", async () => {
  const server = createServer(async (socket) => {
    socket.setNoDelay(true);
    for (const [index, part] of parts.entries()) {
      socket.write(part);
      // Parts are sent at all fractions of a millisecond.
      await (index % 16 === 0 ? pause(1) : new Promise(setImmediate));
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
      if (text.length >= whole.length) reader.destroy();
    });
    await once(reader, "close");
    expect(text).toBe(whole);
  } finally {
    await wire.close();
    server.close();
  }
});
