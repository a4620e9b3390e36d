/** How clients are identified, for requests of every kind. */
import type { IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRaw } from "../testing/raw-connection.ts";
import { clientAddress, keyOf, keyOfOpenQuery, requestIdOf } from "./client.ts";
import { listenOn } from "./listen.ts";

const read = async <T>(look: (incoming: IncomingMessage) => T, ...lines: string[]): Promise<T> => {
  const seen: T[] = [];
  const { port, close } = await listenOn(
    (create, settings) =>
      create(settings, (incoming, response) => {
        seen.push(look(incoming));
        response.end();
      }),
    { host: "127.0.0.1", port: 0, maxPipelined: 32 },
  );
  onTestFinished(() => close(0));
  const connection = await connectRaw(port, onTestFinished);
  connection.send(["GET / HTTP/1.1", "Host: a", "Connection: close", ...lines, "", ""].join("\r\n"));
  await connection.ended();
  const [first] = seen;
  return first === undefined ? expect.fail("no request arrived") : first;
};

const CONFLICT = { kind: "conflict" };
const MISPLACED = { kind: "misplaced" };
const OURS = `assay_live_${"0".repeat(38)}`;
const basic = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString("base64");
const keyed = (key: string) => ({ kind: "key", key });

describe("the key of a request", () => {
  test.each([
    ["none", [], { kind: "none" }],
    ["a bearer", ["Authorization: Bearer one"], keyed("one")],
    ["the alias", ["X-API-Key: one"], keyed("one")],
    ["both, alike", ["Authorization: Bearer one", "X-API-Key: one"], keyed("one")],
    ["both, unlike", ["Authorization: Bearer one", "X-API-Key: two"], CONFLICT],
    ["two bearers", ["Authorization: Bearer one", "Authorization: Bearer two"], CONFLICT],
    ["two bearers alike", ["Authorization: Bearer one", "Authorization: Bearer one"], CONFLICT],
    ["two bearers, far apart and in other letters", ["AUTHORIZATION: Bearer one", "X: y", "authorization: Bearer two"], CONFLICT],
    ["two bearers and the alias", ["Authorization: Bearer one", "X-API-Key: one", "Authorization: Bearer two"], CONFLICT],
    ["an empty bearer before a good one", ["Authorization:", "Authorization: Bearer one"], CONFLICT],
    ["a bearer in other letters", ["Authorization: bEARER one"], keyed("one")],
    ["another scheme", ["Authorization: Basic dXNlcjpzZWNyZXQ="], { kind: "none" }],
    ["another scheme of several parts", ['Authorization: Digest username="a", realm="b"'], { kind: "none" }],
    ["another scheme, and the alias", ["Authorization: Basic dXNlcjpzZWNyZXQ=", "X-API-Key: one"], keyed("one")],
    ["another scheme, and a bearer", ["Authorization: Basic dXNlcjpzZWNyZXQ=", "Authorization: Bearer one"], CONFLICT],
    ["another scheme twice", ["Authorization: Basic YQ==", "Authorization: Basic Yg=="], CONFLICT],
    ["a scheme that begins with Bearer", ["Authorization: Bearers one"], { kind: "none" }],
    ["no scheme", ["Authorization: one"], keyed("")],
    ["no scheme, and the alias", ["Authorization: one", "X-API-Key: one"], CONFLICT],
    ["a bearer without a key", ["Authorization: Bearer"], keyed("")],
    ["a bearer of two words", ["Authorization: Bearer one two"], keyed("")],
    ["a bearer of two words, and the alias", ["Authorization: Bearer one two", "X-API-Key: one"], CONFLICT],
    ["an empty header", ["Authorization:"], keyed("")],
    ["two aliases", ["X-API-Key: one", "X-API-Key: two"], keyed("one, two")],
    ["a key of ours in the scheme Token", [`Authorization: Token ${OURS}`], MISPLACED],
    ["a key of ours in the scheme ApiKey", [`Authorization: apikey ${OURS}`], MISPLACED],
    ["a key of ours among parameters", [`Authorization: Token token="${OURS}", a=b`], MISPLACED],
    ["a key of ours as Basic's user", [`Authorization: Basic ${basic(OURS, "")}`], MISPLACED],
    ["a key of ours as Basic's password", [`Authorization: basic ${basic("api", OURS)}`], MISPLACED],
    ["a key of ours in another scheme, and the alias", [`Authorization: Token ${OURS}`, `X-API-Key: ${OURS}`], MISPLACED],
    ["a key of ours in api-key", [`api-key: ${OURS}`], MISPLACED],
    ["a key of ours in api-key twice", ["API-Key: one", `api-key: ${OURS}`], MISPLACED],
    ["another's api-key", ["api-key: one"], { kind: "none" }],
    ["a bearer, and the same in api-key", [`Authorization: Bearer ${OURS}`, `api-key: ${OURS}`], keyed(OURS)],
    ["another scheme that names our prefix alone", ["Authorization: Token assay_live_"], { kind: "none" }],
    ["a proxy's own", ["Proxy-Authorization: Bearer two", "Authorization: Bearer one"], keyed("one")],
  ])("of %s", async (_, lines, key) => {
    expect(await read((incoming) => ({ key: keyOf(incoming) }), ...lines)).toEqual({ key });
  });
});

