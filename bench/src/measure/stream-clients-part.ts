/** Many streaming clients in one process, on raw sockets: the server is measured, so they do as little as possible. */
import { connect, type Socket } from "node:net";
import { quantile } from "./statistics.ts";

/** Where and how to connect. */
export interface ClientsSettings {
  readonly port: number;
  readonly kind: "ws" | "sse";
  readonly path: string;
  readonly count: number;
  /** Request headers, in addition to those of the handshake. */
  readonly headers: readonly string[];
  /** Text frames sent after the connection opens. */
  readonly hello: readonly string[];
  /** What the server sends once ticks are certain to follow; null when an open connection is enough. */
  readonly welcome: string | null;
}

/**
 * What to wait for: answered once all clients are watching, so that nothing is published too early. `report` then waits for it.
 */
export interface ClientsOrder {
  /** Ticks per client. */
  readonly ticks: number;
  /** Ticks published at a time. */
  readonly perFlush: number;
}

/** The result of a wait. */
export interface ClientsReport {
  /** For each flush, the 50th and 99th percentile over clients of its last tick's arrival, on the clock all processes share. */
  readonly arrivals: readonly { readonly p50Ms: number; readonly p99Ms: number }[];
}

const BUFFER = Buffer.allocUnsafe(256 * 1024);
/** What every tick contains exactly once, in any framing. */
const MARK = Buffer.from('"type":"tick"');
/** The protocol's empty ping, and the pong: a client that does not send one is dropped. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** Connections from one address of this machine, which has fewer ports than some runs have clients. */
const PER_ADDRESS = 20_000;
/** Connections opened at a time. */
const AT_ONCE = 200;

/** Milliseconds on a clock that all processes of a machine share. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Run {
  readonly order: ClientsOrder;
  readonly times: Float64Array[];
  left: number;
  readonly done: () => void;
}

/** A client text frame; a zero mask leaves the text unchanged. */
const maskedFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  const head =
    length < 126
      ? Buffer.from([0x81, 0x80 | length, 0, 0, 0, 0])
      : Buffer.from([0x81, 0xfe, length >> 8, length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.from(text)]);
};

class Client {
  readonly #socket: Socket;
  /** The end of the previous chunk, which may contain the start of a mark. */
  #rest: Buffer = Buffer.alloc(0);
  #ticks = 0;
  #expected = 0;
  #run: Run | undefined;
  readonly #index: number;

  constructor(settings: ClientsSettings, index: number, opened: () => void, failed: (error: Error) => void) {
    this.#index = index;
    let head: string | null = "";
    let said = "";
    let isWelcome = false;
    const onread = {
      buffer: BUFFER,
      callback: (length: number): boolean => {
        if (head !== null) {
          head += BUFFER.toString("latin1", 0, length);
          if (!head.includes("\r\n\r\n")) return true;
          const status = head.slice(9, 12);
          if (status !== "101" && status !== "200") failed(new Error(`refused: ${head.slice(0, 300)}`));
          // Ticks may follow in the same chunk.
          said = head.slice(head.indexOf("\r\n\r\n"));
          head = null;
          for (const text of settings.hello) this.#socket.write(maskedFrame(text));
        } else if (isWelcome) {
          this.#read(length);
          return true;
        } else said += BUFFER.toString("latin1", 0, length);
        isWelcome = settings.welcome === null || said.includes(settings.welcome);
        if (isWelcome) opened();
        return true;
      },
    };
    // Without an address the system picks a port that is free towards this server; with one it may pick a port still in use.
    const block = Math.trunc(index / PER_ADDRESS);
    const from = block === 0 ? {} : { localAddress: `127.0.0.${1 + block}` };
    this.#socket = connect({ port: settings.port, host: "127.0.0.1", ...from, noDelay: true, onread });
    this.#socket.on("error", failed);
    const handshake =
      settings.kind === "ws"
        ? [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          ]
        : ["Accept: text/event-stream"];
    const lines = [`GET ${settings.path} HTTP/1.1`, "Host: 127.0.0.1", ...handshake, ...settings.headers];
    this.#socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  }

  expect(run: Run): void {
    this.#run = run;
    this.#ticks = 0;
    this.#expected = run.order.ticks;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(length: number): void {
    const fresh = BUFFER.subarray(0, length);
    if (PING.equals(fresh.subarray(0, 2)) || PING.equals(fresh.subarray(-2))) this.#socket.write(PONG);
    const seen = this.#rest.length === 0 ? fresh : Buffer.concat([this.#rest, fresh]);
    let at = 0;
    for (let found = seen.indexOf(MARK); found !== -1; found = seen.indexOf(MARK, at)) {
      at = found + MARK.length;
      this.#tick();
    }
    const keep = Math.max(at, seen.length - MARK.length + 1);
    this.#rest = keep >= seen.length ? Buffer.alloc(0) : Buffer.from(seen.subarray(keep));
  }

  #tick(): void {
    const run = this.#run;
    if (!run) return;
    this.#ticks += 1;
    if (this.#ticks % run.order.perFlush === 0) {
      const times = run.times[this.#ticks / run.order.perFlush - 1];
      if (times) times[this.#index] = sharedNowMs();
    }
    if (this.#ticks !== this.#expected) return;
    this.#run = undefined;
    run.left -= 1;
    if (run.left === 0) run.done();
  }
}

const openAll = async (settings: ClientsSettings): Promise<Client[]> => {
  const clients: Client[] = [];
  while (clients.length < settings.count) {
    const batch = Math.min(AT_ONCE, settings.count - clients.length);
    await new Promise<void>((resolve, reject) => {
      let left = batch;
      const opened = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      for (let index = 0; index < batch; index += 1) clients.push(new Client(settings, clients.length, opened, reject));
    });
  }
  return clients;
};

/** Connects them all. */
export const start = async (settings: ClientsSettings) => {
  const clients = await openAll(settings);
  let report: Promise<ClientsReport> | null = null;
  const expect = (order: ClientsOrder): Promise<ClientsReport> =>
    new Promise((resolve) => {
      const times = Array.from({ length: order.ticks / order.perFlush }, () => new Float64Array(clients.length));
      const done = (): void =>
        resolve({ arrivals: times.map((arrived) => ({ p50Ms: quantile(arrived, 0.5), p99Ms: quantile(arrived, 0.99) })) });
      const run: Run = { order, times, left: clients.length, done };
      for (const client of clients) client.expect(run);
    });
  return {
    ready: null,
    run: async (order: ClientsOrder | "report"): Promise<ClientsReport | null> => {
      if (order === "report") return report;
      report = expect(order);
      return null;
    },
    close: async (): Promise<void> => {
      for (const client of clients) client.close();
    },
  };
};
