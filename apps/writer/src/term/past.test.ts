/** The older past: tried again after a failure, and not after the end of the term. */
import { MINUTE_MS } from "@assay/contract";
import type { Store } from "@assay/db";
import { virtualTime } from "@assay/ports/virtual";
import { expect, test, vi } from "vitest";
import type { Gaps } from "../backfill/history-gaps.ts";
import { fillOlderPast, type OlderPast } from "./past.ts";
import type { OlderWriting } from "./term-options.ts";
import { TermEndedError } from "./term-options.ts";

const open = (fillOlder: (writing: OlderWriting) => Promise<void>) => {
  const clock = virtualTime(0);
  const leaving = new AbortController();
  const heard: string[] = [];
  const thread = { ask: async () => [], close: vi.fn(async () => {}) };
  const past: OlderPast = {
    ...{ store: {} as Store, gaps: {} as Gaps, writer: { token: 1, holder: "writer" }, thread }, // not used by what fills here
    nowMs: 0,
    clock,
    mayWrite: () => true,
    sharesProcess: false,
    onFilled: () => {},
    signal: leaving.signal,
    log: { info: () => {}, fault: (_error, message) => heard.push(message) },
  };
  return { clock, heard, thread, leaving, done: fillOlderPast({ fillOlder }, past) };
};

test("is retried until it is complete, and each failure is logged", async () => {
  let tries = 0;
  const { clock, heard, thread, done } = open(async () => {
    tries += 1;
    if (tries < 3) throw new Error("the store is away");
  });
  await clock.advance(2 * MINUTE_MS - 1);
  expect([tries, heard.length]).toEqual([2, 2]);
  await clock.advance(1);
  await done;
  expect([tries, heard.length]).toEqual([3, 2]);
  expect(thread.close).toHaveBeenCalledOnce();
});

test("ends with the term, without a log line", async () => {
  const { heard, thread, done } = open(async () => {
    throw new TermEndedError("the lease ran out");
  });
  await done;
  expect(heard).toEqual([]);
  expect(thread.close).toHaveBeenCalledOnce();
});

test("is not retried once the writer leaves", async () => {
  let tries = 0;
  const opened = open(async () => {
    tries += 1;
    await Promise.resolve();
    opened.leaving.abort();
    throw new Error("interrupted");
  });
  await opened.done;
  expect([tries, opened.heard]).toEqual([1, []]);
});
