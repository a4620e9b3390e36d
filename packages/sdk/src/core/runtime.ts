/** What the client takes from its runtime, whichever it is: environment, built-in modules, clock and randomness. */

import { onAbort } from "./on-abort.ts";

/** The same as in package.json. */
export const VERSION = "0.1.0";

/** The globals read; each exists in some runtimes only. */
interface RuntimeGlobals {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: Readonly<Record<string, string | undefined>>;
    readonly getBuiltinModule?: (name: string) => unknown;
    readonly execPath?: string;
  };
  readonly navigator?: { readonly userAgent?: string };
  readonly window?: unknown;
  readonly document?: unknown;
}

// No runtime declares all of them, and consumers may lack these types.
const globals = globalThis as unknown as RuntimeGlobals;

/**
 * Reads an environment variable.
 * @param name its name
 * @returns undefined when it is unset, empty or not readable, or the runtime has no environment
 */
export const readEnvironment = (name: string): string | undefined => {
  try {
    return globals.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined; // Deno requires a permission
  }
};

/** Whether this is a web page, where visitors can read everything. */
export const isBrowser = (): boolean => globals.window !== undefined && globals.document !== undefined;

/** Whether this is Node itself, not a runtime that imitates it. */
export const runsOnNode = (): boolean => {
  const { bun, deno, node } = globals.process?.versions ?? {};
  const isOther = bun !== undefined || deno !== undefined || globals.navigator?.userAgent === "Cloudflare-Workers";
  return node !== undefined && !isOther && !isBrowser();
};

/** The User-Agent: client and runtime, such as `assay-sdk/0.1.0 node/20.11.0`. */
export const userAgent = (): string => {
  const { bun, deno, node } = globals.process?.versions ?? {};
  const own = `assay-sdk/${VERSION}`;
  if (bun !== undefined) return `${own} bun/${bun}`;
  if (deno !== undefined) return `${own} deno/${deno}`;
  if (globals.navigator?.userAgent === "Cloudflare-Workers") return `${own} workers`;
  return node === undefined ? own : `${own} node/${node}`;
};

/**
 * Loads a built-in module at run time, so that bundlers and browsers never see its name. Node before 20.16 imports it.
 * @param name such as `node:fs/promises`
 * @returns undefined when the runtime has no such module
 */
export const builtinModule = async (name: string): Promise<unknown> => {
  if (globals.process?.getBuiltinModule) return globals.process.getBuiltinModule(name);
  // Written out, an import of a variable name is refused by bundlers and by workerd.
  return runsOnNode() ? await new Function("name", "return import(name)")(name) : undefined;
};

/** A `require` for the built-in modules of Node. */
export const nodeRequire = async (): Promise<unknown> => {
  const { createRequire } = (await builtinModule("node:module")) as { createRequire(from?: string): unknown }; // as documented
  return createRequire(globals.process?.execPath);
};

/** Clock and randomness. */
export interface Clock {
  /** Now, epoch milliseconds. */
  readonly nowMs: () => number;
  /** A random number from 0 to 1, exclusive. */
  readonly random: () => number;
  /** Waits; rejects with the signal's reason as soon as it aborts. */
  readonly sleep: (waitMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A new random id. */
  readonly newId: () => string;
}

const sleep: Clock["sleep"] = (waitMs, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = onAbort(signal, () => {
      clearTimeout(timer);
      leave();
      reject(signal?.reason);
    });
    const timer = setTimeout(() => {
      leave();
      resolve();
    }, waitMs);
  });

/** The real implementation. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep,
  newId: () => crypto.randomUUID(),
};
