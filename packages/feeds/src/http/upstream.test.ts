/** The upstream client over real sockets: refusals, limits, headers, retries and the breaker. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { classOf, FeedError } from "../feed/error.ts";
import type { FeedRequest } from "../feed/feed.ts";
import { HTML_PAGE } from "../testing/samples.ts";
import { says, startUpstream, type UpstreamServer } from "../testing/upstream-server.ts";
import type { Patience } from "./policies.ts";
import { createUpstream } from "./upstream.ts";

const START_MS = Date.parse("2026-11-20T12:00:00Z");
const JSON_REQUEST: FeedRequest = { path: "/price/XAU", expect: "json" };

let server: UpstreamServer;
let nowMs: number;

beforeEach(async () => {
  nowMs = START_MS;
  server = await startUpstream(says(200, "{}"));
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** Without retries, so that one call is one request. */
const wayOut = (patience: Partial<Patience> = {}) =>
  createUpstream({
    nowMs: () => nowMs,
    patience: { retries: 0, breakAfter: 1000, ...patience },
  });

const never = new AbortController().signal;
const ask = (upstream = wayOut(), request = JSON_REQUEST, source = "gold-api") =>
  upstream.get(source, server.url, request, never);
const failure = async (asked: Promise<unknown>): Promise<FeedError> => {
  const thrown = await asked.then(
    () => expect.fail("it answered"),
    (error: unknown) => error,
  );
  if (!(thrown instanceof FeedError)) return expect.fail(`not a FeedError: ${String(thrown)}`);
  return thrown;
};

describe("a request", () => {
  it("names itself honestly and says what it accepts", async () => {
    await ask();
    await ask(wayOut(), { ...JSON_REQUEST, browserLike: true });
    expect(server.requests.map(({ headers }) => [headers["user-agent"], headers.accept])).toEqual([
      ["Assay/0.1.0", "application/json"],
      ["Mozilla/5.0 (compatible; Assay/0.1.0)", "application/json"],
    ]);
  });

  it("goes below the base URL's path", async () => {
    await wayOut().get("gold-api", `${server.url}/mirror`, { path: "/price/XAU?a=b", expect: "json" }, never);
    expect(server.requests[0]?.path).toBe("/mirror/price/XAU?a=b");
  });
});

