import { beforeEach, describe, expect, test } from "vitest";
import { Outage, REMIND_EVERY_MS, silentLog } from "./log.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("an outage", () => {
  let nowMs: number;
  let lines: Record<string, unknown>[];
  let outage: Outage;
  const keep = (fields: Record<string, unknown>, said: string): void => void lines.push({ ...fields, said });
  const fail = () => outage.failed({ class: "timeout", reason: "no answer" });
  const refuse = () => outage.failed({ class: "refused", reason: "wrong password" });
  const said = () => lines.map((line) => line["said"]);

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
      { feed: "alpha", class: "timeout", reason: "no answer", said: "fails" },
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

  test("soon after others is logged once it has lasted half a minute, however long short ones are left out by now", () => {
    for (let flap = 0; flap < 200; flap += 1) {
      fail();
      outage.recovered();
      nowMs += 100_000;
    }
    lines = [];
    for (let second = 0; second <= 30; second += 5, nowMs += 5_000) {
      expect(lines).toEqual([]);
      fail();
    }
    expect(lines).toMatchObject([{ feed: "alpha", class: "timeout", said: "fails" }]);
    outage.recovered();
    expect(said()).toEqual(["fails", "works"]);
  });

  test("is logged again when its cause has changed, with the new one", () => {
    fail();
    nowMs += HOUR_MS;
    refuse();
    refuse();
    expect(outage.class).toBe("refused");
    expect(lines.slice(1)).toEqual([
      { feed: "alpha", class: "refused", reason: "wrong password", seconds: 3600, failures: 1, said: "still fails" },
    ]);
    nowMs += MINUTE_MS;
    fail();
    expect(lines.at(-1)).toMatchObject({ class: "timeout", said: "still fails" });
  });

  test("says at once what it began with, and half a minute later what it became in its first second", () => {
    fail();
    for (let second = 0; second < 60; second += 1, nowMs += 1_000) refuse();
    expect(lines.map((line) => [line["class"], line["seconds"]])).toEqual([
      ["timeout", undefined],
      ["refused", 30],
    ]);
  });

  test("with causes that alternate all day is logged less and less often", () => {
    const endMs = nowMs + 24 * HOUR_MS;
    for (; nowMs < endMs; nowMs += 2_000) {
      fail();
      refuse();
    }
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  test("keeps its cause through calls that are not even tried", () => {
    refuse();
    nowMs += HOUR_MS;
    outage.failed(null);
    expect([outage.class, lines.length]).toEqual(["refused", 1]);
    outage.recovered();
    expect(outage.class).toBeNull();
  });

  test("tells causes of one class apart where that is asked for", () => {
    const malformed = (file: string) => outage.failed({ class: "malformed", reason: file }, file);
    malformed("GC.csv");
    nowMs += MINUTE_MS;
    malformed("GC.csv");
    malformed("SI.csv");
    expect(lines.map((line) => line["reason"])).toEqual(["GC.csv", "SI.csv"]);
  });

  test("logs nothing while all is well", () => {
    for (let turn = 0; turn < 3; turn += 1) outage.recovered();
    expect(lines).toEqual([]);
    expect(outage.isOn).toBe(false);
  });
});
