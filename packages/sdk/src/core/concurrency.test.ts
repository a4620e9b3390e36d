/** How many requests are under way, on a real service. */
import { expect, test } from "vitest";
import { testClock } from "../testing/clock.ts";
import { getSpot, SPOT } from "../testing/operations.ts";
import { type Reply, serve } from "../testing/serve.ts";
import { Client } from "./client.ts";

const limits = (remaining: number, seconds: number): Record<string, string> => ({
  "x-ratelimit-limit": "60",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": "1795183200",
  "ratelimit-policy": '"minute";q=60;w=60',
  ratelimit: `"minute";r=${remaining};t=${seconds}`,
});

/** A service whose answers the test releases. */
const held = async (headers: (index: number) => Record<string, string> = () => ({})) => {
  const open: (() => void)[] = [];
  const served = await serve(
    (_, index) =>
      new Promise<Reply>((resolve) => {
        open.push(() => resolve({ body: SPOT, headers: headers(index) }));
      }),
  );
  return { ...served, open };
};

const clientOf = (baseUrl: string, maxConcurrent: number, clock = testClock()): Client =>
  new Client({ baseUrl, apiKey: null, logLevel: "off", maxRetries: 0, maxConcurrent }, undefined, clock);
const ask = (client: Client, symbol: string, signal?: AbortSignal) => client.call(getSpot, { symbol }, { signal });

test("no more are under way than maxConcurrent, and the rest follow in order", async () => {
  const { url, asked, open } = await held();
  const client = clientOf(url, 2);
  const calls = ["a", "b", "c", "d", "e"].map((symbol) => ask(client, symbol));
  for (let done = 0; done < calls.length; done += 1) {
    await expect.poll(() => open.length).toBe(Math.min(calls.length, done + 2));
    open[done]?.();
    await calls[done];
  }
  expect(asked.map((each) => each.url.at(-1)).join("")).toBe("abcde");
});

test("a failed request gives its place back, and an aborted one leaves the queue", async () => {
  const { url, asked } = await serve(() => ({ status: 404 }));
  const client = clientOf(url, 1);
  const stop = new AbortController();
  const calls = [ask(client, "a"), ask(client, "b", stop.signal), ask(client, "c")];
  stop.abort();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
  await expect(calls[1]).rejects.toMatchObject({ name: "RequestAbortedError" });
  expect(asked.map((each) => each.url.at(-1)).join("")).toBe("ac");
});

test("nothing is sent while the service says that nothing is left, for up to a minute", async () => {
  const { url } = await serve((_, index) => ({ body: SPOT, headers: limits(index % 2, index < 2 ? 7 : 61) }));
  const clock = testClock();
  const client = clientOf(url, 8, clock);
  for (const symbol of ["a", "b", "c", "d"]) await ask(client, symbol);
  expect(clock.waits).toEqual([7_000]);
});

test("no more are sent at once than the service has left", async () => {
  const { url, open } = await held((index) => (index === 0 ? limits(2, 30) : {}));
  const client = clientOf(url, 8);
  const first = ask(client, "a");
  await expect.poll(() => open.length).toBe(1);
  open[0]?.();
  await first;
  const calls = ["b", "c", "d"].map((symbol) => ask(client, symbol));
  await expect.poll(() => open.length).toBe(3);
  open[1]?.();
  await calls[0];
  await expect.poll(() => open.length).toBe(4);
  for (const answer of open) answer();
  await Promise.all(calls);
});

test.each([0, -1, 1.5, Number.NaN])("a maxConcurrent of %d is refused", (maxConcurrent) => {
  expect(() => clientOf("http://127.0.0.1:1", maxConcurrent)).toThrow(RangeError);
});
