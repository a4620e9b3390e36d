/**
 * The child process of a benchmark: a server, a load generator or a task, controlled over the process channel.
 * `node part-process.js <name>` waits for its settings, reports when it is ready, then executes orders until the channel
 * closes.
 */
import type { FromPart, Part, ToPart } from "../parts.ts";
import { PARTS } from "../parts.ts";

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
        part = await start(message.settings as never); // each part gets the settings its own starter expects
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
