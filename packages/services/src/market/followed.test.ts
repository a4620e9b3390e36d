import { describe, expect, test } from "vitest";
import { Followed, FollowedByName } from "./followed.ts";

/** A store whose readings wait until they are let go. */
const slowStore = () => {
  const stored: number[] = [];
  const waiting: (() => void)[] = [];
  return {
    stored,
    read: (): Promise<number[]> => {
      const found = [...stored];
      return new Promise((resolve) => waiting.push(() => resolve(found)));
    },
    answer: async (): Promise<void> => {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    },
  };
};

describe("a state", () => {
  test("takes what happens at once, also while another one is read, which takes it too", async () => {
    const { stored, read, answer } = slowStore();
    stored.push(1);
    const followed = new Followed<number[], number>([], (state, event) => void state.push(event));
    let told: readonly number[] = [];
    const loading = followed.load((heard) => {
      told = heard;
      return read();
    });
    followed.apply(2);
    expect([followed.now, told]).toEqual([[2], [2]]);
    await answer();
    await loading;
    expect(followed.now).toEqual([1, 2]);
  });

  test("stays as it is when the store fails", async () => {
    const followed = new Followed<number[], number>([0], (state, event) => void state.push(event));
    await expect(followed.load(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    followed.apply(1);
    expect(followed.now).toEqual([0, 1]);
  });
});

describe("a state of several", () => {
  const open = () => {
    const store = slowStore();
    // Only what follows the last can be taken.
    const states = new FollowedByName<number[], number>((state, event) => {
      if (event < (state.at(-1) ?? 0)) return false;
      state.push(event);
      return true;
    });
    return { ...store, states, of: () => states.of("a", store.read) };
  };

  test("is read once for all who ask, with what arrived meanwhile, and is at hand then", async () => {
    const { stored, answer, states, of } = open();
    stored.push(1);
    const [first, second] = [of(), of()];
    expect(second).toBe(first);
    states.apply("a", 2);
    states.apply("b", 9);
    await answer();
    expect(await first).toEqual([1, 2]);
    expect(of()).toBe(await first);
    expect([states.known("a"), states.known("b")]).toEqual([await first, undefined]);
  });

  test("is read again when what it reads was replaced meanwhile, or when it cannot take what arrived", async () => {
    const { stored, answer, states, of } = open();
    stored.push(5);
    const reading = of();
    await Promise.resolve();
    stored.splice(0, 1, 1);
    expect(states.forget()).toEqual(["a"]);
    await answer();
    states.apply("a", 0);
    stored.unshift(0);
    await answer();
    await answer();
    expect(await reading).toEqual([0, 1]);
  });

  test("is dropped when it cannot take an event, or is told to be", async () => {
    const { answer, states, of, stored } = open();
    stored.push(5);
    const reading = of();
    await answer();
    await reading;
    states.apply("a", 4);
    expect(states.known("a")).toBeUndefined();
    expect(states.forget("b")).toEqual(["b"]);
  });

  test("that could not be read is read by the next who asks", async () => {
    const states = new FollowedByName<number[]>(() => true);
    await expect(states.of("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await states.of("a", () => Promise.resolve([1]))).toEqual([1]);
  });
});
