/** Requests a spot price repeatedly, through the SDK or by bare fetch, and reads every answer. */
import { Assay } from "@assay/sdk";

/** Its settings. */
export interface CallerSettings {
  readonly how: "sdk" | "fetch";
  readonly url: string;
  readonly key: string;
}

/** The number of calls. */
export interface CallerOrder {
  readonly count: number;
  /** Calls in flight at a time. */
  readonly atOnce: number;
}

/** The result. */
export interface CallerReport {
  readonly elapsedMs: number;
}

const SYMBOL = "XAU-USD-SPOT";

const callerOf = ({ how, url, key }: CallerSettings): (() => Promise<unknown>) => {
  if (how === "fetch") {
    const headers = { Authorization: `Bearer ${key}` };
    return async () => (await fetch(`${url}/v1/spot/${SYMBOL}`, { headers })).json();
  }
  const assay = new Assay({ apiKey: key, baseUrl: url });
  return () => assay.spot.get(SYMBOL);
};

/** Starts it. */
export const start = (settings: CallerSettings) => {
  const call = callerOf(settings);
  return {
    ready: null,
    run: async ({ count, atOnce }: CallerOrder): Promise<CallerReport> => {
      const startedMs = performance.now();
      let left = count;
      const caller = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await call();
        }
      };
      await Promise.all(Array.from({ length: atOnce }, caller));
      return { elapsedMs: performance.now() - startedMs };
    },
  };
};
