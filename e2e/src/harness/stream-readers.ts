/** Clients of streams: one that keeps every number it saw, many at once, and ones that read badly. */
import { once } from "node:events";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { STREAM_PATH } from "@assay/contract";
import { eventually } from "./eventually.ts";

export interface TickReader {
  readonly prices: ReadonlyMap<number, string>;
  /** Waits until so many numbers were seen. */
  until(count: number): Promise<void>;
  close(): void;
}

const GOLD = "XAU-USD-SPOT";

export const openTicks = async (url: string, key: string): Promise<TickReader> => {
  const prices = new Map<number, string>();
  let text = "";
  const request = get(`${url}/v1/prices/stream?symbol=${GOLD}`, { headers: { authorization: `Bearer ${key}` } }, (response) => {
    response.on("error", () => undefined);
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const end = text.lastIndexOf("\n\n");
      for (const [, seq, data = ""] of text.slice(0, end).matchAll(/^id: ?[^\n:]*:(\d+)\ndata: ?([^\n]*)/gm))
        prices.set(Number(seq), data);
      text = text.slice(end + 1);
    });
  });
  // Its end is the service's, which the test causes.
  request.on("error", () => undefined);
  return {
    prices,
    until: async (count) => {
      await eventually(
        `${count} numbers were seen`,
        () => prices.size,
        (size) => size >= count,
        { withinMs: 60_000 },
      );
    },
    close: () => {
      request.destroy();
    },
  };
};

const ANSWER_WITHIN_MS = 30_000;

interface OpenedPlaces {
  readonly open: number;
  close(): Promise<void>;
}

/**
 * Asks for streams at once, in turn at each process.
 * @throws Error when one is neither given nor refused for the number of them
 */
export const openPlaces = async (urls: readonly string[], key: string, count: number): Promise<OpenedPlaces> => {
  const asked = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const ending = new AbortController();
      const late = setTimeout(() => ending.abort(), ANSWER_WITHIN_MS);
      const response = await fetch(`${urls[at % urls.length]}/v1/prices/stream?symbol=gold`, {
        headers: { authorization: `Bearer ${key}` },
        signal: ending.signal,
      });
      clearTimeout(late);
      return { status: response.status, ending, response };
    }),
  );
  const strange = asked.filter(({ status }) => status !== 200 && status !== 429);
  if (strange.length > 0) throw new Error(`a stream was answered with ${strange[0]?.status}`);
  const given = asked.filter(({ status }) => status === 200);
  return {
    open: given.length,
    close: async () => {
      for (const { response, ending } of asked) {
        await response.body?.cancel().catch(() => undefined);
        ending.abort();
      }
    },
  };
};

/** A client text frame, masked with zeros. */
const clientFrame = (json: string): Buffer => {
  const payload = Buffer.from(json);
  const short = payload.length < 126;
  const head = short ? [0x81, 0x80 | payload.length] : [0x81, 0xfe, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), payload]);
};

/** Connects, subscribes, and then stops reading. */
export const openStalled = async (url: string, key: string, symbols: readonly string[]): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const head = [
    `GET ${STREAM_PATH} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  socket.write(clientFrame(JSON.stringify({ action: "auth", api_key: key })));
  socket.write(clientFrame(JSON.stringify({ action: "subscribe", symbols })));
  for (let text = ""; !text.includes('"subscribed"'); ) text += (await once(socket, "data"))[0];
  socket.pause();
  return socket;
};

/** Reads a byte a second from a paused socket, until it is closed. */
export const sip = (socket: Socket): void => {
  const timer = setInterval(() => socket.read(1), 1_000);
  socket.once("close", () => clearInterval(timer));
};
