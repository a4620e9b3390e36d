/** Ticks to clients: encoded once, written once per client and flush, with a turn for everybody else in between. */
import { setImmediate } from "node:timers/promises";
import { STREAM_NAMES, type StreamName } from "@assay/contract";
import { type BeliefState, isShown } from "@assay/pricing";
import { beyond } from "./beyond.ts";
import type { Codec } from "./codec.ts";
import { type Entry, gapFrameOf } from "./entry.ts";
import { Group, groupKey, type Share } from "./group.ts";
import type { Member } from "./member.ts";
import { Topic } from "./topic.ts";

/** Sockets written to before the event loop has a turn. */
const SOCKETS_PER_TURN = 50;

/** What is being handed out. */
interface Flush {
  readonly number: number;
  readonly entries: readonly Entry[];
}

/** What the hub has done since the start. */
export interface HubCounts {
  /** Ticks and quotes that were published. */
  entries: number;
  /** Flushes written to a client. */
  writes: number;
  /** Flushes kept back, because a client's socket was backed up. */
  heldBack: number;
  /** Gaps told to slow clients. */
  slowGaps: number;
}

/** Topics, and who follows them. */
export class Hub {
  readonly counts: HubCounts = { entries: 0, writes: 0, heldBack: 0, slowGaps: 0 };
  readonly #topics: ReadonlyMap<StreamName, Topic>;
  readonly #groups = new Map<string, Group>();
  #flush: Flush = { number: 0, entries: [] };
  #queue: Entry[] = [];
  #running: Promise<void> | null = null;

  constructor(ringMs: number) {
    this.#topics = new Map(STREAM_NAMES.map((name) => [name, new Topic(name, ringMs)]));
  }

  /** What was published under a name. */
  topic(name: StreamName): Topic {
    const topic = this.#topics.get(name);
    if (!topic) throw new Error(`there is no topic ${name}`);
    return topic;
  }

  /** Takes in what is believed from now on: ticks that were withdrawn are shown to nobody who comes later. */
  believe(states: readonly BeliefState[]): void {
    for (const state of states) {
      const name = STREAM_NAMES.find((each) => each === state.instrument);
      if (name) this.topic(name).show((seq) => isShown(state, seq));
    }
  }

  /** Hands out entries. What comes while others are handed out goes behind them, joined. */
  publish(entries: readonly Entry[]): void {
    this.#queue.push(...entries);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Fulfilled when everything published so far is handed out. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Has a member follow a set of names from now on; what was published before is for the caller to tell, with `snapshot`. */
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

  /** Forgets a member. */
  leave(member: Member): void {
    this.#detach(member);
    member.pending = null;
    member.ahead = null;
  }

  /** Gives a member what is being handed out at this moment, if its turn has not come yet. */
  bring(member: Member): void {
    if (member.group && member.flushed < this.#flush.number) this.#give(member, this.#shareOf(member.group));
  }

  /**
   * The last known value of a name, for somebody who follows it from now on.
   * @returns bytes to write
   */
  snapshot(codec: Codec, name: StreamName): Buffer[] {
    const { shown } = this.topic(name);
    return shown ? [shown.snapshot(codec)] : [];
  }

  /**
   * What follows the number a member has of a name it follows from now on. A number that has not come here yet is kept: what the
   * member has is not sent again.
   * @param nowMs when it names it, by Assay's clock
   * @returns bytes to write, oldest first
   */
  resume(member: Member, codec: Codec, name: StreamName, seq: number, nowMs: number): Buffer[] {
    const { isAhead, gap, entries } = this.topic(name).since(seq, nowMs);
    if (isAhead) {
      member.ahead ??= new Map();
      member.ahead.set(name, { seq, atMs: nowMs });
    }
    if (!gap) return entries.map((entry) => entry.encoded(codec));
    return [codec.event("gap", JSON.stringify(gapFrameOf(name, gap))), ...entries.map((entry) => entry.snapshot(codec))];
  }

  /** Writes what is pending: of each name the newest, behind a gap where something was left out. */
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
   * The newest number of each name a member follows, less what it has not been sent yet.
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

  /** The flush handed out last. */
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
        // Those who joined or changed meanwhile have it already.
        if (member.flushed >= flush.number) continue;
        this.#give(member, share);
        written += 1;
        if (written % SOCKETS_PER_TURN === 0) await setImmediate();
      }
    }
  }

  #give(member: Member, { flush, bytes, entries }: Share): void {
    member.flushed = flush;
    if (bytes === null) return;
    if (member.ahead !== null) this.#giveBeyond(member, entries);
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
