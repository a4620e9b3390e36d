/** A start before the database: how long it waits, and what the log says. */
import { StoreQueryError, StoreUnavailableError } from "@assay/db";
import type { Log } from "@assay/live";
import { beforeEach, expect, test } from "vitest";
import { untilItAnswers, type Waiting } from "./until-it-answers.ts";

const lines: string[] = [];
const note = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
const log: Log = { debug: note, info: note, warn: note, error: note };
let nowMs = 0;
const waiting: Waiting = {
  log,
  clock: () => nowMs,
  withinMs: Number.POSITIVE_INFINITY,
  pause: async (ms) => {
    nowMs += ms;
  },
};

beforeEach(() => {
  lines.length = 0;
  nowMs = 0;
});

const answersAfter = (tries: number) => async (): Promise<string> => {
  tries -= 1;
  if (tries >= 0) throw new StoreUnavailableError("refused");
  return "open";
};

test("says so once however often it tries, and once when it is over", async () => {
  expect(await untilItAnswers(answersAfter(30), waiting)).toBe("open");
  expect(lines).toEqual([
    'the database is unavailable; waiting for it {"engine":"database","reason":"refused"}',
    'the database is available {"engine":"database","seconds":30,"failures":29}',
  ]);
});

test("says nothing when the database answers", async () => {
  expect(await untilItAnswers(answersAfter(0), waiting)).toBe("open");
  expect(lines).toEqual([]);
});

test("gives up after its time, and at once without any", async () => {
  await expect(untilItAnswers(answersAfter(100), { ...waiting, withinMs: 5_000 })).rejects.toThrow(StoreUnavailableError);
  expect(nowMs).toBe(5_000);
  await expect(untilItAnswers(answersAfter(1), { ...waiting, withinMs: 0 })).rejects.toThrow(StoreUnavailableError);
  expect(nowMs).toBe(5_000);
});

test("does not wait for a database that refuses", async () => {
  const refuse = () => Promise.reject(new StoreQueryError("no such user", "28000"));
  await expect(untilItAnswers(refuse, waiting)).rejects.toThrow(StoreQueryError);
});
