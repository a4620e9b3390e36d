/** Sends ticks to clients: encoded once, written once per client and flush, yielding to the event loop in between. */
import { STREAM_NAMES, type StreamName, sseId } from "@assay/contract";
import type { Time } from "@assay/ports";
import { type BeliefState, isShown } from "@assay/pricing";
import type { Codec } from "./codec.ts";
import { closeFrameOf, type Entry, type FindClose, type Gap, gapFrameOf } from "./entry.ts";
import { beyond, Group, groupKey, type Member, type Share } from "./group.ts";
import { Topic } from "./topic.ts";

/** How many sockets are written to before yielding to the event loop: about two milliseconds, and a yield costs as much as two writes. */
const SOCKETS_PER_TURN = 200;

/** The index from which frames fit into a number of bytes; the newest always does. */
const firstWithin = (frames: readonly Buffer[], maxBytes: number): number => {
  let from = frames.length;
  let bytes = 0;
  for (const frame of frames.toReversed()) {
    bytes += frame.length;
    if (bytes > maxBytes && from < frames.length) break;
    from -= 1;
  }
  return from;
};

/** How a member begins to receive a name. */
export interface SubscriptionStart {
  /** The last number it has; undefined for none. */
  readonly seq?: number | undefined;
  /** Assay's clock. */
  readonly nowMs: number;
  /** About how much to write at most: what does not fit, the oldest, is reported as a gap. */
  readonly maxBytes: number;
}

interface Flush {
  readonly number: number;
  readonly entries: readonly Entry[];
}

export interface HubCounts {
  /** Ticks and quotes published. */
  entries: number;
  /** Flushes written to a client. */
  writes: number;
  /** Flushes held back because a client's socket was full. */
  heldBack: number;
  slowGaps: number;
}

/** Topics, and their followers. */
export class Hub {
  readonly counts: HubCounts = { entries: 0, writes: 0, heldBack: 0, slowGaps: 0 };
  readonly #topics: ReadonlyMap<StreamName, Topic>;
  readonly #groups = new Map<string, Group>();
  #flush: Flush = { number: 0, entries: [] };
  #queue: Entry[] = [];
  #running: Promise<void> | null = null;
  readonly #turn: Time["turn"];
  readonly #findClose: FindClose;

  /** @param findClose by default no market ever closes */
  constructor(ringMs: number, turn: Time["turn"], findClose: FindClose = () => null) {
    this.#turn = turn;
    this.#findClose = findClose;
    this.#topics = new Map(STREAM_NAMES.map((name) => [name, new Topic(name, ringMs)]));
  }

  topic(name: StreamName): Topic {
    const topic = this.#topics.get(name);
    if (!topic) throw new Error(`there is no topic ${name}`);
    return topic;
  }

  /** Applies a belief: withdrawn ticks are not sent to later subscribers. */
  believe(states: readonly BeliefState[]): void {
    for (const state of states) {
      const name = STREAM_NAMES.find((each) => each === state.instrument);
      if (name) this.topic(name).show((seq) => isShown(state, seq));
    }
  }

