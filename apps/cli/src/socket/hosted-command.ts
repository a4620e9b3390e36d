/** A command that a running service runs for another process: what it has for it. */
import type { Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import type { Output } from "../output.ts";

export interface ServiceParts {
  readonly dataDir: string;
  readonly store: Store;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Log;
}

/** A command that a running service runs for another process. */
export interface HostedCommand extends Pick<ServiceParts, "store" | "live" | "clock"> {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  /** Where the files it was sent are. */
  readonly places: readonly string[];
  readonly output: Output;
  /** Aborts, with an ImportError, when the other process hangs up or the service shuts down. */
  readonly signal: AbortSignal;
}
