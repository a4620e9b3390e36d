/** Calls one after another on kept connections, and what they cost the service. */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Sent } from "../ours/largest-calls.ts";
import { quantile } from "./statistics.ts";

/** A status and the bytes of its body. */
export interface Answered {
  readonly status: number;
  readonly bytes: number;
  /** The beginning of the body. */
  readonly start: string;
}

/** Sends one request and reads its whole answer. */
export type Ask = (sent: Sent) => Promise<Answered>;

const START_CHARACTERS = 300;

let addresses = 0;

/** Another address at every call, as a trusted proxy names it: light routes count by it. */
const nextAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** A client with connections of its own. */
export const askerOf = (url: string, key: string | null): { readonly ask: Ask; close(): void } => {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const ask: Ask = ({ method, path, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${url}${path}`,
        { agent, method, headers: { ...headers, "X-Forwarded-For": nextAddress() } },
        (response) => {
          let bytes = 0;
          let start = "";
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
            if (start.length < START_CHARACTERS) start += chunk.toString("utf8", 0, START_CHARACTERS);
          });
          response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes, start }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  return { ask, close: () => agent.destroy() };
};

/** Makes one call after another for so long, and so many at least; returns how many they were. */
export const callFor = async (call: (turn: number) => Promise<unknown>, forMs: number, atLeast: number): Promise<number> => {
  const startedMs = performance.now();
  let turns = 0;
  while (turns < atLeast || performance.now() - startedMs < forMs) {
    await call(turns);
    turns += 1;
  }
  return turns;
};

/** How long a light request takes while others call: median and longest. */
export const besideCallers = async (
  call: (turn: number) => Promise<unknown>,
  light: () => Promise<unknown>,
  { callers, forMs }: { readonly callers: number; readonly forMs: number },
): Promise<{ readonly p50Ms: number; readonly mostMs: number }> => {
  const times: number[] = [];
  let isOver = false;
  const calling = Array.from({ length: callers }, async (_, caller) => {
    for (let turn = caller; !isOver; turn += callers) await call(turn);
  });
  const startedMs = performance.now();
  while (performance.now() - startedMs < forMs) {
    const sentMs = performance.now();
    await light();
    times.push(performance.now() - sentMs);
    await pause(5);
  }
  isOver = true;
  await Promise.all(calling);
  return { p50Ms: quantile(times, 0.5), mostMs: Math.max(...times) };
};
