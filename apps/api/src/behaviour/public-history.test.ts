import { DAY_MS, HOUR_MS, MINUTE_MS } from "@assay/contract";
import { upsertBars } from "@assay/db";
import { fakeClock, makeBar, makeBars } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const PATH = "/v1/public/xau-history";
/** 2026-11-21T00:00:00Z */
const MIDNIGHT_MS = Date.UTC(2026, 10, 21);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    clock: fakeClock(MIDNIGHT_MS - HOUR_MS),
    before: (store) =>
      upsertBars(store, [
        ...makeBars("1d", MIDNIGHT_MS - DAY_MS, 500),
        makeBar({ interval: "1d", barStartMs: MIDNIGHT_MS, isClosed: false }),
      ]),
  });
});
afterAll(() => app.close());

test("is a year of daily closes, newest first", async () => {
  app.clock.set(MIDNIGHT_MS - HOUR_MS + 1);
  const { status, json } = await app.ask(PATH);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    symbol: "XAU-USD-SPOT",
    quote_currency: "USD",
    unit: "troy_ounce",
    interval: "1d",
    to: "2026-11-19",
    from: "2025-11-20",
    as_of: "2026-11-20T23:00:00Z",
    meta: { count: 365 },
  });
  expect(json.series).toHaveLength(365);
  expect(json.series[0]).toEqual({ date: "2026-11-19", close: "4002.01" });
  expect(json.series.at(-1).date).toBe("2025-11-20");
});

describe("an hour's edition", () => {
  test("is the same bytes for everyone in that hour, whatever is written meanwhile", async () => {
    app.clock.set(MIDNIGHT_MS + 5 * HOUR_MS);
    const first = await app.ask(PATH);
    await upsertBars(app.store, [makeBar({ interval: "1d", barStartMs: MIDNIGHT_MS - 2 * DAY_MS, close: "1.5" })]);
    app.clock.advance(HOUR_MS - 1);
    const last = await app.ask(PATH, { key: (await app.key("pro")).key });
    expect(last.text).toBe(first.text);
    expect(last.headers.get("etag")).toBe(first.headers.get("etag"));
    app.clock.advance(1);
    const next = await app.ask(PATH);
    expect(next.text).not.toBe(first.text);
    expect(next.json.as_of).toBe("2026-11-21T06:00:00Z");
  });

  test("may be cached until the hour ends, and no longer", async () => {
    const age = async (ms: number) => {
      app.clock.set(MIDNIGHT_MS + 7 * HOUR_MS + ms);
      return (await app.ask(PATH)).headers.get("cache-control");
    };
    expect(await age(0)).toBe("public, max-age=3600");
    expect(await age(HOUR_MS - 1_000)).toBe("public, max-age=1");
    expect(await age(30 * MINUTE_MS)).toBe("public, max-age=1800");
  });

  test("is made once for concurrent requests, and is never an earlier hour's", async () => {
    app.clock.set(MIDNIGHT_MS + 9 * HOUR_MS - 1);
    const before = app.ask(PATH);
    const questions = app.store.questions;
    app.clock.set(MIDNIGHT_MS + 9 * HOUR_MS);
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.ask(PATH)));
    await before;
    expect(new Set(replies.map(({ json }) => json.as_of))).toEqual(new Set(["2026-11-21T09:00:00Z"]));
    expect(app.store.questions - questions).toBeLessThanOrEqual(2);
  });
});

describe("a day's close", () => {
  test("appears with the first hour that begins when it is 15 minutes old", async () => {
    const newest = async (ms: number) => {
      app.clock.set(ms);
      return (await app.ask(PATH)).json.series[0].date;
    };
    expect(await newest(MIDNIGHT_MS - 1)).toBe("2026-11-19");
    expect(await newest(MIDNIGHT_MS)).toBe("2026-11-19");
    expect(await newest(MIDNIGHT_MS + HOUR_MS - 1)).toBe("2026-11-19");
    expect(await newest(MIDNIGHT_MS + HOUR_MS)).toBe("2026-11-20");
  });
});

