/** The simulated history: built without losing the lease. */
import type { Store } from "@assay/db";
import { silentProgress } from "@assay/process";
import { expect, test } from "vitest";
import { BarKeeper } from "../bars/bar-keeper.ts";
import { TermEndedError } from "../term/term-ended.ts";
import { fillBars } from "./bars.ts";

test("lets the event loop turn many times while it makes a single series", async () => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  let atFirstWrite = 0;
  let questions = 0;
  // The first query is for what is stored; the second starts to write, and that is enough.
  const run = async (): Promise<readonly unknown[]> => {
    questions += 1;
    if (questions === 1) return [];
    atFirstWrite = turns;
    throw new TermEndedError("enough was seen");
  };
  const store = { kind: "postgres", run } as unknown as Store; // nothing else of it is used before the first write
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  const filling = fillBars({
    ...{ store, nowMs, writer: { token: 1, holder: "writer" }, seed: 1, hours: "always", progress: silentProgress },
    ...{ historyDays: 30, keeper: new BarKeeper("simulated"), mayWrite: () => true },
  });
  await expect(filling).rejects.toThrow(TermEndedError);
  isOver = true;
  // Eleven thousand days since 1996.
  expect(atFirstWrite).toBeGreaterThanOrEqual(10);
});
