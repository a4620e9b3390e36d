/**
 * Reference: the steps between a timer and a WebSocket client and nothing else: a commit of one row, Redis if there is one,
 * `ws.send`.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { openStore } from "@assay/db";
import { createClient } from "@redis/client";
import { sql } from "drizzle-orm";
import { WebSocket, WebSocketServer } from "ws";

/** The engines it uses: the embedded database, and no Redis, where there is none. */
export interface BareEngines {
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
}

const PUSHES = 30;
const EVERY_MS = 100;
const CHANNEL = "assay-bench:bare-push";

/** A way for a text to reach `send`: a function call, or Redis. */
const openRelay = async (redisUrl: string | null, send: (text: string) => void) => {
  if (redisUrl === null) return { publish: send, close: () => undefined };
  const [publisher, subscriber] = [createClient({ url: redisUrl }), createClient({ url: redisUrl })];
  await Promise.all([publisher.connect(), subscriber.connect()]);
  await subscriber.subscribe(CHANNEL, send);
  return {
    publish: (text: string) => void publisher.publish(CHANNEL, text),
    close: () => [publisher, subscriber].forEach((client) => void client.destroy()),
  };
};

/**
 * Pushes a text on schedule.
 * @returns how late each push arrived, in milliseconds
 */
export const barePushes = async ({ databaseUrl, redisUrl }: BareEngines, text: string): Promise<number[]> => {
  const store = await openStore(databaseUrl === null ? { temporary: true } : { databaseUrl });
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on a port
  await once(client, "open");
  const relay = await openRelay(redisUrl, (received) => {
    for (const each of server.clients) each.send(received);
  });
  const nowMs = (): number => performance.timeOrigin + performance.now();
  const late: number[] = [];
  try {
    while (late.length < PUSHES) {
      const dueMs = (Math.floor(nowMs() / EVERY_MS) + 1) * EVERY_MS;
      await pause(Math.ceil(dueMs - nowMs()));
      await store.run((db) => db.execute(sql`update writer_fence set since = now()`));
      const arrived = once(client, "message");
      relay.publish(text);
      await arrived;
      late.push(nowMs() - dueMs);
    }
    return late;
  } finally {
    relay.close();
    client.terminate();
    server.close();
    await store.close();
  }
};
