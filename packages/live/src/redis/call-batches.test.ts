/** How calls share a script. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { Admission, CallWindow } from "../ports.ts";
import { CallBatches, MAX_GROUPS, type MonthCall } from "./call-batches.ts";
import { CountKeys } from "./local-counts.ts";
import type { RedisClient } from "./redis-connection.ts";
import type { Counted } from "./scripts/script.ts";

interface Sent {
  readonly names: readonly string[];
  readonly values: readonly (string | number)[];
  answer(reply: readonly (number | string)[]): void;
  fail(error: Error): void;
}

const window = (key: string, limit = 5): CallWindow => ({ key, limit, windowMs: 60_000 });
const month = (orgId: string): MonthCall => ({ orgId, day: "2026-11-20", quota: 9, mode: "reserveLoaded" });

describe("calls in batches", () => {
  let sent: Sent[];
  let learned: unknown[];
  let away: unknown[];
  let batches: CallBatches;
  /** How many calls each group of a script of windows has. */
  const groups = ({ values }: Sent): number[] => values.filter((_, at) => at % 5 === 0).map(Number);
  /** The windows of a script, in order. */
  const windowsOf = ({ names }: Sent): string[] =>
    names.flatMap((name) => (name.startsWith("limit:60000:") ? [name.slice("limit:60000:".length)] : []));
  const first = (): Sent => {
    const [script] = sent;
    if (!script) throw new Error("nothing was sent");
    return script;
  };

  beforeEach(() => {
    sent = [];
    learned = [];
    away = [];
    const client = {
      countCalls: (names: string[], values: (string | number)[]) =>
        new Promise((answer, fail) => sent.push({ names, values, answer: (value) => answer({ value, unreadable: [] }), fail })),
    } as unknown as RedisClient; // the one command that batches send
    const redis = {
      send: <T>(command: (of: RedisClient) => Promise<T>) => command(client),
      watched: <T>(call: () => T) => call(),
    };
    const known = {
      last: () => ({ loading: "", today: 0, thisMonth: 0 }),
      learn: (...counts: unknown[]) => void learned.push(counts),
      noteAway: (error: unknown) => void away.push(error),
      readable: <T>({ value }: Counted<T>) => value,
    };
    batches = new CallBatches(redis, new CountKeys(""), known);
  });

  test("those of one turn are one script, and equal ones one group in it", async () => {
    const counted = ["a", "b", "a", "a"].map((name) => batches.count([window(name)], null));
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toHaveLength(1);
    expect(windowsOf(first())).toEqual(["a", "b"]);
    expect(groups(first())).toEqual([3, 1]);
    first().answer([3, 40_000, 5, 50_000]);
    const readings = (await Promise.all(counted)).map(({ windows: [of] }) => [of.allowed, of.remaining, of.resetInMs]);
    expect(readings).toEqual([
      [true, 1, 40_000],
      [false, 0, 50_000],
      [true, 0, 40_000],
      [false, 0, 40_000],
    ]);
  });

  test("a call does not pass one that came before it on the same name", async () => {
    for (const limit of [5, 6, 5]) void batches.count([window("a", limit)], null);
    void batches.count([window("b")], month("org"));
    void batches.count([window("c")], month("org"));
    void batches.count([window("b")], month("org"));
    await nextTurn();
    expect(windowsOf(first())).toEqual(["a", "a", "a", "b", "c", "b"]);
  });

  test("calls join only those with the same windows in the same order, and pass none that share one of them", async () => {
    const both = () => batches.count([window("a"), window("b")], null);
    for (const each of [both, both, () => batches.count([window("b"), window("a")], null), both]) void each();
    void batches.count([window("b")], null);
    const last = [both(), both()];
    await nextTurn();
    expect(windowsOf(first())).toEqual(["a", "b", "b", "a", "a", "b", "b", "a", "b"]);
    // Two calls with room for one: in the other window for three.
    const before = [0, 60_000];
    first().answer([...before, ...before, ...before, ...before, ...before, ...before, ...before, 4, 60_000, 2, 50_000]);
    const readings = (await Promise.all(last)).map(({ windows }) =>
      windows.map(({ allowed, remaining }) => [allowed, remaining]),
    );
    expect(readings).toEqual([
      [
        [true, 0],
        [true, 2],
      ],
      [
        [false, 0],
        [true, 2],
      ],
    ]);
  });

  test("those that come while Redis answers are sent together when it has", async () => {
    const early = batches.count([window("a")], null);
    await nextTurn();
    const late = ["a", "b", "a"].map((name) => batches.count([window(name)], null));
    await nextTurn();
    expect(sent).toHaveLength(1);
    first().answer([0, 60_000]);
    await early;
    await nextTurn();
    expect(sent.map(groups)).toEqual([[1], [2, 1]]);
    sent[1]?.answer([1, 60_000, 0, 60_000]);
    expect((await Promise.all(late)).map(({ windows: [of] }) => of?.remaining)).toEqual([3, 4, 2]);
  });

  test("a full batch does not wait, so no script and no queue is longer than that", async () => {
    void batches.count([window("first")], null);
    await nextTurn();
    for (let at = 0; at < 2.5 * MAX_GROUPS; at += 1) void batches.count([window(`${at}`)], null);
    await nextTurn();
    expect(sent.map(({ names }) => names.length - 1)).toEqual([1, MAX_GROUPS, MAX_GROUPS]);
    for (const { names, answer } of [...sent]) answer(names.slice(1).flatMap(() => [0, 60_000]));
    await nextTurn();
    expect(sent.map(({ names }) => names.length - 1)).toEqual([1, MAX_GROUPS, MAX_GROUPS, MAX_GROUPS / 2]);
  });

  test("a batch that fails fails its own calls only, and the next one is sent", async () => {
    const failing = [batches.count([window("a")], null), batches.count([window("b")], month("org"))];
    await nextTurn();
    const next = batches.count([window("a")], null);
    first().fail(new Error("away"));
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(learned).toEqual([]);
    expect(away).toEqual([new Error("away")]);
    await nextTurn();
    sent[1]?.answer([0, 60_000]);
    expect((await next).windows[0]).toMatchObject({ allowed: true, remaining: 4 });
  });

  test("counts are learned once for a group, as they are after its last call", async () => {
    const counted: Promise<Admission>[] = [];
    for (let at = 0; at < 3; at += 1) counted.push(batches.count([], month("org")));
    await nextTurn();
    first().answer([2, 4, 7, "load"]);
    const usages = (await Promise.all(counted)).map(({ usage }) => usage);
    expect(usages).toEqual([
      { allowed: true, today: 5, thisMonth: 8 },
      { allowed: true, today: 6, thisMonth: 9 },
      { allowed: false, today: 6, thisMonth: 9 },
    ]);
    expect(learned).toEqual([["org", "2026-11-20", { today: 6, thisMonth: 9, loading: "load" }]]);
  });
});
