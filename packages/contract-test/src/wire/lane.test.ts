/** Lanes: no faster than the headers allow, and no longer than permitted to wait. */
import { describe, expect, test } from "vitest";
import { KEYLESS } from "./caller.ts";
import { type Exchange, NotChecked } from "./exchange.ts";
import { Lane } from "./lane.ts";

/** A clock advanced by sleeping. */
const fakeTime = () => {
  const time = {
    nowMs: 0,
    now: () => time.nowMs,
    sleep: async (ms: number) => {
      time.nowMs += ms;
    },
  };
  return time;
};

const answer = (status: number, headers: Record<string, string> = {}): Exchange => ({
  sent: { method: "GET", url: "http://service/", headers: {}, body: undefined, caller: KEYLESS },
  status,
  headers: new Headers(headers),
  text: "",
  json: undefined,
  sentAtMs: 0,
  readAtMs: 0,
});

const limits = (remaining: number, seconds: number, name = "minute", quota = 10): Record<string, string> => ({
  "RateLimit-Policy": `"${name}";q=${quota};w=${name === "hour" ? 3600 : 60}`,
  RateLimit: `"${name}";r=${remaining};t=${seconds}`,
});

describe("a lane", () => {
  test("waits for a used-up window, and not before", async () => {
    const time = fakeTime();
    const lane = new Lane({ name: "it", maxWaitMs: 120_000, time });
    const at: number[] = [];
    const ask = (headers: Record<string, string>) =>
      lane.send(0, async () => {
        at.push(time.now());
        return answer(200, headers);
      });
    await ask(limits(1, 40));
    await ask(limits(0, 40));
    await ask(limits(9, 60));
    expect(at).toEqual([0, 0, 40_100]);
  });

  test("retries after a 429 when its Retry-After is over, and gives a caller the last answer in the end", async () => {
    const time = fakeTime();
    const lane = new Lane({ name: "it", maxWaitMs: 120_000, time });
    const at: number[] = [];
    const { status } = await lane.send(0, async () => {
      at.push(time.now());
      return at.length < 2 ? answer(429, { "Retry-After": "7" }) : answer(200);
    });
    expect({ status, at }).toEqual({ status: 200, at: [0, 7_100] });
    let asked = 0;
    const always = await lane.send(0, async () => {
      asked += 1;
      return answer(429, { "Retry-After": "1" });
    });
    expect({ status: always.status, asked }).toEqual({ status: 429, asked: 3 });
  });

  test("refuses rather than wait longer than allowed in total", async () => {
    const time = fakeTime();
    const lane = new Lane({ name: "keyless allowance", maxWaitMs: 60_000, time });
    const ask = () => lane.send(0, async () => answer(200, limits(0, 45)));
    await ask();
    await ask();
    await expect(ask()).rejects.toThrow(new NotChecked("keyless allowance"));
    expect(time.now()).toBe(45_100);
  });

  test("leaves part of the hour to others", async () => {
    const lane = new Lane({ name: "keyless allowance", maxWaitMs: 0, hourReserve: 0.5, time: fakeTime() });
    let left = 7;
    const ask = () =>
      lane.send(0, async () => {
        left -= 1;
        return answer(200, limits(left, 3_000, "hour", 100));
      });
    for (let count = 0; count < 4; count += 1) await ask();
    await expect(ask()).rejects.toThrow("keyless allowance");
    expect(left).toBe(3);
  });

  test("sends the most important requests first, one after the other", async () => {
    const lane = new Lane({ name: "it", maxWaitMs: 0, time: fakeTime() });
    const order: string[] = [];
    let open = 0;
    const ask = (name: string, priority: number) =>
      lane.send(priority, async () => {
        open += 1;
        expect(open).toBe(1);
        order.push(name);
        await Promise.resolve();
        open -= 1;
        return answer(200);
      });
    await Promise.all([ask("last", 3), ask("first", 0), ask("second", 1), ask("third", 1)]);
    expect(order).toEqual(["first", "second", "third", "last"]);
  });

  test("continues after a request that failed", async () => {
    const lane = new Lane({ name: "it", maxWaitMs: 0, time: fakeTime() });
    await expect(lane.send(0, () => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
    expect((await lane.send(0, async () => answer(200))).status).toBe(200);
  });
});