describe("the validator", () => {
  test("is strong, and a client with the current edition gets 304 without a body", async () => {
    app.clock.set(MIDNIGHT_MS + 3 * HOUR_MS);
    const etag = (await app.ask(PATH)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{27}(?:-br|-gzip)?"$/);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, text, headers } = await app.ask(PATH, { headers: { "If-None-Match": header } });
      expect([status, text, headers.get("etag")], header).toEqual([304, "", etag]);
      expect(headers.get("cache-control")).toMatch(/^public, max-age=/);
      expect(headers.get("x-request-id")).toBeTruthy();
      expect(headers.get("content-type")).toBeNull();
    }
    for (const header of ['"other"', etag.slice(1, -1), ""]) {
      expect((await app.ask(PATH, { headers: { "If-None-Match": header } })).status, header).toBe(200);
    }
    expect((await app.ask(PATH, { method: "HEAD", headers: { "If-None-Match": etag } })).status).toBe(304);
  });
});

describe("its forms", () => {
  const FORMS = [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["identity", null],
    ["br;q=0, gzip;q=0", null],
  ] as const;

  test.each(FORMS)(
    "to a client that accepts %s is sent as %s, with a validator of its own and GET's headers for HEAD",
    async (accepts, encoding) => {
      app.clock.set(MIDNIGHT_MS + 5 * HOUR_MS);
      const headers = { "Accept-Encoding": accepts };
      const plain = await app.ask(PATH, { headers: { "Accept-Encoding": "identity" } });
      const sent = await app.ask(PATH, { headers });
      expect(sent.text).toBe(plain.text);
      expect(sent.headers.get("content-encoding")).toBe(encoding);
      expect(sent.headers.get("vary")).toBe("Accept, Accept-Encoding");
      const etag = sent.headers.get("etag") ?? "";
      expect(etag).toBe(`${plain.headers.get("etag")?.slice(0, -1)}${encoding === null ? "" : `-${encoding}`}"`);
      const length = Number(sent.headers.get("content-length"));
      if (encoding === null) expect(length).toBe(Buffer.byteLength(plain.text));
      else expect(length).toBeLessThan(Buffer.byteLength(plain.text) / 2);

      const head = await app.ask(PATH, { method: "HEAD", headers });
      for (const name of ["content-length", "content-encoding", "content-type", "etag", "vary", "cache-control"]) {
        expect(head.headers.get(name), name).toBe(sent.headers.get(name));
      }
      for (const held of [etag, `W/${etag}`, "*"]) {
        expect((await app.ask(PATH, { headers: { ...headers, "If-None-Match": held } })).status, held).toBe(304);
      }
    },
  );

  test("are not taken for each other: the validator of one does not answer 304 for another", async () => {
    const etag = (await app.ask(PATH, { headers: { "Accept-Encoding": "br" } })).headers.get("etag") ?? "";
    expect((await app.ask(PATH, { headers: { "Accept-Encoding": "gzip", "If-None-Match": etag } })).status).toBe(200);
  });

  test("are those of JSON alone: CSV is made from the plain bytes", async () => {
    const { headers, text } = await app.ask(`${PATH}?format=csv`, { headers: { "Accept-Encoding": "br" } });
    expect(headers.get("content-encoding")).toBeNull();
    expect(text).toMatch(/^date,close\r\n/);
  });
});

describe("while the store is down", () => {
  test("the last edition is served, uncacheable; without one it is unavailable, and back as soon as the store is", async () => {
    app.clock.set(MIDNIGHT_MS + 12 * HOUR_MS);
    const known = await app.ask(PATH);
    app.store.break();
    app.clock.advance(HOUR_MS);
    const stale = await app.ask(PATH);
    expect([stale.status, stale.text]).toEqual([200, known.text]);
    expect(stale.headers.get("cache-control"), "the next edition may be there in a moment").toBe("no-store");
    app.store.recover();
    expect((await app.ask(PATH)).json.as_of).toBe("2026-11-21T13:00:00Z");

    const cold = await startTestApp({ store: app.store, clock: app.clock });
    cold.store.break();
    const refused = await cold.ask(PATH);
    expect([refused.status, refused.json.error]).toEqual([503, "service_unavailable"]);
    expect(refused.headers.get("retry-after")).toBeTruthy();
    cold.store.recover();
    expect((await cold.ask(PATH)).status).toBe(200);
    await cold.close();
  });
});
