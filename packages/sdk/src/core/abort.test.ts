import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { testClock } from "../testing/clock.ts";
import { getSpot, listBars, SPOT } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { RequestAbortedError, RequestTimeoutError } from "./errors.ts";
import { listPages } from "./pages/list-pages.ts";
import { realClock } from "./runtime.ts";

const NO_CLASSES = { byCode: {}, byStatus: {} };
const options = { apiKey: null, maxRetries: 0, logLevel: "off" } as const;

test("a signal aborts a call that waits for its answer, and its request", async () => {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { url, asked } = await serve((_, __, response) => {
    response.on("close", close);
    controller.abort("enough");
    return undefined;
  });
  const controller = new AbortController();
  const call = new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" }, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ name: "RequestAbortedError", cause: "enough" });
  await closed;
  expect(asked).toHaveLength(1);
});

test("a signal already aborted sends nothing", async () => {
  const { url, asked } = await serve(() => ({ body: SPOT }));
  const call = new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" }, { signal: AbortSignal.abort() });
  await expect(call).rejects.toThrow(RequestAbortedError);
  expect(asked).toEqual([]);
});

test("a signal aborts a call while the body is read", async () => {
  const controller = new AbortController();
  const { url } = await serve((_, __, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"symbol":', () => setImmediate(() => controller.abort()));
    return undefined;
  });
  const call = new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" }, { signal: controller.signal });
  await expect(call).rejects.toThrow(RequestAbortedError);
});

test("a signal aborts a wait between two attempts", async () => {
  const controller = new AbortController();
  const around = {
    ...testClock(),
    sleep: (_: number, signal: AbortSignal | undefined) => {
      setImmediate(() => controller.abort("enough"));
      return realClock.sleep(60_000, signal);
    },
  };
  const { url, asked } = await serve(() => ({ status: 503 }));
  const client = new Client({ ...options, baseUrl: url, maxRetries: 2 }, NO_CLASSES, around);
  const call = client.call(getSpot, { symbol: "XAU" }, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ name: "RequestAbortedError", cause: "enough" });
  expect(asked).toHaveLength(1);
});

test("a signal aborts a list between its pages", async () => {
  const controller = new AbortController();
  const { url, asked } = await serve((_, index) => ({
    body: { bars: [{ bar_start: "2026-11-20T00:00:00Z" }], next_cursor: `c${index}` },
  }));
  const list = listPages(new Client({ ...options, baseUrl: url }), listBars, {}, { signal: controller.signal });
  const walk = async (): Promise<void> => {
    for await (const _ of list) if (asked.length === 3) controller.abort();
  };
  await expect(walk()).rejects.toThrow(RequestAbortedError);
  expect(asked).toHaveLength(3);
});

test("an attempt that takes too long is aborted and retried", async () => {
  const { url, asked } = await serve((_, index) => (index === 0 ? undefined : { body: SPOT }));
  const client = new Client({ ...options, baseUrl: url, timeoutMs: 500, maxRetries: 1 }, NO_CLASSES, testClock());
  expect((await client.call(getSpot, { symbol: "XAU" })).symbol).toBe("XAU");
  expect(asked).toHaveLength(2);
});

test("the timeout of an attempt covers its body", async () => {
  const { url } = await serve((_, __, response) => {
    response.writeHead(200);
    response.write("{");
    return undefined;
  });
  const call = new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" }, { timeoutMs: 50 });
  await expect(call).rejects.toThrow(new RequestTimeoutError(`No whole answer within 50 ms: GET ${url}/v1/spot/XAU`));
});

test("a fetch that ignores signals cannot hold a call up", async () => {
  const deaf = () => new Promise<Response>(() => {});
  const client = new Client({ ...options, fetch: deaf });
  await expect(client.call(getSpot, { symbol: "XAU" }, { timeoutMs: 10 })).rejects.toThrow(RequestTimeoutError);
  const controller = new AbortController();
  const call = client.call(getSpot, { symbol: "XAU" }, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toThrow(RequestAbortedError);
});

/** A signal that counts who listens to it. */
const countedSignal = () => {
  const { signal } = new AbortController();
  const listening = { added: 0, removed: 0 };
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening.added += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening.removed += 1;
    remove(...args);
  };
  return { signal, listening };
};