describe("the key of a request to a door with an open query", () => {
  const readUrl = (url: string, headers = {}) => {
    // What the function reads of a request.
    const incoming = { url, headers, rawHeaders: Object.entries<string>(headers).flat() } as unknown as IncomingMessage;
    return keyOfOpenQuery(incoming);
  };

  test.each([
    ["/mcp", { kind: "none" }],
    ["/mcp?api_key=one", { kind: "none" }],
    [`/mcp?api_key=${OURS}`, MISPLACED],
    [`/udf/history?symbol=gold&api_key=${OURS.replaceAll("_", "%5F")}`, MISPLACED],
    [`/${OURS}`, { kind: "none" }],
  ])("is looked for in %s, so as to refuse it", (url, key) => {
    expect(readUrl(url)).toEqual(key);
  });

  test("is the header's, if that has one", () => {
    expect(readUrl(`/mcp?api_key=${OURS}`, { "x-api-key": OURS })).toEqual(keyed(OURS));
  });
});

describe("the id of a request", () => {
  const idsOf = (incoming: IncomingMessage) => [requestIdOf(incoming), requestIdOf(incoming)];

  test("is the caller's when it is well-formed", async () => {
    expect(await read(idsOf, "X-Request-Id: a.B_c-1")).toEqual(["a.B_c-1", "a.B_c-1"]);
    expect((await read(idsOf, `X-Request-Id: ${"x".repeat(64)}`))[0]).toHaveLength(64);
  });

  test.each([[], [""], ["a b"], ["a\u00e9"], ["a;b"], ["x".repeat(65)], ["one", "two"]])(
    "is made once, and stays, when the caller's is %j %j",
    async (...given) => {
      const [first, second] = await read(idsOf, ...given.map((id) => `X-Request-Id: ${id}`));
      expect(first).toMatch(/^[\w-]{20}$/);
      expect(second).toBe(first);
    },
  );
});

describe("the address behind trusted proxies", () => {
  const addressOf = clientAddress(["127.0.0.1", "10.0.0.0/8"]);

  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:4444", "192.0.2.7"],
    ["198.51.100.1, 192.0.2.7", "192.0.2.7"],
    ["192.0.2.7, 10.0.0.3", "192.0.2.7"],
    ["192.0.2.7, 10.0.0.3:4444", "192.0.2.7"],
    ["192.0.2.7:1, 10.0.0.3:4444, 10.0.0.4", "192.0.2.7"],
    ["198.51.100.1, 10.0.0.3:4444, 192.0.2.7", "192.0.2.7"],
    ["[2001:db8::3]:443, 10.0.0.3", "2001:db8:0:0::/64"],
  ])("of %s is that of the last untrusted one", async (written, address) => {
    const seen = await read((incoming) => ({ address: addressOf(incoming) }), `X-Forwarded-For: ${written}`);
    expect(seen).toEqual({ address });
  });
});
