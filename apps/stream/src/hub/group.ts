/** The members of the hub, and their groups: connections that follow the same names over the same transport get one buffer. */
import type { StreamName } from "@assay/contract";
import type { Codec } from "./codec.ts";
import type { Entry } from "./entry.ts";

/** What is pending for a client with a full socket: the newest entry of each name, and the first number left out. */
export interface Pending {
  readonly fromSeq: number;
  readonly count: number;
  readonly newest: Entry;
}

/** The number a client named that has not arrived here yet. */
export interface Ahead {
  readonly seq: number;
  /** When it was named, by Assay's clock, epoch milliseconds. */
  readonly atMs: number;
}

/** A connection: everything sent to it is shared, except what is pending. */
export interface Member {
  /** The last flush it received or could skip. */
  flushed: number;
  /** Members that follow the same names; null while it follows nothing. */
  group: Group | null;
  pending: Map<StreamName, Pending> | null;
  /** Names for which the client is ahead of this process; usually null. */
  ahead: Map<StreamName, Ahead> | null;
  /** Whether its socket has drained. */
  isIdle(): boolean;
  /** Writes bytes shared with others. */
  write(bytes: Buffer): void;
  onBlocked(): void;
}

export interface Share {
  readonly flush: number;
  readonly entries: readonly Entry[];
  /** All entries as one buffer; null when there are none. */
  readonly bytes: Buffer | null;
}

export class Group {
  readonly key: string;
  readonly codec: Codec;
  readonly names: ReadonlySet<StreamName>;
  readonly members = new Set<Member>();
  /** The heartbeat of the current sweep, shared by all members that have drained. */
  heartbeat: { readonly atMs: number; readonly flush: number; readonly bytes: Buffer } | null = null;

  #share: Share | null = null;

  constructor(key: string, codec: Codec, names: ReadonlySet<StreamName>) {
    this.key = key;
    this.codec = codec;
    this.names = names;
  }

  /** Its part of a flush, encoded once. */
  shareOf(flush: number, entries: readonly Entry[]): Share {
    if (this.#share?.flush === flush) return this.#share;
    const picked = entries.filter(({ name }) => this.names.has(name));
    const [only, ...others] = picked.map((entry) => entry.encoded(this.codec));
    const bytes = only && others.length > 0 ? Buffer.concat([only, ...others]) : (only ?? null);
    this.#share = { flush, entries: picked, bytes };
    return this.#share;
  }
}

/** The key of a group: the same set in any order has the same key. */
export const groupKey = (codec: Codec, names: ReadonlySet<StreamName>): string => `${codec.kind} ${[...names].sort().join(" ")}`;

/** How far two machines' clocks may differ. */
const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * An entry for a member that has named its own last number.
 *
 * A named number was received before. An entry not above it but of a later time therefore belongs to another numbering.
 * @returns null for what the member already has; preceded by a gap of reason `reset` when the numbering restarted
 */
export const beyond = (member: Member, entry: Entry): Entry | null => {
  const ahead = member.ahead?.get(entry.name);
  if (!ahead) return entry;
  if (entry.seq <= ahead.seq && entry.atMs <= ahead.atMs + MAX_CLOCK_SKEW_MS) return null;
  member.ahead?.delete(entry.name);
  if (member.ahead?.size === 0) member.ahead = null;
  if (entry.seq <= ahead.seq) return entry.behind({ fromSeq: entry.seq, toSeq: ahead.seq, reason: "reset" });
  if (!entry.gap || entry.gap.fromSeq > ahead.seq) return entry;
  return entry.behind(ahead.seq + 1 < entry.seq ? { ...entry.gap, fromSeq: ahead.seq + 1 } : null);
};
