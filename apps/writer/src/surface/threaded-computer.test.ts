/** Surfaces on a real thread: one at a time, and a thread that fails or hangs is replaced. */
import type { SurfaceInput } from "@assay/pricing";
import { afterEach, describe, expect, test } from "vitest";
import { ThreadedComputer } from "./threaded-computer.ts";

/** A thread that returns the instant it was given, unless that makes it fail, exit, or hang. */
const entry = new URL("../testing/odd-worker.mjs", import.meta.url);
const input = (nowMs: number): SurfaceInput => ({ metal: "xau", spotUsdPerOzt: "4000", chains: [], markets: [], nowMs });
const ANSWER = 1;
const FAIL = -1;
const END = -2;
const HANG = -3;

let computer: ThreadedComputer;
const open = (longestMs: number): ThreadedComputer => {
  computer = new ThreadedComputer({ entry, longestMs });
  return computer;
};
afterEach(() => computer.close());

describe("a threaded computer", () => {
  test("answers one after the other, from one thread", async () => {
    open(30_000);
    const [first] = await computer.compute(input(ANSWER));
    const [second] = await computer.compute(input(ANSWER));
    expect(second).toMatchObject({ thread: (first as unknown as { thread: number }).thread, asked: 2 });
  });

  test.each([
    ["fails", FAIL, 30_000],
    ["ends", END, 30_000],
    ["hangs", HANG, 2_000],
  ])("replaces a thread that %s, and says so", async (_what, order, longestMs) => {
    open(longestMs);
    await expect(computer.compute(input(order))).rejects.toThrow(Error);
    await expect.poll(() => computer.compute(input(ANSWER)), { timeout: 30_000 }).toMatchObject([{ asked: 1 }]);
  });

  test("refuses a second surface beside one under way, and ends what is under way when it closes", async () => {
    open(30_000);
    const underWay = computer.compute(input(HANG));
    await expect(computer.compute(input(ANSWER))).rejects.toThrow("already");
    await Promise.all([expect(underWay).rejects.toThrow("closed"), computer.close()]);
  });
});
