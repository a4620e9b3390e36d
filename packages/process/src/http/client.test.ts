/** How clients are identified, for requests of every kind. */
import type { IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRaw } from "../testing/raw-connection.ts";
import { clientAddress, keyOf, requestIdOf } from "./client.ts";
import { listenOn } from "./listen.ts";

/** How a server parses a request with these lines. */
const read = async <T>(look: (incoming: IncomingMessage) => T, ...lines: string[]): Promise<T> => {
  const seen: T[] = [];
  const { port, close } = await listenOn(
    (create, settings) =>
      create(settings, (incoming, response) => {
        seen.push(look(incoming));
        response.end();
      }),
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(() => close(0));
  const connection = await connectRaw(port, onTestFinished);
  connection.send(["GET / HTTP/1.1", "Host: a", "Connection: close", ...lines, "", ""].join("\r\n"));
  await connection.ended();
  const [first] = seen;
  return first === undefined ? expect.fail("no request arrived") : first;
};

const CONFLICT = { kind: "conflict" };
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
    ["two aliases", ["X-API-Key: one", "X-API-Key: two"], keyed("one, two")],
    ["a proxy's own", ["Proxy-Authorization: Bearer two", "Authorization: Bearer one"], keyed("one")],
  ])("of %s", async (_, lines, key) => {
    expect(await read((incoming) => ({ key: keyOf(incoming) }), ...lines)).toEqual({ key });
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
