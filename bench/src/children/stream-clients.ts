/** Many WebSocket clients in one process, on raw sockets: the server is measured, so they do as little as possible. */
import { connect, type Socket } from "node:net";
import { quantile } from "../measure/statistics.ts";
import { sharedNowMs } from "./broadcast.ts";
import { serve } from "./child.ts";

/** Where and how to connect. */
export interface ClientsSettings {
  readonly port: number;
  readonly path: string;
  readonly count: number;
  /** Text frames sent after the connection opens. */
  readonly hello: readonly string[];
  /** What the server sends once ticks are certain to follow; null when an open connection is enough. */
  readonly welcome: string | null;
}

/** The tick to wait for, counted from 0. */
export interface ClientsOrder {
  readonly tick: number;
}

/** When it arrived: percentiles over the clients, on the clock that all processes share. */
export interface ClientsReport {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One is enough: each chunk is processed before the next is read. */
const BUFFER = Buffer.allocUnsafe(256 * 1024);
/** What every tick contains exactly once, in any framing. */
const MARK = Buffer.from('"type":"tick"');
/** The protocol's empty ping, and the pong: a client that does not send one is dropped. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** Connections opened at a time. */
const AT_ONCE = 200;

/** A client text frame; a zero mask leaves the text unchanged. */
const maskedFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? [0x81, 0x80 | length] : [0x81, 0xfe, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(text)]);
};

const handshakeOf = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Reads what follows the handshake: counts ticks, and answers pings. */
const tickReader = (socket: Socket, onTick: () => void) => {
  /** The end of the previous chunk, which may contain the start of a mark. */
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    if (PING.equals(chunk.subarray(0, 2)) || PING.equals(chunk.subarray(-2))) socket.write(PONG);
    const seen = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let found = seen.indexOf(MARK); found !== -1; found = seen.indexOf(MARK, at)) {
      at = found + MARK.length;
      onTick();
    }
    rest = Buffer.from(seen.subarray(Math.max(at, seen.length - MARK.length + 1)));
  };
};

/** Connects one; resolves when it is welcome. */
const openClient = ({ port, path, hello, welcome }: ClientsSettings, onTick: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = "";
    let isOpen = false;
    let isWelcome = false;
    const callback = (length: number): boolean => {
      if (isWelcome) {
        read(BUFFER.subarray(0, length));
        return true;
      }
      said += BUFFER.toString("latin1", 0, length);
      if (!isOpen && said.includes("\r\n\r\n")) {
        if (!said.startsWith("HTTP/1.1 101 ")) reject(new Error(`refused: ${said.slice(0, 300)}`));
        isOpen = true;
        for (const text of hello) socket.write(maskedFrame(text));
      }
      isWelcome = isOpen && (welcome === null || said.includes(welcome));
      if (isWelcome) resolve();
      return true;
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer: BUFFER, callback } });
    const read = tickReader(socket, onTick);
    socket.on("error", reject);
    socket.write(handshakeOf(path));
  });

serve(async (settings: ClientsSettings) => {
  /** When each tick reached each client that has it. */
  const arrivals: number[][] = [];
  const waiting = new Map<number, () => void>();
  const arrive = (tick: number): void => {
    const times = arrivals[tick] ?? [];
    arrivals[tick] = times;
    times.push(sharedNowMs());
    if (times.length === settings.count) waiting.get(tick)?.();
  };
  const open = (): Promise<void> => {
    let ticks = 0;
    return openClient(settings, () => {
      arrive(ticks);
      ticks += 1;
    });
  };
  for (let opened = 0; opened < settings.count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, settings.count - opened) }, open));
  }
  const answer = async ({ tick }: ClientsOrder): Promise<ClientsReport> => {
    if (arrivals[tick]?.length !== settings.count) await new Promise<void>((resolve) => waiting.set(tick, resolve));
    const times = arrivals[tick] ?? [];
    arrivals[tick] = [];
    return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  };
  return { ready: {}, answer };
});
