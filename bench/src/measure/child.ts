/** The parent's side of parts: starts, orders, measures and stops them. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { FromPart, PartName, ToPart } from "../parts.ts";
import { cpuMsOf } from "./process-figures.ts";

// This file's own extension: source and compiled code both work.
const ENTRY = fileURLToPath(new URL(`./part-process${extname(import.meta.url)}`, import.meta.url));

/** How long a part may take to start or to execute an order. */
const PATIENCE_MS = 120_000;

/** A running part. */
export interface Child<Ready, Order, Answer> {
  readonly ready: Ready;
  readonly pid: number;
  run(order: Order): Promise<Answer>;
  /** CPU it has used so far, in milliseconds. */
  cpuMs(): number;
  stop(): Promise<void>;
}

const running = new Set<ReturnType<typeof fork>>();

/** Kills all running parts at once, after an error. */
export const killParts = (): void => {
  for (const child of running) child.kill("SIGKILL");
};

/**
 * Starts a part.
 * @param name the part
 * @param settings its settings; plain data
 * @param host flags of its Node process, and the program that runs it if that is not Node
 */
export const startPart = async <Ready, Order = never, Answer = never>(
  name: PartName,
  settings: unknown,
  { nodeOptions = [], program = process.execPath }: { readonly nodeOptions?: readonly string[]; readonly program?: string } = {},
): Promise<Child<Ready, Order, Answer>> => {
  const child = fork(ENTRY, [name], {
    execPath: program,
    execArgv: [...nodeOptions],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));

  const ask = async (message: ToPart): Promise<unknown> => {
    const late = AbortSignal.timeout(PATIENCE_MS);
    const ended = new AbortController();
    const onExit = (): void => ended.abort(new Error(`${name} ended`));
    child.once("exit", onExit);
    try {
      const heard = once(child, "message", { signal: AbortSignal.any([late, ended.signal]) });
      child.send(message);
      const [said] = (await heard) as [FromPart]; // parts send nothing else
      if ("fault" in said) throw new Error(`${name}: ${said.fault}`);
      return "ready" in said ? said.ready : said.answer;
    } finally {
      child.off("exit", onExit);
    }
  };

  const ready = (await ask({ settings })) as Ready; // the part's reply, typed by its caller
  const pid = child.pid ?? 0;
  return {
    ready,
    pid,
    run: (order) => ask({ order }) as Promise<Answer>, // as above
    cpuMs: () => cpuMsOf(pid),
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
};
