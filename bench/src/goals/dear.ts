/** P21: the dearest calls, against a spot price: CPU of each, and how long the event loop stands. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { DAY_MS } from "@assay/contract";
import type { Figure, Goal } from "../goal.ts";
import { openLoad, requestOf } from "../measure/http-load.ts";
import { cpuMsOf } from "../measure/process.ts";
import { withService } from "../measure/service.ts";

const GOAL_MS = 5;
const GOAL_STALL_MS = 20;
const CALLS = 100;
/** A call of less than a hundredth of the others needs more of them. */
const SPOT_CALLS = 5_000;
/** Until then the code every call runs through is being compiled. */
const WARM_UP = 50;

const nowMs = Date.now();
const daysAgo = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);
const overTrpc = (procedure: string, input: object): string =>
  `/trpc/${procedure}?${new URLSearchParams({ input: JSON.stringify(input) })}`;

const SPOT = "/v1/spot/XAU-USD-SPOT";
const DAYS = { symbol: "XAU-USD-SPOT", interval: "1d", from: "1996-01-01", to: daysAgo(0) };
const DAYS_QUERY = new URLSearchParams(DAYS).toString();
const RATIOS = `/v1/ratios?pair=gold-silver&from=1996-01-01&to=${daysAgo(0)}`;
const UDF = `/udf/history?symbol=XAU-USD-SPOT&from=0&to=${Math.floor(nowMs / 1_000)}`;

/** What is asked at a turn: never twice the same, so that no kept answer is measured. */
const CALLED: Readonly<Record<string, (rows: number, turn: number) => string>> = {
  "/v1/prices/history": (rows) => `/v1/prices/history?${DAYS_QUERY}&limit=${rows}`,
  "/v1/prices/history as CSV": (rows) => `/v1/prices/history?${DAYS_QUERY}&limit=${rows}&format=csv`,
  "/v1/prices/history over tRPC": (limit) => overTrpc("prices.history", { ...DAYS, limit }),
  "/udf/history of minutes": (rows) => `${UDF}&resolution=1&countback=${rows}`,
  "/udf/history of days": (rows) => `${UDF}&resolution=1D&countback=${rows}`,
  "/v1/bars": (rows) => `/v1/bars?${DAYS_QUERY}&limit=${rows}`,
  "/v1/bars as CSV": (rows) => `/v1/bars?${DAYS_QUERY}&limit=${rows}&format=csv`,
  "/v1/bars as beancount": (rows) => `/v1/bars?${DAYS_QUERY}&limit=${rows}&format=beancount`,
  "/v1/bars as ledger": (rows) => `/v1/bars?${DAYS_QUERY}&limit=${rows}&format=ledger`,
  "/v1/bars over tRPC": (limit) => overTrpc("bars.list", { ...DAYS, limit }),
  "/v1/ratios": (rows) => `${RATIOS}&limit=${rows}`,
  "/v1/ratios as CSV": (rows) => `${RATIOS}&limit=${rows}&format=csv`,
  "/v1/settlements of a year": (_, turn) => `/v1/settlements?symbol=GC&from=${daysAgo(364 + turn)}&to=${daysAgo(turn)}&limit=365`,
};

/** The metric is the time between two turns of a timer of this length. */
const TIMER_MS = 10;
const LONGEST_LAG = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? ([\d.e-]+)$/m;

/** The longest a process's event loop stood since this was last asked. */
const longestStallMs = async (metricsPort: string): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(LONGEST_LAG.exec(await answer.text())?.[1] ?? Number.NaN) * 1_000 - TIMER_MS;
};

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, "close");
  return String(port);
};

/** The goal of dear calls. */
export const dear: Goal = {
  id: "P21",
  what: "the largest answers of history, bars, ratios, settlements and charts",
  floor: "a spot price of the same service",
  run: async () => {
    const metricsPort = await freePort();
    return withService({ METRICS_PORT: metricsPort }, async ({ key, pid, port }) => {
      const costOf = async (pathAt: (turn: number) => string, calls: number) => {
        const load = openLoad({ port, request: (turn) => requestOf(pathAt(turn), key) }, 1);
        await load.run(WARM_UP, false);
        await longestStallMs(metricsPort);
        const beforeMs = cpuMsOf(pid);
        await load.run(calls, false);
        const cpuMs = (cpuMsOf(pid) - beforeMs) / calls;
        load.close();
        return { cpuMs, stallMs: await longestStallMs(metricsPort) };
      };
      const spot = await costOf(() => SPOT, SPOT_CALLS);
      const figures: Figure[] = [];
      for (const [name, pathOf] of Object.entries(CALLED)) {
        const { cpuMs, stallMs } = await costOf((turn) => pathOf(10_000 - turn, turn), CALLS);
        const raw = `${(cpuMs / spot.cpuMs).toFixed(0)} × spot's ${spot.cpuMs.toFixed(3)} ms`;
        figures.push(
          { what: `${name}, CPU of a call`, value: cpuMs, unit: "ms", bound: { atMost: GOAL_MS }, raw },
          { what: `${name}, the event loop stands`, value: stallMs, unit: "ms", bound: { atMost: GOAL_STALL_MS }, raw },
        );
      }
      return figures;
    });
  },
};
