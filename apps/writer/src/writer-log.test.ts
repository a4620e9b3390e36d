import { HOUR_MS } from "@assay/contract";
import { FeedError } from "@assay/feeds";
import { beforeEach, describe, expect, test } from "vitest";
import { type WriterLog, writerLog } from "./writer-log.ts";

describe("the writer's log", () => {
  let nowMs: number;
  let lines: { readonly level: string; readonly said: string; readonly fields: Record<string, unknown> }[];
  let log: WriterLog;
  const write = (level: string) => (fields: Record<string, unknown>, said: string) => void lines.push({ level, said, fields });
  const seen = () => lines.filter(({ level }) => level !== "debug");
  const refuse = (rule: string, detail: string) => log.feed({ kind: "refused", feed: "alpha", rule, detail });

  beforeEach(() => {
    nowMs = 0;
    lines = [];
    log = writerLog({ info: write("info"), warn: write("warn"), debug: write("debug"), error: write("error") }, () => nowMs);
  });

  test("of a day of a dead feed is a few lines, without a stack", () => {
    const error = new FeedError("status", "answered 503", { status: 503 });
    for (; nowMs < 24 * HOUR_MS; nowMs += 5_000) {
      log.feed({ kind: "failed", feed: "alpha", error, partial: false });
      log.feed({ kind: "read", feed: "beta", whole: true });
    }
    log.feed({ kind: "read", feed: "alpha", whole: true });
    expect(seen().map(({ said }) => said)).toEqual([
      "a feed fails; retrying",
      ...Array.from({ length: 5 }, () => "a feed still fails; retrying"),
      "a feed works again",
    ]);
    expect(seen()[0]?.fields).toEqual({ feed: "alpha", class: "http_503", reason: "answered 503" });
    expect(seen().at(-1)?.fields).toMatchObject({ feed: "alpha", seconds: 86_400 });
    expect(JSON.stringify(seen())).not.toMatch(/\.ts:\d/);
  });

  test("says once that every feed fails, what to check, and once that feeds can be read again", () => {
    const error = new FeedError("dns", "DNS lookup failed (ENOTFOUND)");
    const feeds = ["alpha", "beta", "gamma", "delta", "epsilon"];
    for (const feed of feeds) log.feed({ kind: "read", feed, whole: true });
    const fail = (failing: readonly string[]): void => {
      for (const feed of failing) log.feed({ kind: "failed", feed, error, partial: false });
    };
    fail(feeds.slice(0, 2));
    nowMs += 5_000;
    expect(seen().map(({ said }) => said)).toEqual(["a feed fails; retrying", "a feed fails; retrying"]);
    for (; nowMs < 120_000; nowMs += 10_000) fail(feeds);
    for (const feed of feeds) log.feed({ kind: "read", feed, whole: true });
    expect(seen().map(({ said, fields }) => [said, fields["feed"]])).toEqual([
      ["a feed fails; retrying", "alpha"],
      ["a feed fails; retrying", "beta"],
      ["a feed fails; retrying", "gamma"],
      ["every feed fails; check the network", undefined],
      ["feeds can be read again", undefined],
      ["a feed works again", "alpha"],
      ["a feed works again", "beta"],
      ["a feed works again", "gamma"],
    ]);
    expect(seen()[3]?.fields).toMatchObject({ reason: error.message, feeds: 5 });
  });

  test("reports a feed that failed beside many others at its next failure, once any was read", () => {
    const error = new FeedError("timeout", "no complete answer in time");
    const fail = (feed: string) => log.feed({ kind: "failed", feed, error, partial: false });
    for (const feed of ["alpha", "beta", "gamma", "delta"]) fail(feed);
    log.feed({ kind: "read", feed: "epsilon", whole: true });
    fail("delta");
    expect(seen().map(({ fields }) => fields["feed"])).toEqual(["alpha", "beta", "gamma", "delta"]);
  });

  test("does not blame the network while any feed is read", () => {
    const error = new FeedError("timeout", "no complete answer in time");
    for (; nowMs < HOUR_MS; nowMs += 5_000) {
      for (const feed of ["alpha", "beta", "gamma"]) log.feed({ kind: "failed", feed, error, partial: false });
      if (nowMs % 10_000 === 5_000) log.feed({ kind: "read", feed: "delta", whole: true });
    }
    expect(seen().map(({ said }) => said)).toEqual(Array.from({ length: 3 }, () => "a feed fails; retrying"));
  });

  test("has no stack of an upstream's fault in a backfill, and one of ours", () => {
    log.fault(new FeedError("status", "answered 503", { status: 503 }), "alpha: failed to backfill its history");
    const ours = new Error("ours");
    log.fault(ours, "failed");
    expect(lines).toEqual([
      { level: "warn", said: "alpha: failed to backfill its history", fields: { class: "http_503", reason: "answered 503" } },
      { level: "error", said: "failed", fields: { err: ours } },
    ]);
  });

  test("reports a feed's failing part separately from the feed", () => {
    const error = new FeedError("status", "answered 404", { status: 404 });
    for (let turn = 0; turn < 10; turn += 1) {
      log.feed({ kind: "failed", feed: "alpha", error, partial: true });
      log.feed({ kind: "read", feed: "alpha", whole: false });
    }
    log.feed({ kind: "read", feed: "alpha", whole: true });
    expect(seen().map(({ said }) => said)).toEqual(["part of a feed fails; retrying", "part of a feed works again"]);
  });

  test("has the figures of a refusal once every four hours for each feed and rule, with a count of the others", () => {
    refuse("jump", "1");
    refuse("jump", "2");
    refuse("crossed", "3");
    nowMs = 4 * HOUR_MS;
    refuse("jump", "4");
    expect(lines.map(({ level, fields }) => `${level} ${fields["detail"]}`)).toEqual(["warn 1", "debug 2", "warn 3", "warn 4"]);
    expect(lines.at(-1)?.fields).toMatchObject({ others: 1 });
  });
});
