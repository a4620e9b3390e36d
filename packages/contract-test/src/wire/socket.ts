/** The beginning of a WebSocket stream: admitted with a key, subscribed to a symbol, and the first ticks. */
import { WebSocket } from "ws";
import { fieldsOf, NotChecked } from "./exchange.ts";

/** How long it may take to begin, and how long is waited for the ticks after the first. */
const BEGINS_WITHIN_MS = 10_000;
const TICKS_WITHIN_MS = 6_000;

export interface Reading {
  /** Of the service; http or https. */
  readonly baseUrl: string;
  readonly path: string;
  readonly key: string;
  readonly symbol: string;
  /** How many, and the gaps between them. */
  readonly ticks: number;
}

const frameOf = (data: unknown): Readonly<Record<string, unknown>> => {
  try {
    return fieldsOf(JSON.parse(String(data)));
  } catch {
    return {};
  }
};

/**
 * Reads the first ticks of a symbol, fewer where no more come soon.
 * @throws NotChecked when there is no WebSocket, or it does not begin
 */
export const readTicks = ({ baseUrl, path, key, symbol, ticks: wanted }: Reading): Promise<Readonly<Record<string, unknown>>[]> =>
  new Promise((fulfil, reject) => {
    const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}${path}`);
    const ticks: Readonly<Record<string, unknown>>[] = [];
    const fail = (why: string): void => {
      clearTimeout(timer);
      socket.terminate();
      reject(new NotChecked(`the WebSocket ${why}`));
    };
    const end = (): void => {
      clearTimeout(timer);
      socket.terminate();
      fulfil(ticks);
    };
    let timer = setTimeout(() => fail(`did not begin within ${BEGINS_WITHIN_MS / 1_000} seconds`), BEGINS_WITHIN_MS);
    socket.on("error", ({ message }) => fail(`cannot be opened: ${message}`));
    socket.on("close", (code) => fail(`was closed with ${code}`));
    socket.on("open", () => socket.send(JSON.stringify({ action: "auth", api_key: key })));
    socket.on("message", (data) => {
      const frame = frameOf(data);
      if (frame.type === "welcome") socket.send(JSON.stringify({ action: "subscribe", symbols: [symbol] }));
      if (frame.type !== "tick" && frame.type !== "gap") return;
      if (ticks.length === 0) {
        clearTimeout(timer);
        timer = setTimeout(end, TICKS_WITHIN_MS);
      }
      ticks.push(frame);
      if (ticks.length === wanted) end();
    });
  });
