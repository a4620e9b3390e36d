/** Receivers as an attacker writes them, each a server on a port of its own: none of them may keep a sender waiting. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import type { PostResult } from "../alerts/receiver.ts";

type SocketBehaviour = (socket: Socket) => void;

const HEAD = "HTTP/1.1 200 OK\r\n";

/** Runs after the request's first bytes. */
const afterRequest =
  (does: SocketBehaviour): SocketBehaviour =>
  (socket) =>
    void socket.once("data", () => does(socket));

const says = (text: string): SocketBehaviour => afterRequest((socket) => void socket.write(text));

/** Sends a piece every few milliseconds for as long as the other side listens. */
const drips =
  (first: string, piece: string): SocketBehaviour =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on("close", () => clearInterval(timer));
  };

const floods =
  (first: string, piece: string): SocketBehaviour =>
  (socket) => {
    const push = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", push);
    socket.write(first);
    push();
  };

interface Hostile {
  readonly does: SocketBehaviour;
  readonly result: NonNullable<PostResult>;
  /** Whether it answers, and the post ends only when its time is over. */
  readonly isCutOff?: true;
}

/** By what each does; with the result of a post to it, which is the status of an answer or the class of what came instead. */
export const HOSTILE: Readonly<Record<string, Hostile>> = {
  "switches to another protocol": {
    does: says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
    result: { httpStatus: 101 },
  },
  "switches to another protocol, and talks on in it": {
    does: afterRequest(
      floods("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "x".repeat(65_536)),
    ),
    result: { httpStatus: 101 },
  },
  "answers 101 without naming a protocol": {
    does: says("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
    result: { httpStatus: 101 },
  },
  "says 100 Continue without end": {
    does: afterRequest(drips("", "HTTP/1.1 100 Continue\r\n\r\n")),
    result: { fault: "timeout" },
  },
  "says 103 Early Hints without end": {
    does: afterRequest(drips("", "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n")),
    result: { fault: "timeout" },
  },
  "answers as a proxy that has opened a tunnel": {
    does: says(`HTTP/1.1 200 Connection established\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n`),
    result: { httpStatus: 200 },
    isCutOff: true,
  },
  "resets a connection as it comes": { does: (socket) => void socket.resetAndDestroy(), result: { fault: "closed" } },
  "resets it once the request came": { does: afterRequest((socket) => socket.resetAndDestroy()), result: { fault: "closed" } },
  "resets it within the body of its answer": {
    does: afterRequest((socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\na`, () => socket.resetAndDestroy())),
    result: { httpStatus: 200 },
  },
  "hangs up without a word": { does: afterRequest((socket) => void socket.end()), result: { fault: "closed" } },
  "hangs up within its head": { does: afterRequest((socket) => void socket.end(HEAD)), result: { fault: "closed" } },
  "reads nothing and says nothing": { does: (socket) => void socket.pause(), result: { fault: "timeout" } },
  "reads the request and says nothing": { does: (socket) => void socket.resume(), result: { fault: "timeout" } },
  "sends its head a line at a time": { does: drips(HEAD, "x-slow: 1\r\n"), result: { fault: "timeout" } },
  "sends a head of megabytes": { does: floods(HEAD, `x: ${"y".repeat(8_000)}\r\n`), result: { fault: "closed" } },
  "announces a body that never comes": {
    does: says(`${HEAD}Content-Length: 9\r\n\r\n`),
    result: { httpStatus: 200 },
    isCutOff: true,
  },
  "sends a body without end, a byte at a time": {
    does: afterRequest(drips(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n")),
    result: { httpStatus: 200 },
    isCutOff: true,
  },
  "sends a body without end, as fast as it can": {
    does: afterRequest(floods(`${HEAD}\r\n`, "a".repeat(65_536))),
    result: { httpStatus: 200 },
  },
  "breaks off a chunk in its middle": {
    does: says(`${HEAD}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`),
    result: { httpStatus: 200 },
  },
  "sends an answer nobody asked for after the first": {
    does: says(`${HEAD}Content-Length: 0\r\n\r\n${HEAD}Content-Length: 99\r\n\r\n`),
    result: { httpStatus: 200 },
  },
  "speaks another protocol": { does: says("SSH-2.0-OpenSSH_9.2\r\n"), result: { fault: "closed" } },
  "answers with a status that is none": { does: says("HTTP/1.1 99999 What\r\n\r\n"), result: { fault: "closed" } },
};

/** One of them, listening. */
export interface HostileReceiver {
  readonly url: string;
  readonly isReached: () => boolean;
  close(): void;
}

export const openHostile = async (does: SocketBehaviour): Promise<HostileReceiver> => {
  const sockets = new Set<Socket>();
  let isReached = false;
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    isReached = true;
    sockets.add(socket.on("error", () => undefined));
    does(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    isReached: () => isReached,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
