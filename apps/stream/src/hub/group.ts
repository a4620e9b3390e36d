/** Those who follow the same names over the same kind of wire: what they are sent is one buffer. */
import type { StreamName } from "@assay/contract";
import type { Codec } from "./codec.ts";
import type { Entry } from "./entry.ts";
import type { Member } from "./member.ts";

/** What a group gets of a flush. */
export interface Share {
  /** The number of the flush. */
  readonly flush: number;
  readonly entries: readonly Entry[];
  /** All of them as one buffer; null when there are none. */
  readonly bytes: Buffer | null;
}

/** Members with one subscription set. */
export class Group {
  readonly key: string;
  readonly codec: Codec;
  readonly names: ReadonlySet<StreamName>;
  readonly members = new Set<Member>();
  /** The heartbeat of the current sweep, shared by all members that are not behind. */
  heartbeat: { readonly atMs: number; readonly flush: number; readonly bytes: Buffer } | null = null;

  #share: Share | null = null;

  constructor(key: string, codec: Codec, names: ReadonlySet<StreamName>) {
    this.key = key;
    this.codec = codec;
    this.names = names;
  }

  /** Its share of a flush, made once. */
  shareOf(flush: number, entries: readonly Entry[]): Share {
    if (this.#share?.flush === flush) return this.#share;
    const picked = entries.filter(({ name }) => this.names.has(name));
    const [only, ...others] = picked.map((entry) => entry.encoded(this.codec));
    const bytes = only && others.length > 0 ? Buffer.concat([only, ...others]) : (only ?? null);
    this.#share = { flush, entries: picked, bytes };
    return this.#share;
  }
}

/** What names a group: the same set in any order has one. */
export const groupKey = (codec: Codec, names: ReadonlySet<StreamName>): string => `${codec.kind} ${[...names].sort().join(" ")}`;