describe("an answer", () => {
  it.each([
    ["404", says(404, "{}"), "status", "answered 404"],
    ["503", says(503, "{}"), "status", "answered 503"],
    ["204", says(204), "status", "answered 204"],
    ["304 to a first request", says(304), "payload", "answered not modified to a first request"],
    [
      "HTML with status 200",
      says(200, HTML_PAGE, { "content-type": "text/html" }),
      "payload",
      "answered HTML where JSON was expected",
    ],
    ["an empty body", says(200, " \n"), "payload", "the body is empty"],
    ["text", says(200, "rate limit exceeded"), "payload", "the body is not JSON"],
    ["too many bytes, said so", says(200, "[".repeat(2000)), "too-large", "the body is larger than 1000 bytes"],
    ["a redirect without a place", says(302), "redirect", "redirected to an unsupported address"],
    [
      "a redirect to another plain host",
      says(302, "", { location: "http://169.254.169.254/latest" }),
      "redirect",
      "redirected to an unsupported",
    ],
  ])("is refused: %s", async (_what, answer, kind, message) => {
    server.answer(answer);
    const error = await failure(ask(wayOut(), { ...JSON_REQUEST, maxBytes: 1000 }));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(message);
    expect(server.requests).toHaveLength(1);
  });

  it("is refused when more bytes come than announced", async () => {
    server.answer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      for (let piece = 0; piece < 100; piece++) response.write("[".repeat(1000));
      response.end();
    });
    expect((await failure(ask(wayOut(), { ...JSON_REQUEST, maxBytes: 1000 }))).kind).toBe("too-large");
  });

  it("is refused by its unpacked size, packed once or twice", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
    for (const [encoding, body] of [
      ["gzip", bomb],
      ["gzip, gzip", gzipSync(bomb)],
      ["br", brotliCompressSync(Buffer.alloc(64 * 1024 * 1024, " "), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ] as const) {
      server.answer(says(200, body, { "content-type": "application/json", "content-encoding": encoding }));
      const error = await failure(ask());
      expect([error.kind, error.message], encoding).toEqual(["too-large", "the body is larger than 8388608 bytes"]);
    }
  });

  it.each([
    ["html", 2, "<p>"],
    ["xml", 2, "<a>"],
    ["json", 8, "{"],
    ["text", 8, "a"],
  ] as const)("of %s may be %i MiB unless the feed says otherwise", async (kind, mib, start) => {
    const body = Buffer.alloc(mib * 1024 * 1024, " ");
    body.write(start);
    server.answer(says(200, body));
    expect((await ask(wayOut(), { path: "/", expect: kind })).bytes).toHaveLength(body.length);
    server.answer(says(200, Buffer.concat([body, Buffer.from(" ")])));
    expect((await failure(ask(wayOut(), { path: "/", expect: kind }))).kind).toBe("too-large");
  });

  it("is refused as HTML where XML or an archive was expected", async () => {
    server.answer(says(200, `\n${HTML_PAGE}`));
    for (const expect_ of ["xml", "zip"] as const) {
      const error = await failure(ask(wayOut(), { path: "/", expect: expect_ }));
      expect(error.message).toMatch(/answered HTML where/);
    }
  });

  it("is followed through three redirects and not through four", async () => {
    const hop = (left: number) => says(left === 0 ? 200 : 302, "{}", { location: `/hop/${left - 1}` });
    server.answer((request, response) => hop(Number(request.url?.split("/").at(-1)))(request, response));
    expect((await ask(wayOut(), { path: "/hop/3", expect: "json" })).bytes).toHaveLength(2);
    expect((await failure(ask(wayOut(), { path: "/hop/4", expect: "json" }))).kind).toBe("redirect");
  });

  it("that comes too slowly is abandoned, headers or body", async () => {
    const upstream = wayOut({ timeoutMs: 60 });
    server.answer(() => undefined);
    expect(await failure(ask(upstream))).toMatchObject({ kind: "timeout", message: "no complete answer in time" });
    server.answer((_request, response) => {
      response.writeHead(200).write("{");
    });
    expect((await failure(ask(upstream))).kind).toBe("timeout");
  });

  it("that never comes names no address in its error", async () => {
    await server.close();
    const error = await failure(ask());
    expect(error).toMatchObject({ kind: "unreachable", message: "no answer (ECONNREFUSED)" });
    expect(error.message).not.toContain("127.0.0.1");
  });

  it("from a host whose name is not found says so, also while the source is left alone", async () => {
    const fetch = () =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ENOTFOUND" }) }));
    const upstream = createUpstream({ nowMs: () => nowMs, fetch, patience: { retries: 0, breakAfter: 1, breakMs: 60_000 } });
    for (const message of ["DNS lookup failed (ENOTFOUND)", "DNS lookup failed (ENOTFOUND); paused after repeated failures"]) {
      const error = await failure(ask(upstream));
      expect([error.message, classOf(error)]).toEqual([message, "dns_lookup_failed"]);
    }
  });

  it("that breaks off is unreachable", async () => {
    server.answer((request) => request.socket.destroy());
    expect((await failure(ask())).kind).toBe("unreachable");
  });

  it("is abandoned once the caller stops", async () => {
    const stop = new AbortController();
    server.answer(() => stop.abort());
    expect((await failure(wayOut().get("gold-api", server.url, JSON_REQUEST, stop.signal))).kind).toBe("aborted");
  });
});

