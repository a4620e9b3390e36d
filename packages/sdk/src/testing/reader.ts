/** Reads a subscription step by step, checking everything it yields against its guarantees. */
import { expect, onTestFinished } from "vitest";
import type { StreamEvent } from "../stream/events.ts";
import { seenOf, Witness } from "./witness.ts";

/** How long a test waits for an expected event. */
const PATIENCE_MS = 10_000;

/** A reader. */
export interface Reader {
  readonly witness: Witness;
  /** Everything so far. */
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

/** Reads what a subscription yields. */
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
