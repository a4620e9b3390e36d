import { describe, expect, test } from "vitest";
import { testClock } from "../testing/clock.ts";
import { createQuotes, getSpot, mintKey, SPOT } from "../testing/operations.ts";
import { type Answering, type Served, serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { RequestAbortedError } from "./errors.ts";
import type { ClientOptions } from "./options.ts";

const NO_CLASSES = { byCode: {}, byStatus: {} };
const XAU = { symbol: "XAU" };

const clientOf = (served: Served, options: ClientOptions, around = testClock()): Client =>
  new Client({ baseUrl: served.url, apiKey: null, logLevel: "off", maxRetries: 0, ...options }, NO_CLASSES, around);

/** A server that answers only when released, and reports cancelled requests. */
const held = async (): Promise<{ served: Served; letGo: () => void; came: () => Promise<void>; gone: Promise<void> }> => {
  let letGo = (): void => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let leave = (): void => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const answer: Answering = async (_, __, response) => {
    response.on("close", () => {
      if (!response.writableFinished) leave();
    });
    arrive();
    await free;
    return { body: SPOT };
  };
  return { served: await serve(answer), letGo, came: () => arrived, gone };
};

describe("single flight", () => {
  test("sends concurrent equal GETs once, and gives each caller its own objects", async () => {
    const { served, letGo } = await held();
    const client = clientOf(served, { singleFlight: true });
    const calls = Array.from({ length: 5 }, () => client.call(getSpot, XAU).raw());
    letGo();
    const answers = await Promise.all(calls);
    expect(served.asked).toHaveLength(1);
    expect(new Set(answers).size).toBe(5);
    await client.call(getSpot, XAU);
    expect(served.asked).toHaveLength(2);
  });

  test("keeps different requests apart: parameters, headers, the number of retries", async () => {
    const { served, letGo } = await held();
    const client = clientOf(served, { singleFlight: true });
    const calls = [
      client.call(getSpot, XAU),
      client.call(getSpot, { symbol: "XAG" }),
      client.call(getSpot, XAU, { headers: { authorization: "Bearer other" } }),
      client.call(getSpot, XAU, { maxRetries: 1 }),
    ];
    letGo();
    await Promise.all(calls);
    expect(served.asked).toHaveLength(4);
  });

  test("is off by default", async () => {
    const { served, letGo } = await held();
    const client = clientOf(served, {});
    const calls = [client.call(getSpot, XAU), client.call(getSpot, XAU)];
    letGo();
    await Promise.all(calls);
    expect(served.asked).toHaveLength(2);
  });

  test("ends the waiting only of the caller that gives up", async () => {
    const { served, letGo, came } = await held();
    const client = clientOf(served, { singleFlight: true });
    const controller = new AbortController();
    const impatient = client.call(getSpot, XAU, { signal: controller.signal });
    const patient = client.call(getSpot, XAU);
    await came();
    controller.abort("enough");
    await expect(impatient).rejects.toMatchObject({ name: "RequestAbortedError", cause: "enough" });
    letGo();
    expect((await patient).symbol).toBe("XAU");
    expect(served.asked).toHaveLength(1);
  });

  test("aborts the request when no caller waits any more, and the next caller sends a new one", async () => {
    const { served, letGo, came, gone } = await held();
    const client = clientOf(served, { singleFlight: true });
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) => client.call(getSpot, XAU, { signal }));
    await came();
    for (const controller of controllers) controller.abort();
    for (const call of calls) await expect(call).rejects.toThrow(RequestAbortedError);
    await gone;
    letGo();
    expect((await client.call(getSpot, XAU)).symbol).toBe("XAU");
    expect(served.asked).toHaveLength(2);
  });

  test("gives a failure to all who wait, and caches none", async () => {
    const served = await serve((_, index) => (index === 0 ? { status: 404, body: { error: "not_found" } } : { body: SPOT }));
    const client = clientOf(served, { singleFlight: true });
    const settled = await Promise.allSettled([client.call(getSpot, XAU), client.call(getSpot, XAU)]);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await client.call(getSpot, XAU)).symbol).toBe("XAU");
  });
});

