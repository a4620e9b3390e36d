/** A reader of gold's SSE feed that keeps every number it saw, and what it stood for. */
import { get } from "node:http";
import { eventually } from "./eventually.ts";

/** A running reader. */
export interface TickReader {
  /** The price of each number seen. */
  readonly prices: ReadonlyMap<number, string>;
  /** Waits until so many numbers were seen. */
  until(count: number): Promise<void>;
  close(): void;
}

const GOLD = "XAU-USD-SPOT";

/** Opens a reader. */
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
