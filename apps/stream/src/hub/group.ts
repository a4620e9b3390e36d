/** Those who follow the same names over the same kind of wire: what they are sent is one buffer. */
import type { StreamName } from "@assay/contract";
import type { Codec } from "./codec.ts";
import type { Entry } from "./entry.ts";
import type { Member } from "./member.ts";

/** Members with one subscription set. */
export class Group {
  readonly key: string;
  readonly codec: Codec;
  readonly names: ReadonlySet<StreamName>;
  readonly members = new Set<Member>();
  /** The heartbeat of the current sweep, shared by all members that are not behind. */
  heartbeat: { readonly atMs: number; readonly flush: number; readonly bytes: Buffer } | null = null;

  constructor(key: string, codec: Codec, names: ReadonlySet<StreamName>) {
    this.key = key;
    this.codec = codec;
    this.names = names;
  }

  /** Those entries its members follow. */
  pick(entries: readonly Entry[]): readonly Entry[] {
    return entries.filter(({ name }) => this.names.has(name));
  }
}

/** What names a group: the same set in any order has one. */
export const groupKey = (codec: Codec, names: ReadonlySet<StreamName>): string => `${codec.kind} ${[...names].sort().join(" ")}`;
