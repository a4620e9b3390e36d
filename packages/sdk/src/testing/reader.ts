/** Reads a subscription step by step, checking everything it yields against its guarantees. */
import { expect, onTestFinished } from "vitest";
import type { StreamEvent } from "../stream/events.ts";

export type Seen =
  | { readonly type: "value"; readonly name: string; readonly seq: number; readonly isClose?: boolean }
  | {
      readonly type: "gap";
      readonly name: string;
      readonly fromSeq: number;
      readonly toSeq: number;
      readonly reason: string;
    };

/** The numbers of an event; null when it has none. */
export const seenOf = (event: StreamEvent): Seen | null => {
  if (event.type === "tick")
    return { type: "value", name: event.symbol, seq: event.seq, isClose: event.staleReason !== undefined };
  if (event.type === "physical") return { type: "value", name: event.channel, seq: event.seq };
  if (event.type !== "gap") return null;
  const { symbol, fromSeq, toSeq, reason } = event;
  return { type: "gap", name: symbol, fromSeq, toSeq, reason };
};

export class Witness {
  /** Violations, in words. */
  readonly faults: string[] = [];
  /** The highest number of each name that was delivered or reported. */
  readonly accounted = new Map<string, number>();
  /** Numbers delivered, by name, in order. */
  readonly delivered = new Map<string, number[]>();
  readonly gaps: Extract<Seen, { type: "gap" }>[] = [];

  see(seen: Seen | null): void {
    if (seen === null) return;
    const last = this.accounted.get(seen.name);
    // The price of a closed market has the last number again.
    if (seen.type === "value" && seen.isClose && seen.seq === last) return;
    if (seen.type === "value") {
      if (last !== undefined && seen.seq !== last + 1) this.faults.push(`${seen.name} ${seen.seq} after ${last}`);
      this.accounted.set(seen.name, seen.seq);
      this.delivered.set(seen.name, [...(this.delivered.get(seen.name) ?? []), seen.seq]);
      return;
    }
    this.gaps.push(seen);
    const words = `${seen.name}: gap ${seen.fromSeq} to ${seen.toSeq} (${seen.reason}) after ${last}`;
    if (seen.toSeq < seen.fromSeq) this.faults.push(words);
    if (seen.reason === "reset") {
      if (last === undefined || seen.toSeq !== last || seen.fromSeq > last) this.faults.push(words);
      this.accounted.set(seen.name, seen.fromSeq - 1);
      this.delivered.set(seen.name, []);
    } else {
      if (last !== undefined && seen.fromSeq !== last + 1) this.faults.push(words);
      this.accounted.set(seen.name, seen.toSeq);
    }
  }

  /** Resets a name that is followed again. */
  forget(name: string): void {
    this.accounted.delete(name);
    this.delivered.delete(name);
  }
}

/** How long a test waits for an expected event. */
const PATIENCE_MS = 10_000;

export interface Reader {
  readonly witness: Witness;
  readonly events: readonly StreamEvent[];
  /** Reads until an event of a type with the given fields. */
  next<T extends StreamEvent["type"]>(type: T, like?: object): Promise<Extract<StreamEvent, { type: T }>>;
  /** Reads to the end: the error it ends with, undefined for none. */
  end(): Promise<unknown>;
}

const inTime = async <T>(promise: Promise<T>, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come in time`)), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

export const readerOf = (subscription: AsyncIterableIterator<StreamEvent>): Reader => {
  const events: StreamEvent[] = [];
  const witness = new Witness();
  const read = async (what: string): Promise<StreamEvent | null> => {
    const { done, value } = await inTime(subscription.next(), `${what}; last: ${JSON.stringify(events.slice(-3))}`);
    if (done) return null;
    events.push(value);
    witness.see(seenOf(value));
    expect(witness.faults).toEqual([]);
    return value;
  };
  onTestFinished(async () => {
    await subscription.return?.();
  });
  return {
    witness,
    events,
    next: async <T extends StreamEvent["type"]>(type: T, like: object = {}) => {
      for (;;) {
        const event = await read(type);
        if (event === null) throw new Error(`it ended before a ${type} came`);
        const isLike = Object.entries(like).every(([field, value]) => Reflect.get(event, field) === value);
        if (event.type === type && isLike) return event as Extract<StreamEvent, { type: T }>; // compared above
      }
    },
    end: async () => {
      try {
        while ((await read("the end")) !== null);
        return undefined;
      } catch (error) {
        return error;
      }
    },
  };
};
