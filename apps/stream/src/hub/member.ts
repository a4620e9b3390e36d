/** A connection, as the hub knows it. */
import type { StreamName } from "@assay/contract";
import type { Entry } from "./entry.ts";
import type { Group } from "./group.ts";

/** What waits for a client whose socket is backed up: of each name the newest, and where its numbers began to be left out. */
export interface Pending {
  readonly fromSeq: number;
  readonly count: number;
  readonly newest: Entry;
}

/** The number a client named that has not come here yet. */
export interface Ahead {
  readonly seq: number;
  /** When it was named, by Assay's clock, epoch milliseconds. */
  readonly atMs: number;
}

/** A connection: nothing of what it is sent is its own, but for what is pending. */
export interface Member {
  /** The last flush it was given, or did not need. */
  flushed: number;
  /** Those who follow the same as it; null while it follows nothing. */
  group: Group | null;
  pending: Map<StreamName, Pending> | null;
  /** Names whose client is ahead of this process; null for none, which is nearly always so. */
  ahead: Map<StreamName, Ahead> | null;
  /** Whether nothing waits in its socket. */
  isIdle(): boolean;
  /** Writes bytes that are shared with others. */
  write(bytes: Buffer): void;
  /** Something had to be left for later. */
  onBlocked(): void;
}