test("no timer and no listener outlives its call", async () => {
  const { url } = await serve((_, index) => (index === 0 ? { status: 404 } : { body: SPOT }));
  const { signal, listening } = countedSignal();
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const client = new Client({ ...options, baseUrl: url, timeoutMs: 86_400_000 });
  await client.call(getSpot, { symbol: "XAU" }, { signal }).catch(() => undefined);
  await client.call(getSpot, { symbol: "XAU" }, { signal });
  expect(listening).toEqual({ added: 2, removed: 2 });
  expect(timers()).toBeLessThanOrEqual(before + 2); // the connection's own
});

test.each([
  ["read", (response: Response) => response.text()],
  ["cancelled", (response: Response) => response.body?.cancel()],
])("no listener outlives the body of a response that is %s", async (_, end) => {
  const { url } = await serve(() => ({ body: SPOT }));
  const { signal, listening } = countedSignal();
  const response = await new Client({ ...options, baseUrl: url }).call(getSpot, { symbol: "XAU" }, { signal }).asResponse();
  expect(response.url).toBe(`${url}/v1/spot/XAU`);
  await end(response);
  expect(listening.added).toBeGreaterThan(0);
  expect(listening.removed).toBe(listening.added);
});

test("no listener outlives a response that is dropped with its body unread", async () => {
  const { url } = await serve(() => ({ body: SPOT }));
  const { signal } = new AbortController();
  const client = new Client({ ...options, baseUrl: url });
  const drop = async (): Promise<number> => (await client.call(getSpot, { symbol: "XAU" }, { signal }).asResponse()).status;
  expect(await drop()).toBe(200);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  await vi.waitFor(() => {
    collect();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  }, 10_000);
});

test("a body is aborted by its signal also when only the body was kept", async () => {
  const { url } = await serve((_, __, response) => {
    response.writeHead(200);
    response.write("{");
    return undefined;
  });
  const stop = new AbortController();
  const client = new Client({ ...options, baseUrl: url });
  const { body } = await client.call(getSpot, { symbol: "XAU" }, { signal: stop.signal }).asResponse();
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const reader = body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("{");
  stop.abort("enough");
  await expect(reader?.read()).rejects.toBe("enough");
});

test("a signal shared by many calls has one listener: Node warns from the eleventh on", async () => {
  const { url, asked } = await serve(() => (asked.length < 20 ? undefined : void controller.abort("enough")));
  const controller = new AbortController();
  const { signal } = controller;
  const client = new Client({ ...options, baseUrl: url });
  const calls = Array.from({ length: 20 }, () => client.call(getSpot, { symbol: "XAU" }, { signal }));
  const ended = Promise.allSettled(calls);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  expect(new Set((await ended).map((each) => each.status === "rejected" && each.reason.cause))).toEqual(new Set(["enough"]));
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test.each([0, -1, Number.NaN])("a timeout of %d is refused", async (timeoutMs) => {
  expect(() => new Client({ ...options, timeoutMs })).toThrow(RangeError);
  await expect(new Client(options).call(getSpot, { symbol: "XAU" }, { timeoutMs })).rejects.toThrow(RangeError);
});

test("the stack of a timeout or an abort names the functions that awaited the call", async () => {
  const { url } = await serve(() => undefined);
  const awaitLate = async (more: object, settings: object): Promise<unknown> => {
    const client = new Client({ ...options, baseUrl: url, ...more });
    return (await client.call(getSpot, { symbol: "XAU" }, settings)).price;
  };
  const timeout = await awaitLate({}, { timeoutMs: 10 }).catch((error: unknown) => error);
  expect(timeout).toMatchObject({ name: "RequestTimeoutError", stack: expect.stringContaining("awaitLate") });
  for (const more of [{}, { singleFlight: true }]) {
    const controller = new AbortController();
    const ended = awaitLate(more, { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort();
    expect(await ended).toMatchObject({ name: "RequestAbortedError", stack: expect.stringContaining("awaitLate") });
  }
});
