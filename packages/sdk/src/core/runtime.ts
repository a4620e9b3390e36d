/** What the runtime says of itself, asked for without depending on any one of them. */
import { VERSION } from "./version.ts";

/** The globals looked at; each is there in some runtimes only. */
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

// No runtime declares all of them, and none of these types may be asked of a consumer.
const globals = globalThis as unknown as RuntimeGlobals;

/**
 * Reads a variable of the environment.
 * @param name its name
 * @returns undefined where it is unset or empty, may not be read, or the runtime has no environment
 */
export const readEnvironment = (name: string): string | undefined => {
  try {
    return globals.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined; // Deno asks for a permission
  }
};

/** Whether this is a web page, where visitors can read everything. */
export const isBrowser = (): boolean => globals.window !== undefined && globals.document !== undefined;

/** Whether this is Node itself, and none of those that pass for it. */
export const runsOnNode = (): boolean => {
  const { bun, deno, node } = globals.process?.versions ?? {};
  const isOther = bun !== undefined || deno !== undefined || globals.navigator?.userAgent === "Cloudflare-Workers";
  return node !== undefined && !isOther && !isBrowser();
};

/** Tells the service which client calls, and on what it runs: `assay-sdk/0.1.0 node/20.11.0`. */
export const userAgent = (): string => {
  const { bun, deno, node } = globals.process?.versions ?? {};
  const own = `assay-sdk/${VERSION}`;
  if (bun !== undefined) return `${own} bun/${bun}`;
  if (deno !== undefined) return `${own} deno/${deno}`;
  if (globals.navigator?.userAgent === "Cloudflare-Workers") return `${own} workers`;
  return node === undefined ? own : `${own} node/${node}`;
};

/**
 * A module the runtime brings along, asked for when it is needed, so that bundlers and browsers never meet its name.
 * @param name such as `node:fs/promises`
 * @returns undefined where the runtime has none of that name
 */
export const builtinModule = (name: string): unknown => globals.process?.getBuiltinModule?.(name);