describe("manners", () => {
  it("sends one request at a time to a host, across sources", async () => {
    server.answer((_request, response) => setImmediate(() => response.end("{}")));
    const upstream = wayOut();
    await Promise.all(
      Array.from({ length: 12 }, (_, each) => ask(upstream, { path: `/${each}`, expect: "json" }, `source-${each % 3}`)),
    );
    expect(server.requests).toHaveLength(12);
    expect(server.mostAtOnce()).toBe(1);
  });

  it("queries another host meanwhile", async () => {
    const other = await startUpstream(says(200, "{}"));
    const upstream = wayOut({ timeoutMs: 500 });
    server.answer(() => undefined);
    const hanging = failure(ask(upstream));
    expect((await upstream.get("okx", other.url, JSON_REQUEST, never)).bytes).toHaveLength(2);
    expect((await hanging).kind).toBe("timeout");
    await other.close();
  });

  it("sends conditional requests, and uses the kept body while it is current", async () => {
    const upstream = wayOut();
    server.answer(says(200, '{"a":1}', { etag: '"v1"', "last-modified": "Fri, 20 Nov 2026 11:00:00 GMT" }));
    const first = await ask(upstream);
    server.answer(says(304));
    nowMs += 30_000;
    const second = await ask(upstream);
    expect(server.requests[1]?.headers).toMatchObject({
      "if-none-match": '"v1"',
      "if-modified-since": "Fri, 20 Nov 2026 11:00:00 GMT",
    });
    expect(Buffer.from(second.bytes).toString()).toBe('{"a":1}');
    expect([first.receivedAtMs, second.receivedAtMs]).toEqual([START_MS, START_MS + 30_000]);
    await ask(upstream);
    expect(server.requests[2]?.headers["if-none-match"]).toBe('"v1"');
  });

  it("sends no request before max-age is over, and dates the body by its arrival", async () => {
    const upstream = wayOut();
    server.answer(says(200, "{}", { "cache-control": "public, max-age=30", age: "10" }));
    await ask(upstream);
    nowMs += 19_999;
    expect((await ask(upstream)).receivedAtMs).toBe(START_MS);
    expect(server.requests).toHaveLength(1);
    nowMs += 1;
    await ask(upstream);
    expect(server.requests).toHaveLength(2);
  });

  it("keeps nothing under no-store and trusts nothing under no-cache", async () => {
    for (const directive of ["no-store, max-age=60", "no-cache, max-age=60"]) {
      server.answer(says(200, "{}", { "cache-control": directive, etag: '"x"' }));
      const upstream = wayOut();
      await ask(upstream);
      await ask(upstream);
    }
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined, '"x"']);
  });

  it("keeps a body it can revalidate, however many later ones cannot be", async () => {
    const upstream = wayOut();
    server.answer(says(200, "{}", { etag: '"v1"' }));
    await ask(upstream);
    server.answer(says(200, "{}"));
    for (let page = 0; page < 64; page += 1)
      await upstream.get("okx", server.url, { ...JSON_REQUEST, path: `/books/${page}` }, never);
    await ask(upstream);
    expect(server.requests.at(-1)?.headers["if-none-match"]).toBe('"v1"');
  });

  it.each([
    ["seconds", "120", 120_000],
    ["a date", new Date(START_MS + 90_000).toUTCString(), 90_000],
    ["a date of the past", new Date(START_MS - 90_000).toUTCString(), 0],
    ["more than a day", "9999999", 86_400_000],
  ])("stays away as long as Retry-After says, in %s", async (_what, header, holdMs) => {
    const upstream = wayOut();
    server.answer(says(503, "{}", { "retry-after": header }));
    expect((await failure(ask(upstream))).retryAtMs).toBe(START_MS + holdMs);
    server.answer(says(200, "{}"));
    nowMs += holdMs - 1;
    if (holdMs > 0) expect(await failure(ask(upstream))).toMatchObject({ kind: "held-off", retryAtMs: START_MS + holdMs });
    expect(server.requests).toHaveLength(1);
    nowMs += 1;
    await ask(upstream);
    expect(server.requests).toHaveLength(2);
  });

  it("stays away a minute when told of too many requests without a time", async () => {
    const upstream = wayOut();
    server.answer(says(429, "{}", { "retry-after": "soon" }));
    await failure(ask(upstream));
    nowMs += 59_999;
    expect((await failure(ask(upstream))).kind).toBe("held-off");
    expect(server.requests).toHaveLength(1);
  });
});

describe("patience", () => {
  it("retries after a transient fault, and not after a refusal", async () => {
    const upstream = wayOut({ retries: 2, retryDelayMs: 1 });
    let left = 2;
    server.answer((request, response) => says(left-- > 0 ? 502 : 200, "{}")(request, response));
    await ask(upstream);
    expect(server.requests).toHaveLength(3);
    server.answer(says(403, "{}"));
    await failure(ask(upstream));
    expect(server.requests).toHaveLength(4);
    server.answer(says(503, "{}", { "retry-after": "5" }));
    await failure(ask(upstream));
    expect(server.requests).toHaveLength(5);
  });

  it("gives up after its retries", async () => {
    server.answer(says(500, "{}"));
    expect((await failure(ask(wayOut({ retries: 1, retryDelayMs: 1 })))).message).toBe("answered 500");
    expect(server.requests).toHaveLength(2);
  });

  it("leaves a source alone after many failures in a row, and no other source", async () => {
    const upstream = wayOut({ breakAfter: 3, breakMs: 60_000 });
    server.answer(says(500, "{}"));
    for (let count = 0; count < 3; count++) await failure(ask(upstream));
    const skipped = await failure(ask(upstream));
    expect(skipped).toMatchObject({ kind: "circuit-open", message: "answered 500; paused after repeated failures" });
    expect(classOf(skipped)).toBe("http_500");
    expect(server.requests).toHaveLength(3);
    server.answer(says(200, "{}"));
    await ask(upstream, JSON_REQUEST, "kraken");
    expect(server.requests).toHaveLength(4);
  });

  it("probes a source it left alone after a while, and trusts it again when that succeeds", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const upstream = wayOut({ breakAfter: 1, breakMs: 30_000 });
    server.answer(says(500, "{}"));
    await failure(ask(upstream));
    server.answer(says(200, "{}"));
    expect((await failure(ask(upstream))).kind).toBe("circuit-open");
    // The pause is random, up to ten minutes.
    vi.setSystemTime(START_MS + 600_001);
    await ask(upstream);
    await ask(upstream);
    expect(server.requests).toHaveLength(3);
  });

  it("counts an HTML page for people as a failure of the source", async () => {
    const upstream = wayOut({ breakAfter: 2, breakMs: 60_000 });
    server.answer(says(200, HTML_PAGE));
    for (let count = 0; count < 2; count++) await failure(ask(upstream));
    expect((await failure(ask(upstream))).kind).toBe("circuit-open");
  });
});
