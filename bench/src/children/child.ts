/** Processes beside the benchmark's own, so that the CPU of each is counted apart: both ends of the channel to them. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Longer than any of them takes to start or to execute an order. */
const PATIENCE_MS = 120_000;

/** The modules of this folder that run so. */
export type ChildName = "assay" | "http-server" | "stream-clients" | "ws-loop";

/** A running one. */
export interface Child<Ready, Order = never, Answer = never> {
  readonly ready: Ready;
  readonly pid: number;
  ask(order: Order): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts one.
 * @param settings plain data, as orders and answers are
 * @param flags of its Node process
 */
export const startChild = async <Ready, Order = never, Answer = never>(
  name: ChildName,
  settings: object,
  flags: readonly string[] = [],
): Promise<Child<Ready, Order, Answer>> => {
  const child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), { execArgv: [...flags] });
  const ended = new AbortController();
  child.once("exit", () => ended.abort());
  const ask = async (message: object): Promise<unknown> => {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const answered = once(child, "message", { signal });
    child.send(message);
    const [answer] = await answered.catch((error: unknown) => {
      throw new Error(`${name} ended, or did not answer`, { cause: error });
    });
    return answer;
  };
  return {
    ready: (await ask(settings)) as Ready, // what its module answers
    pid: child.pid ?? 0,
    ask: (order) => ask({ order }) as Promise<Answer>, // as above
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
};

/** What a module has opened. */
interface Opened {
  /** Sent to the benchmark. */
  readonly ready: object;
  /** Executes an order; a module without it only serves. */
  readonly answer?: (order: never) => Promise<object>;
}

/** Runs a module of this folder: opens with the settings, then executes orders until the benchmark stops it or ends. */
export const serve = <Settings>(open: (settings: Settings) => Promise<Opened>): void => {
  process.once("disconnect", () => process.exit());
  process.once("message", async (settings: Settings) => {
    const { ready, answer } = await open(settings);
    process.on("message", async ({ order }: { order: never }) => process.send?.((await answer?.(order)) ?? {}));
    process.send?.(ready);
  });
};
