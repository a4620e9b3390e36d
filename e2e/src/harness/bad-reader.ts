/** Stream clients that read badly: not at all, or a byte a second. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { STREAM_PATH } from "@assay/contract";

/** A client text frame, masked with zeros. */
export const clientFrame = (json: string): Buffer => {
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
