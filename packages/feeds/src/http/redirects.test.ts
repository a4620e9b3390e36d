/** Redirects of an upstream: only to the public internet, unless the operator's own base URL is elsewhere. */
import { expect, it } from "vitest";
import type { FeedError } from "../feed/error.ts";
import type { Fetch } from "./fetch-upstream.ts";
import { createUpstream } from "./upstream.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "publisher.example": ["93.184.216.34"],
  "cdn.example": ["93.184.216.35", "2606:4700::1111"],
  "inside.example": ["10.0.0.7"],
  "both.example": ["93.184.216.36", "127.0.0.1"],
  localhost: ["::1", "127.0.0.1"],
};

/** A feed's request to a base URL that answers with a chain of redirects and then a body. */
const ask = async (base: string, ...hops: string[]) => {
  const asked: string[] = [];
  const fetch: Fetch = async (url) => {
    asked.push(url.href);
    const location = hops[asked.length - 1];
    return location === undefined ? new Response("{}") : new Response(null, { status: 302, headers: { location } });
  };
  const resolve = async (name: string): Promise<readonly string[]> => NAMES[name] ?? Promise.reject(new Error("ENOTFOUND"));
  const upstream = createUpstream({ nowMs: () => 0, fetch, resolve, patience: { retries: 0, breakAfter: 1000 } });
  const outcome = await upstream.get("gold-api", base, { path: "/a", expect: "json" }, new AbortController().signal).then(
    () => "a body",
    ({ kind, message }: FeedError) => `${kind}: ${message}`,
  );
  return { outcome, asked };
};

const PUBLIC = "https://publisher.example";
const REFUSED = "redirect: redirected to a private address";

it.each([
  ["an address of this machine", "https://127.0.0.1/"],
  ["an address of a private network", "https://10.0.0.7/"],
  ["the address where clouds keep their secrets", "https://169.254.169.254/latest/meta-data"],
  ["an address written as a number", "https://2130706433/"],
  ["IPv4 in IPv6", "https://[::ffff:127.0.0.1]/"],
  ["a unique local address", "https://[fd00::1]/"],
  ["a provider's shared network", "https://100.64.0.1/"],
  ["no address", "https://0.0.0.0/"],
  ["a name of this machine", "https://localhost/"],
  ["a name of a private network", "https://inside.example/"],
  ["a name with a private address among others", "https://both.example/"],
])("a redirect to %s is refused before anything is sent there", async (_, location) => {
  expect(await ask(PUBLIC, location)).toEqual({ outcome: REFUSED, asked: [`${PUBLIC}/a`] });
});

it("is refused at a later hop as at the first", async () => {
  const { outcome, asked } = await ask(PUBLIC, "https://cdn.example/b", "https://inside.example/c");
  expect(outcome).toBe(REFUSED);
  expect(asked).toEqual([`${PUBLIC}/a`, "https://cdn.example/b"]);
});

it("is followed to another public host, and on the feed's own", async () => {
  expect((await ask(PUBLIC, "https://cdn.example/b", `${PUBLIC}/c`, "/d")).outcome).toBe("a body");
});

it("is not followed to a name without an address", async () => {
  expect((await ask(PUBLIC, "https://nowhere.example/")).outcome).toMatch(/^unreachable: /);
});

it.each(["https://inside.example", "http://127.0.0.1:8080", "http://[::1]:8080"])(
  "is followed to a private address from a base URL that is one itself: %s",
  async (base) => {
    expect((await ask(base, "/b", "https://10.0.0.9/c", "https://inside.example/d")).outcome).toBe("a body");
  },
);
