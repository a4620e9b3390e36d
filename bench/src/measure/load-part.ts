/** The load generator: keep-alive connections that send the next request on each answer, without pipelining. */
import { connect, type Socket } from "node:net";
import { quantile } from "./statistics.ts";

/** Its settings for a run. */
export interface LoadOrder {
  readonly port: number;
  /** The raw request. */
  readonly request: string;
  readonly connections: number;
  /** The number of answers to wait for. */
  readonly count: number;
  /**
   * Busy-waits during the run. Used when CPU is measured: waking a sleeping reader costs the server CPU, and a slower server
   * more often. Not used when throughput is measured, because it occupies a core.
   */
  readonly isBusy?: boolean;
}

/** The result. */
export interface LoadReport {
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bytes of response bodies. */
  readonly bytes: number;
}

const HEAD_END = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;
/** One buffer is enough: each chunk is processed before the next one is read. */
const BUFFER = Buffer.allocUnsafe(1024 * 1024);

/** A run in progress, shared by its connections. */
interface Run {
  readonly request: string;
  readonly latencies: Float64Array;
  asked: number;
  answered: number;
  bytes: number;
  finish(error?: Error): void;
}

/** One connection; at most one request is in flight on it. */
class Connection {
  readonly #socket: Socket;
  #run: Run | undefined;
  #head = "";
  #missing = -1;
  #askedAtMs = 0;
  closed = false;

  constructor(port: number) {
    const onread = {
      buffer: BUFFER,
      callback: (length: number): boolean => {
        this.#read(length);
        return true;
      },
    };
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true, onread });
    const end = (error?: Error): void => {
      this.closed = true;
      this.#run?.finish(error ?? new Error("the server closed a connection in the middle of an answer"));
    };
    this.#socket.on("error", end);
    this.#socket.on("close", () => end());
  }

  ask(run: Run): void {
    if (run.asked === run.latencies.length) {
      this.#run = undefined;
      return;
    }
    run.asked += 1;
    this.#run = run;
    this.#missing = -1;
    this.#head = "";
    this.#askedAtMs = performance.now();
    this.#socket.write(run.request, "latin1");
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(length: number): void {
    if (this.#missing === -1) {
      // A head is far shorter than this; the rest of a large chunk is only counted.
      const seen = Math.min(length, 4096);
      this.#head += BUFFER.toString("latin1", 0, seen);
      const end = this.#head.indexOf(HEAD_END);
      if (end === -1) return;
      const size = Number(LENGTH.exec(this.#head)?.[1] ?? Number.NaN);
      if (!this.#head.startsWith("HTTP/1.1 200 ") || Number.isNaN(size)) {
        this.#run?.finish(new Error(`not an answer to count: ${this.#head.slice(0, 500)}`));
        return;
      }
      this.#missing = size + end + HEAD_END.length - this.#head.length - (length - seen);
      if (this.#run) this.#run.bytes += size;
    } else this.#missing -= length;
    if (this.#missing === 0) this.#answered();
  }

  #answered(): void {
    const run = this.#run;
    if (!run) return;
    run.latencies[run.answered] = performance.now() - this.#askedAtMs;
    run.answered += 1;
    if (run.answered === run.latencies.length) run.finish();
    else this.ask(run);
  }
}

const pools = new Map<number, Connection[]>();

const connectionsTo = (port: number, count: number): Connection[] => {
  const pool = (pools.get(port) ?? []).filter((connection) => !connection.closed);
  while (pool.length < count) pool.push(new Connection(port));
  pools.set(port, pool);
  return pool.slice(0, count);
};

const load = async ({ port, request, connections, count, isBusy = false }: LoadOrder): Promise<LoadReport> => {
  const latencies = new Float64Array(count);
  const pool = connectionsTo(port, connections);
  const startedMs = performance.now();
  let bytes = 0;
  let isOver = false;
  await new Promise<void>((resolve, reject) => {
    const run: Run = {
      request,
      latencies,
      asked: 0,
      answered: 0,
      bytes: 0,
      finish: (error) => {
        bytes = run.bytes;
        isOver = true;
        if (error) reject(error);
        else resolve();
      },
    };
    for (const connection of pool) connection.ask(run);
    const stayAwake = (): void => {
      if (!isOver) setImmediate(stayAwake);
    };
    if (isBusy) stayAwake();
  });
  return {
    elapsedMs: performance.now() - startedMs,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    bytes,
  };
};

/** Starts the generator. */
export const start = () => ({
  ready: null,
  run: load,
  close: async (): Promise<void> => {
    for (const connection of [...pools.values()].flat()) connection.close();
  },
});
