/** A real thread: one answer at a time, and a thread that fails or hangs is replaced. */
import { afterEach, describe, expect, test } from "vitest";
import { WorkerThread } from "./threads.ts";

/** A thread that follows its order. */
const entry = new URL("../testing/odd-worker.mjs", import.meta.url);
const ANSWER = 1;
const FAIL = -1;
const END = -2;
const HANG = -3;

interface Answer {
  readonly thread: number;
  readonly asked: number;
}

let thread: WorkerThread<number, Answer>;
const open = (longestMs: number, idleMs = 30_000): void => {
  thread = new WorkerThread(entry, longestMs, idleMs);
};
afterEach(() => thread.close());

describe("a thread", () => {
  test("answers one after the other, from one thread", async () => {
    open(30_000);
    const first = await thread.ask(ANSWER);
    expect(await thread.ask(ANSWER)).toEqual({ thread: first.thread, asked: 2 });
  });

  test("ends when nothing is asked for a while, and another answers the next question", async () => {
    open(30_000, 1);
    const { thread: first } = await thread.ask(ANSWER);
    await expect.poll(() => thread.ask(ANSWER).then(({ thread: next }) => next)).not.toBe(first);
  });

  test.each([
    ["fails", FAIL, 30_000],
    ["ends", END, 30_000],
    ["hangs", HANG, 2_000],
  ])("is replaced when it %s, and says so", async (_what, order, longestMs) => {
    open(longestMs);
    await expect(thread.ask(order)).rejects.toThrow(Error);
    await expect.poll(() => thread.ask(ANSWER), { timeout: 30_000 }).toMatchObject({ asked: 1 });
  });

  test("refuses a second question while one is pending, and ends the pending one when it closes", async () => {
    open(30_000);
    const underWay = thread.ask(HANG);
    await expect(thread.ask(ANSWER)).rejects.toThrow("already");
    await Promise.all([expect(underWay).rejects.toThrow("closed"), thread.close()]);
  });
});
