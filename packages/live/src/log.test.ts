import { beforeEach, describe, expect, test } from "vitest";
import { Outage, REMIND_EVERY_MS, silentLog } from "./log.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("an outage", () => {
  let nowMs: number;
  let lines: Record<string, unknown>[];
  let outage: Outage;
  const keep = (fields: Record<string, unknown>, said: string): void => void lines.push({ ...fields, said });
  const fail = () => outage.failed({ reason: "no answer" });

  beforeEach(() => {
    nowMs = 1_000_000;
    lines = [];
    outage = new Outage({
      log: { ...silentLog, info: keep, warn: keep },
      clock: () => nowMs,
      lines: { fields: { feed: "alpha" }, begins: "fails", lasts: "still fails", ends: "works" },
    });
  });

  test("is one line when it begins and one when it is over, with how long it lasted and the failures in between", () => {
    for (let second = 0; second < 600; second += 5) {
      fail();
      nowMs += 5_000;
    }
    outage.recovered();
    expect(lines).toEqual([
      { feed: "alpha", reason: "no answer", said: "fails" },
      { feed: "alpha", seconds: 600, failures: 119, said: "works" },
    ]);
  });

  test("of a day with a failure every five seconds is seven lines", () => {
    const endMs = nowMs + 24 * HOUR_MS;
    for (; nowMs < endMs; nowMs += 5_000) fail();
    outage.recovered();
    expect(lines.map(({ said }) => said)).toEqual(["fails", ...Array.from({ length: 5 }, () => "still fails"), "works"]);
    expect(lines.slice(1, -1).every(({ failures }) => failures === REMIND_EVERY_MS / 5_000)).toBe(true);
  });

  test("that comes and goes all day is logged less and less often, and no failure goes uncounted", () => {
    const endMs = nowMs + 24 * HOUR_MS;
    let failures = 0;
    for (; nowMs < endMs; nowMs += 10_000) {
      fail();
      failures += 1;
      outage.recovered();
    }
    expect(lines.length).toBeLessThanOrEqual(30);
    fail();
    nowMs += REMIND_EVERY_MS;
    fail();
    outage.recovered();
    const counted = lines.reduce((sum, { said, failures: count = said === "fails" ? 1 : 0 }) => sum + Number(count), 0);
    expect(counted).toBe(failures + 2);
  });

  test("soon after another is logged once it outlasts the pause", () => {
    fail();
    outage.recovered();
    nowMs += 30_000;
    fail();
    expect(lines).toHaveLength(2);
    nowMs += 31_000;
    fail();
    expect(lines.at(-1)).toEqual({ feed: "alpha", reason: "no answer", failures: 2, said: "fails" });
  });

  test("logs nothing while all is well", () => {
    for (let turn = 0; turn < 3; turn += 1) outage.recovered();
    expect(lines).toEqual([]);
    expect(outage.isOn).toBe(false);
  });
});
