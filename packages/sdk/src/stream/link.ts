/** The interface of both transports to a connection: opened, reports events, closes. */
import type { ServerFrame } from "../generated/stream.ts";
import type { StreamName } from "./events.ts";
import type { Loss } from "./states.ts";

/** How a link ended. */
export type Ending =
  | { readonly name: "lost"; readonly loss: Loss }
  /** The service closed it cleanly without a reason, as it regularly does with feeds. */
  | { readonly name: "over" }
  /** Another attempt would fail in the same way. */
  | { readonly name: "refused"; readonly error: Error };

/** What is known once the service has accepted the key and the names. */
export interface Opened {
  readonly heartbeatMs: number;
  /** The service's clock, epoch milliseconds; null when it was not sent. */
  readonly serverMs: number | null;
}

/** Receives a link's events; nothing after `ended`. */
export interface LinkEvents {
  opened(opened: Opened): void;
  frame(frame: ServerFrame): void;
  ended(ending: Ending): void;
}

/** One attempt at a connection. It reports nothing after `close` or `drop`. */
export interface Link {
  /** The followed names have changed. */
  follow(): void;
  /** Closes it cleanly. */
  close(): void;
  /** Drops it at once, since it may be dead. */
  drop(): void;
}

/** Opens a link. Events are asynchronous, never before it returns. */
export type OpenLink = (events: LinkEvents) => Link;

/** The followed names, each with a mark that changes when it is followed again. */
export type Following = ReadonlyMap<StreamName, object>;
