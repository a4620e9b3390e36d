/** What both kinds of wire are to a connection: something that is opened, tells what comes, and ends. */
import type { ServerFrame } from "../generated/stream.ts";
import type { StreamName } from "./events.ts";
import type { Loss } from "./states.ts";

/** How a wire came to its end. */
export type Ending =
  | { readonly name: "lost"; readonly loss: Loss }
  /** The service ended it in good order and without a reason, as it does with feeds now and then. */
  | { readonly name: "over" }
  /** Another attempt would end the same way. */
  | { readonly name: "refused"; readonly error: Error };

/** What is said when the service has accepted the key and the names. */
export interface Opened {
  readonly heartbeatMs: number;
  /** The service's clock, epoch milliseconds; null where it was not told. */
  readonly serverMs: number | null;
}

/** Where a wire tells what happens; nothing after `ended`. */
export interface LinkEvents {
  opened(opened: Opened): void;
  frame(frame: ServerFrame): void;
  ended(ending: Ending): void;
}

/** One attempt at a wire. After `close` and `drop` it tells nothing more. */
export interface Link {
  /** What is followed has changed. */
  follow(): void;
  /** Ends it in good order. */
  close(): void;
  /** Leaves it at once, as it may be dead. */
  drop(): void;
}

/** Opens a wire. Events come later, never before it returns. */
export type OpenLink = (events: LinkEvents) => Link;

/** What is followed: each name with a mark that changes when it is followed anew. */
export type Following = ReadonlyMap<StreamName, object>;
