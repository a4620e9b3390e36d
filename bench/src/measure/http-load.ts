/** The load of HTTP benchmarks: keep-alive connections, each of which sends its next request on an answer. */
import { connect } from "node:net";

/** A server, and what it is asked. */
export interface Target {
  readonly port: number;
  /** The raw request of a turn. */
  readonly request: (turn: number) => string;
}

/** Its open connections. */
export interface HttpLoad {
  /**
   * Gets so many answers.
   * @param isAwake busy-waits meanwhile. Used when CPU is measured: waking a sleeping client costs the server CPU, and a slower
   *   server more often
   * @returns how long that took
   */
  run(answers: number, isAwake: boolean): Promise<number>;
  close(): void;
}

/** A raw request with a key; with a body it is a POST. */
export const requestOf = (path: string, key: string, body = "", headers = ""): string =>
  `${body === "" ? "GET" : "POST"} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${headers}` +
  `${body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`;

const HEAD_END = "\r\n\r\n";
/** A head is shorter than this; the rest of a chunk is only counted. */
const MOST_HEAD_BYTES = 4_096;
const LENGTH = /\r\ncontent-length: *(\d+)/i;
/** One is enough: each chunk is processed before the next is read. */
const BUFFER = Buffer.allocUnsafe(1024 * 1024);

const openConnection = (port: number, onAnswer: () => void, onFault: (error: Error) => void) => {
  let head = "";
  /** Of the body; null until the head is complete. */
  let missing: number | null = null;
  const take = (length: number): boolean => {
    let body = length;
    if (missing === null) {
      const before = head.length;
      head += BUFFER.toString("latin1", 0, Math.min(length, MOST_HEAD_BYTES));
      const end = head.indexOf(HEAD_END);
      if (end === -1) return true;
      const size = LENGTH.exec(head)?.[1];
      if (!head.startsWith("HTTP/1.1 200 ") || size === undefined) {
        onFault(new Error(`not an answer to count: ${head.slice(0, 500)}`));
        return true;
      }
      missing = Number(size);
      body = length - (end + HEAD_END.length - before);
    }
    missing -= body;
    if (missing > 0) return true;
    missing = null;
    head = "";
    onAnswer();
    return true;
  };
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer: BUFFER, callback: take } });
  return socket.on("error", onFault).on("close", () => onFault(new Error("the server closed a connection")));
};

/** Connects. */
export const openLoad = ({ port, request }: Target, connections: number): HttpLoad => {
  let turn = 0;
  let unasked = 0;
  let unanswered = 0;
  let finish: (error?: Error) => void = () => undefined;
  const sockets = Array.from({ length: connections }, () => {
    const ask = (): void => {
      if (unasked === 0) return;
      unasked -= 1;
      socket.write(request(turn++), "latin1");
    };
    const answered = (): void => {
      unanswered -= 1;
      if (unanswered === 0) finish();
      else ask();
    };
    const socket = openConnection(port, answered, (error) => finish(error));
    return { socket, ask };
  });
  return {
    run: async (answers, isAwake) => {
      const startedMs = performance.now();
      unasked = answers;
      unanswered = answers;
      await new Promise<void>((resolve, reject) => {
        finish = (error) => (error ? reject(error) : resolve());
        for (const { ask } of sockets) ask();
        const stayAwake = (): void => {
          if (unanswered > 0) setImmediate(stayAwake);
        };
        if (isAwake) stayAwake();
      });
      return performance.now() - startedMs;
    },
    close: () => {
      finish = () => undefined;
      for (const { socket } of sockets) socket.destroy();
    },
  };
};
