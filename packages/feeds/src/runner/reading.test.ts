/** Where a feed's requests go. */
import { expect, it } from "vitest";
import { LIVE_FEEDS } from "../catalog/catalog.ts";
import type { Upstream } from "../http/upstream.ts";
import { feedContext } from "./reading.ts";

const asking = async (laid: string | null): Promise<string[]> => {
  const feed = LIVE_FEEDS.find(({ info }) => info.key === "polymarket");
  if (!feed) return expect.fail("no such feed");
  const asked: string[] = [];
  const upstream: Upstream = {
    get: async (source, baseUrl, { path }) => {
      asked.push(`${source} ${baseUrl}${path}`);
      return { bytes: new Uint8Array(), receivedAtMs: 0 };
    },
  };
  const moment = { nowMs: 0, signal: new AbortController().signal, partial: () => undefined };
  const context = feedContext({ feed, baseUrl: laid ?? feed.baseUrl }, upstream, moment);
  await context.get({ path: "/events", expect: "json" });
  await context.get({ baseUrl: "https://clob.polymarket.com", path: "/books", expect: "json" });
  return asked;
};

it("queries a publisher's other host where the feed names it", async () => {
  expect(await asking(null)).toEqual([
    "polymarket https://gamma-api.polymarket.com/events",
    "polymarket https://clob.polymarket.com/books",
  ]);
});

it("queries only the operator's host once a base URL is laid over the feed's own", async () => {
  expect(await asking("https://mirror.example.com/p")).toEqual([
    "polymarket https://mirror.example.com/p/events",
    "polymarket https://mirror.example.com/p/books",
  ]);
});
