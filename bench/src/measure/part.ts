/**
 * The child process of a benchmark: a server, a load generator or a piece of work, told over the process channel what to do.
 * `node part.js <name>` waits for its settings, says when it is ready, then answers orders until the channel closes.
 */
import { PARTS } from "../parts.ts";

/** A running part. */
export interface Part {
  /** What the parent hears when it is ready. */
  readonly ready: unknown;
  /** Does what is ordered; a part without it only serves. */
  readonly run?: (order: never) => unknown;
  readonly close?: () => Promise<void>;
}

/** Starts a part with its settings. */
export type StartPart = (settings: never) => Part | Promise<Part>;

/** What the parent sends. */
export type ToPart = { readonly settings: unknown } | { readonly order: unknown };

/** What the part sends back. */
export type FromPart = { readonly ready: unknown } | { readonly answer: unknown } | { readonly fault: string };

const say = (message: FromPart): void => {
  process.send?.(message);
};

const fault = (error: unknown): void => say({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });

const serve = async (name: string): Promise<void> => {
  const load = PARTS[name];
  if (!load) throw new Error(`there is no part ${JSON.stringify(name)}`);
  const start = await load();
  let part: Part | undefined;
  process.on("message", async (message: ToPart) => {
    try {
      if ("settings" in message) {
        part = await start(message.settings as never); // each part reads the settings its own starter is given
        say({ ready: part.ready });
      } else say({ answer: await part?.run?.(message.order as never) }); // as above
    } catch (error) {
      fault(error);
    }
  });
  process.once("disconnect", () => {
    Promise.resolve(part?.close?.()).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
};

if (process.send) serve(process.argv[2] ?? "").catch(fault);