describe("the cache", () => {
  const counting = () => serve((asked, index) => ({ body: { ...SPOT, symbol: `${asked.url} ${index}` } }));

  test("gives an earlier answer up to its age, as the caller's own objects", async () => {
    const served = await counting();
    const around = testClock();
    const client = clientOf(served, { cache: { maxAgeMs: 5_000 } }, around);
    const first = await client.call(getSpot, XAU).raw();
    around.passMs(5_000);
    const second = await client.call(getSpot, XAU).raw();
    const third = await client.call(getSpot, XAU).raw();
    expect([second, third]).toEqual([first, first]);
    expect(new Set([first, second, third]).size).toBe(3);
    around.passMs(1);
    expect(await client.call(getSpot, XAU).raw()).not.toEqual(first);
    expect(served.asked).toHaveLength(2);
  });

  test("is off by default, and each call may set how old an answer may be", async () => {
    const served = await counting();
    const around = testClock();
    const client = clientOf(served, {}, around);
    await client.call(getSpot, XAU);
    await client.call(getSpot, XAU);
    expect(served.asked).toHaveLength(2);
    await client.call(getSpot, XAU, { maxAgeMs: 1_000 });
    await client.call(getSpot, XAU, { maxAgeMs: 1_000 });
    expect(served.asked).toHaveLength(3);
    await client.call(getSpot, XAU, { maxAgeMs: 0 });
    expect(served.asked).toHaveLength(4);
    await expect(client.call(getSpot, XAU, { maxAgeMs: -1 })).rejects.toThrow(RangeError);
  });

  test("never returns an answer to another key or other parameters", async () => {
    const served = await counting();
    const options = { cache: { maxAgeMs: 5_000 } };
    const client = clientOf(served, { ...options, apiKey: "first-key-0001" });
    await client.call(getSpot, XAU);
    await client.call(getSpot, XAU, { headers: { authorization: "Bearer second-key-0002" } });
    await client.call(getSpot, { symbol: "XAG" });
    await clientOf(served, { ...options, apiKey: "third-key-00003" }).call(getSpot, XAU);
    expect(served.asked).toHaveLength(4);
  });

  test("keeps only successful GETs, and drops all of them after a mutation", async () => {
    const replies = [
      { status: 404, body: { error: "not_found" } },
      { body: SPOT },
      { status: 201, body: { plaintext: "p" } },
      { body: SPOT },
    ];
    const served = await serve((_, index) => replies[index]);
    const client = clientOf(served, { cache: { maxAgeMs: 5_000 } });
    await expect(client.call(getSpot, XAU)).rejects.toThrow();
    await client.call(getSpot, XAU);
    await client.call(mintKey);
    await client.call(getSpot, XAU);
    expect(served.asked).toHaveLength(4);
  });

  test("keeps its answers over a computation", async () => {
    const served = await counting();
    const client = clientOf(served, { cache: { maxAgeMs: 5_000 } });
    await client.call(getSpot, XAU);
    await client.call(createQuotes, { currency: "EUR", items: [] });
    await client.call(getSpot, XAU);
    expect(served.asked.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  test("keeps a limited number of answers and drops the oldest first", async () => {
    const served = await counting();
    const client = clientOf(served, { cache: { maxAgeMs: 5_000, maxEntries: 2 } });
    for (const symbol of ["A", "B", "C", "B", "C", "A"]) await client.call(getSpot, { symbol });
    expect(served.asked.map(({ url }) => url.slice(-1))).toEqual(["A", "B", "C", "A"]);
  });

  test("keeps a limited number of characters over all answers", async () => {
    const served = await serve(() => ({ body: { ...SPOT, filler: "x".repeat(6_000_000) } }));
    const client = clientOf(served, { cache: { maxAgeMs: 5_000 } });
    for (const symbol of ["A", "B", "C", "B", "C", "A"]) await client.call(getSpot, { symbol });
    expect(served.asked.map(({ url }) => url.slice(-1))).toEqual(["A", "B", "C", "A"]);
  });
});
