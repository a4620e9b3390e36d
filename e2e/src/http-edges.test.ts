/** Requests no well-behaved client sends: each is refused cheaply, without affecting other clients. */
import { once } from "node:events";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./harness/call.ts";
import { type Folder, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { openRaw, type RawConnection, statusesIn } from "./harness/raw-http.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

const KIB = 1_024;

describe("a service on an open socket", () => {
  let folder: Folder;
  let service: Service;
  let key: string;
  const opened: RawConnection[] = [];
  const open = async (): Promise<RawConnection> => {
    const connection = await openRaw(service.url);
    opened.push(connection);
    return connection;
  };
  const mint = (headers: string): string =>
    `POST /v1/account/keys HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n\r\n`;
  /** Sends a request and reads until the peer closes. */
  const exchange = async (text: string, withinMs = 60_000): Promise<string> => {
    const connection = await open();
    connection.send(text);
    return connection.closed(withinMs);
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    const often = { rate_limit_per_minute: 100_000, monthly_quota: 100_000 };
    service = await startService({
      DATA_DIR: folder.path,
      FEEDS: await replayFile(folder, [at(Date.now() - 20 * 60_000, gold("replay-a", "4000.00"))]),
      TIERS_FILE: await folder.write(
        "tiers.json",
        JSON.stringify({ pro: often, keyless: { per_minute: 100_000, per_hour: 100_000 } }),
      ),
    });
    key = (await readDemoKeys(folder.path)).pro;
  });
  afterEach(async () => {
    for (const connection of opened.splice(0)) connection.destroy();
    // Whatever was sent, other clients are still served.
    expect((await ask(service.url, "/v1/spot/gold", { key })).status).toBe(200);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("refuses a body over 64 KiB by its Content-Length, without reading it", async () => {
    // No part of the body is sent, so that an answer shows the server did not wait for it.
    const connection = await open();
    connection.send(mint(`Content-Length: ${64 * KIB + 1}`));
    expect(statusesIn(await connection.until(/payload_too_large/))).toEqual([413]);
    // Beyond 512 KiB the body would not be dropped either.
    const received = await exchange(mint(`Content-Length: ${512 * KIB + 1}`));
    expect(statusesIn(received)).toEqual([413]);
    expect(received).toContain('"error":"payload_too_large"');
    expect(received).toMatch(/^connection: close\r$/im);
  });

  it("accepts a body of 64 KiB", async () => {
    const connection = await open();
    connection.send(`${mint(`Content-Length: ${64 * KIB}`)}{"name":"${"x".repeat(64 * KIB - 11)}"}`);
    // Read completely, and refused for its content.
    expect(statusesIn(await connection.until(/validation_error/))).toEqual([422]);
  });

  it("refuses a body without a Content-Length that grows over 64 KiB, and stops reading", async () => {
    const connection = await open();
    connection.send(mint("Transfer-Encoding: chunked"));
    const chunk = `${(16 * KIB).toString(16)}\r\n${"x".repeat(16 * KIB)}\r\n`;
    let sent = 0;
    while (!connection.isClosed() && sent < 64 * 1_024 * KIB) {
      // Behind what is read, a writer waits.
      const isRead = connection.socket.write(chunk) || connection.isClosed();
      sent += 16 * KIB;
      // Whoever writes into a connection that is being closed meets an error; what was answered is read all the same.
      const drained = once(connection.socket, "drain").catch(() => undefined);
      if (!isRead) await Promise.race([drained, connection.closed(60_000)]);
    }
    expect(statusesIn(await connection.until(/HTTP/))).toEqual([413]);
    expect(sent).toBeLessThan(64 * 1_024 * KIB);
  });

  it("refuses headers over 8 KiB with 431", async () => {
    const received = await exchange(`GET /v1/health HTTP/1.1\r\nHost: assay\r\nX-Long: ${"x".repeat(9 * KIB)}\r\n\r\n`);
    expect(statusesIn(received)).toEqual([431]);
  });

  it("accepts headers just below 8 KiB", async () => {
    const connection = await open();
    connection.send(`GET /v1/health HTTP/1.1\r\nHost: assay\r\nX-Long: ${"x".repeat(7 * KIB)}\r\n\r\n`);
    expect(statusesIn(await connection.until(/"status":"ok"/))).toEqual([200]);
  });

  it("reads all headers within the limit, so that a body behind two thousand of them is never another request", async () => {
    const smuggled = "GET /v1/health HTTP/1.1\r\nHost: assay\r\n\r\n";
    const many = "a:\r\n".repeat(2_000);
    for (const offer of ["", "Upgrade: h2c\r\nConnection: Upgrade\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n"]) {
      const late = `X-Request-Id: late\r\nContent-Length: ${smuggled.length}\r\nConnection: close\r\n`;
      const received = await exchange(`POST /v1/nothing HTTP/1.1\r\nHost: assay\r\n${offer}${many}${late}\r\n${smuggled}`);
      expect(statusesIn(received)).toEqual([404]);
      expect(received).toMatch(/^x-request-id: late\r$/im);
    }
  });

  it("refuses a tRPC batch by its names alone, however many there are", async () => {
    const names = Array.from({ length: 3_900 }, () => "a").join(",");
    const received = await exchange(`GET /trpc/${names}?batch=1 HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n`);
    expect(statusesIn(received)).toEqual([400]);
    expect(received.length).toBeLessThan(2 * KIB);
  });

  it("cuts a client off that sends its headers a byte at a time", async () => {
    const connection = await open();
    const startMs = performance.now();
    const text = `GET /v1/health HTTP/1.1\r\nHost: assay\r\nX-Slow: ${"x".repeat(1_000)}`;
    for (let index = 0; index < text.length && !connection.isClosed(); index += 1) {
      connection.send(text[index] ?? "");
      await sleep(100);
    }
    const tookMs = performance.now() - startMs;
    expect(statusesIn(connection.received())).toEqual([408]);
    expect(tookMs).toBeGreaterThan(9_000);
  });

  it.each([
    ["no request line", "\x16\x03\x01\x02\x00 hello\r\n\r\n"],
    ["a method that does not exist", "BREW /v1/health HTTP/1.1\r\nHost: assay\r\n\r\n"],
    ["a version that does not exist", "GET /v1/health HTTP/7.3\r\nHost: assay\r\n\r\n"],
    ["a request without a host", "GET /v1/health HTTP/1.1\r\n\r\n"],
    ["two lengths", mintBody("Content-Length: 2\r\nContent-Length: 3")],
    ["a length and chunks, as smugglers send", mintBody("Content-Length: 2\r\nTransfer-Encoding: chunked")],
    ["a length that is no number", mintBody("Content-Length: two")],
    ["a header with a line feed in it", "GET /v1/health HTTP/1.1\r\nHost: assay\r\nX-Bad: a\nb\r\n\r\n"],
  ])("refuses %s with 400 and ends the connection", async (_what, text) => {
    const received = await exchange(text);
    expect(statusesIn(received)).toEqual([400]);
    expect(received).not.toMatch(/Error:|node:|at \//);
  });

  it("answers pipelined requests in their order, each whole", async () => {
    const connection = await open();
    const ids = Array.from({ length: 20 }, (_, index) => `pipelined-${index}`);
    const paths = ["/v1/health", "/v1/spot/gold", "/v1/spot/garbage", "/v1/nowhere"];
    connection.send(
      ids.map((id, index) => `GET ${paths[index % 4]} HTTP/1.1\r\nHost: assay\r\nX-Request-Id: ${id}\r\n\r\n`).join(""),
    );
    const received = await connection.until(/pipelined-19[\s\S]*"request_id"/);
    expect(statusesIn(received)).toEqual(ids.map((_, index) => [200, 200, 400, 404][index % 4]));
    expect([...received.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id)).toEqual(ids);
  });

  it("refuses a very long path: 422 while it fits the headers, 431 beyond", async () => {
    const fits = await open();
    fits.send(`GET /v1/spot/${"A".repeat(6 * KIB)} HTTP/1.1\r\nHost: assay\r\n\r\n`);
    expect(statusesIn(await fits.until(/request_id/))).toEqual([422]);
    expect(statusesIn(await exchange(`GET /v1/spot/${"A".repeat(12 * KIB)} HTTP/1.1\r\nHost: assay\r\n\r\n`))).toEqual([431]);
  });

  it.each([
    ["/v1/spot/%ZZ", [400, 404, 422]],
    ["/v1/spot/%00", [400, 422]],
    ["/v1/spot/%E0%A4%A", [400, 404, 422]],
    ["/v1/spot/..%2f..%2fetc%2fpasswd", [400, 404]],
    ["//v1/health", [404]],
    ["/v1/../v1/health", [200, 404]],
    ["/v1/spot/gold?include=%ZZ", [200, 422]],
    ["/v1/prices?symbol=XAU&symbol=XAG", [422]],
    ["/trpc/spot.get?input=%7Bnot-json", [400]],
    ["/trpc/__proto__.constructor", [400, 404]],
    ["*", [400, 404]],
  ])("answers %s with a refusal, never with a 500", async (path, statuses) => {
    const connection = await open();
    connection.send(`GET ${path} HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n`);
    const received = await connection.closed(5_000);
    expect(statuses).toContain(statusesIn(received)[0]);
  });

  it("answers HEAD with GET's headers and no body, and goes on with the next request", async () => {
    const connection = await open();
    const request = (method: string) => `${method} /v1/spot/gold HTTP/1.1\r\nHost: assay\r\nX-Request-Id: head\r\n\r\n`;
    connection.send(request("HEAD") + request("GET"));
    const received = await connection.until(/\{"symbol"[\s\S]*\}/);
    expect(statusesIn(received)).toEqual([200, 200]);
    const [head = "", get = ""] = received.split(/(?=HTTP\/1\.1 )/);
    expect(head).toMatch(/\r\n\r\n$/);
    const FRAMING: readonly string[] = ["content-length", "transfer-encoding"];
    const namesOf = (text: string): string[] =>
      (text.split("\r\n\r\n")[0] ?? "")
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(":")[0]?.toLowerCase() ?? "")
        .filter((name) => !FRAMING.includes(name))
        .toSorted();
    expect(namesOf(head)).toContain("x-ratelimit-limit");
    expect(namesOf(head)).toEqual(namesOf(get));
  });

  it("reveals nothing to browsers of other sites: no CORS headers, on a preflight or on an answer", async () => {
    const preflight = await ask(service.url, "/v1/spot/gold", {
      method: "OPTIONS",
      headers: { origin: "https://example.com", "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(405);
    expect(preflight.headers.get("allow")).toMatch(/GET/);
    const answer = await ask(service.url, "/v1/spot/gold", { headers: { origin: "https://example.com" } });
    for (const { headers } of [preflight, answer]) {
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  it("accepts no offer of another protocol", async () => {
    const connection = await open();
    connection.send(
      "GET /v1/health HTTP/1.1\r\nHost: assay\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
    );
    expect(statusesIn(await connection.until(/"status":"ok"/))).toEqual([200]);
  });

  it("is not affected by clients that leave in the middle of everything", async () => {
    await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const connection = await openRaw(service.url);
        const text = `GET /v1/prices?include=all HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${key}\r\n\r\n`;
        connection.send(index % 3 === 0 ? text.slice(0, 40) : text.repeat(5));
        for (let turns = index % 7; turns > 0; turns -= 1) await turn();
        connection.socket.resetAndDestroy();
      }),
    );
    expect((await ask(service.url, "/v1/health")).status).toBe(200);
  });

  it("has logged no error of its own through all of this", () => {
    expect(
      service
        .stderr()
        .split("\n")
        .filter((line) => /"level":"(error|fatal)"/.test(line)),
    ).toEqual([]);
    expect(service.child.exitCode).toBeNull();
  });
});

/** A request with a body of two bytes and the given framing. */
function mintBody(framing: string): string {
  return `POST /v1/account/keys HTTP/1.1\r\nHost: assay\r\n${framing}\r\n\r\n{}`;
}