  /** Sends entries. Those that arrive while others are being sent are queued and sent together. */
  publish(entries: readonly Entry[]): void {
    this.#queue.push(...entries);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when everything published so far has been sent. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Makes a member follow a set of names from now on; the caller sends what was published before, using `begin`. */
  follow(member: Member, codec: Codec, names: ReadonlySet<StreamName>): void {
    this.bring(member);
    this.#detach(member);
    for (const name of member.pending?.keys() ?? []) if (!names.has(name)) member.pending?.delete(name);
    for (const name of member.ahead?.keys() ?? []) if (!names.has(name)) member.ahead?.delete(name);
    if (names.size === 0) return;
    const key = groupKey(codec, names);
    const group = this.#groups.get(key) ?? new Group(key, codec, new Set(names));
    this.#groups.set(key, group);
    group.members.add(member);
    member.group = group;
    member.flushed = this.#flush.number;
  }

  leave(member: Member): void {
    this.#detach(member);
    member.pending = null;
    member.ahead = null;
  }

  /** Sends a member the flush in progress, unless it already has it. */
  bring(member: Member): void {
    if (member.group && member.flushed < this.#flush.number) this.#give(member, this.#shareOf(member.group));
  }

  /**
   * What a name begins with: the last known value, or what follows the number a member has. In a closed market either ends
   * with the last close.
   * @returns bytes to write, oldest first
   */
  begin(member: Member, codec: Codec, name: StreamName, start: SubscriptionStart): Buffer[] {
    const { seq, nowMs } = start;
    const missed = seq === undefined ? [] : this.#resume(member, codec, name, seq, start);
    const close = this.#findClose(name, nowMs);
    const { newest, shown } = this.topic(name);
    if (!close) return seq === undefined && shown ? [shown.snapshot(codec)] : missed;
    const last = member.ahead?.get(name)?.seq ?? newest?.seq ?? 0;
    return [...missed, codec.tick(JSON.stringify(closeFrameOf(name, close, last)), sseId(name, last))];
  }

  /**
   * What was published after a number and is kept, preceded by a gap for what is not. A number that has not arrived here yet is
   * remembered, so that the member does not receive it twice.
   */
  #resume(member: Member, codec: Codec, name: StreamName, seq: number, { nowMs, maxBytes }: SubscriptionStart): Buffer[] {
    // For a name that it follows already, this replaces what it was owed.
    member.pending?.delete(name);
    member.ahead?.delete(name);
    const { isAhead, gap, entries } = this.topic(name).since(seq, nowMs);
    if (isAhead) {
      member.ahead ??= new Map();
      member.ahead.set(name, { seq, atMs: nowMs });
    }
    const gapFrame = (found: Gap): Buffer => codec.event("gap", JSON.stringify(gapFrameOf(name, found)));
    if (gap?.reason === "reset") return [gapFrame(gap), ...entries.map((entry) => entry.snapshot(codec))];
    const frames = entries.map((entry) => entry.encoded(codec));
    const from = firstWithin(frames, maxBytes);
    const first = entries[from];
    if (from === 0 || !first) return [...(gap ? [gapFrame(gap)] : []), ...frames];
    const cut = gapFrame({ fromSeq: seq + 1, toSeq: first.seq - 1, reason: "expired" });
    return [cut, first.alone(codec), ...frames.slice(from + 1)];
  }

  /** Writes what is pending: the newest entry of each name, preceded by a gap when something was left out. */
  catchUp(member: Member): void {
    const { group, pending } = member;
    member.pending = null;
    if (!group || !pending) return;
    const parts: Buffer[] = [];
    for (const [name, { fromSeq, count, newest }] of pending) {
      if (count === 1) {
        parts.push(newest.encoded(group.codec));
        continue;
      }
      this.counts.slowGaps += 1;
      const gap = gapFrameOf(name, { fromSeq, toSeq: newest.seq - 1, reason: "slow_consumer" });
      parts.push(group.codec.event("gap", JSON.stringify(gap)), newest.alone(group.codec));
    }
    if (parts.length > 0) member.write(Buffer.concat(parts));
  }

  /**
   * The newest number of each name a member follows, without those not yet sent to it.
   * @returns by name; names without a value yet are left out
   */
  standing(member: Member): Record<string, number> {
    this.bring(member);
    const seqs: Record<string, number> = {};
    for (const name of member.group?.names ?? []) {
      const pending = member.pending?.get(name);
      const newest = this.topic(name).newest;
      if (pending) seqs[name] = pending.fromSeq - 1;
      else if (newest) seqs[name] = newest.seq;
    }
    return seqs;
  }

  get flushNumber(): number {
    return this.#flush.number;
  }

  #detach(member: Member): void {
    const { group } = member;
    if (!group) return;
    group.members.delete(member);
    if (group.members.size === 0) this.#groups.delete(group.key);
    member.group = null;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      this.#flush = { number: this.#flush.number + 1, entries: this.#queue };
      this.#queue = [];
      for (const entry of this.#flush.entries) this.topic(entry.name).add(entry);
      this.counts.entries += this.#flush.entries.length;
      await this.#handOut(this.#flush);
    }
  }

  #shareOf(group: Group): Share {
    return group.shareOf(this.#flush.number, this.#flush.entries);
  }

  async #handOut(flush: Flush): Promise<void> {
    let written = 0;
    for (const group of this.#groups.values()) {
      const share = this.#shareOf(group);
      if (share.bytes === null) continue;
      for (const member of group.members) {
        // Members that joined or changed in the meantime already have it.
        if (member.flushed >= flush.number) continue;
        this.#give(member, share);
        written += 1;
        if (written % SOCKETS_PER_TURN === 0) await this.#turn();
      }
    }
  }

  #give(member: Member, { flush, bytes, entries }: Share): void {
    member.flushed = flush;
    if (bytes === null) return;
    if (member.ahead?.size) this.#giveBeyond(member, entries);
    else if (member.pending === null && member.isIdle()) {
      this.counts.writes += 1;
      member.write(bytes);
    } else this.#keepBack(member, entries);
  }

  #giveBeyond(member: Member, entries: readonly Entry[]): void {
    const { group } = member;
    const fitting = entries.flatMap((entry) => beyond(member, entry) ?? []);
    if (!group || fitting.length === 0) return;
    if (member.pending === null && member.isIdle()) {
      this.counts.writes += 1;
      member.write(Buffer.concat(fitting.map((entry) => entry.encoded(group.codec))));
    } else this.#keepBack(member, fitting);
  }

  #keepBack(member: Member, entries: readonly Entry[]): void {
    this.counts.heldBack += 1;
    member.pending ??= new Map();
    for (const entry of entries) {
      const before = member.pending.get(entry.name);
      member.pending.set(entry.name, {
        fromSeq: before?.fromSeq ?? entry.fromSeq,
        count: (before?.count ?? 0) + 1,
        newest: entry,
      });
    }
    member.onBlocked();
  }
}
