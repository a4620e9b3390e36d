/** Detects the runtime and reads its environment, without depending on any particular one. */
import { VERSION } from "./version.ts";

/** The globals read; each exists in some runtimes only. */
interface RuntimeGlobals {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: Readonly<Record<string, string | undefined>>;
    readonly getBuiltinModule?: (name: string) => unknown;
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
 * Loads a built-in module at run time, so that bundlers and browsers never see its name.
 * @param name such as `node:fs/promises`
 * @returns undefined when the runtime has no such module
 */
export const builtinModule = (name: string): unknown => globals.process?.getBuiltinModule?.(name);
