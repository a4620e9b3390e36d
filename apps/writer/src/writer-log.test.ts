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
      log.feed({ kind: "failed", feed: "alpha", error, partial: false, isLocal: false });
      log.feed({ kind: "read", feed: "beta", whole: true, isLocal: false });
    }
    log.feed({ kind: "read", feed: "alpha", whole: true, isLocal: false });
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
    for (const feed of feeds) log.feed({ kind: "read", feed, whole: true, isLocal: false });
    const fail = (failing: readonly string[]): void => {
      for (const feed of failing) log.feed({ kind: "failed", feed, error, partial: false, isLocal: false });
    };
    fail(feeds.slice(0, 2));
    nowMs += 5_000;
    expect(seen().map(({ said }) => said)).toEqual(["a feed fails; retrying", "a feed fails; retrying"]);
    for (; nowMs < 120_000; nowMs += 10_000) fail(feeds);
    for (const feed of feeds) log.feed({ kind: "read", feed, whole: true, isLocal: false });
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
    expect(seen()[3]?.fields).toMatchObject({ class: "dns_lookup_failed", reason: error.message, feeds: 5 });
  });

  test("reports a feed that failed beside many others at its next failure, once any was read", () => {
    const error = new FeedError("timeout", "no complete answer in time");
    const fail = (feed: string) => log.feed({ kind: "failed", feed, error, partial: false, isLocal: false });
    for (const feed of ["alpha", "beta", "gamma", "delta"]) fail(feed);
    log.feed({ kind: "read", feed: "epsilon", whole: true, isLocal: false });
    fail("delta");
    expect(seen().map(({ fields }) => fields["feed"])).toEqual(["alpha", "beta", "gamma", "delta"]);
  });

  test("does not blame the network while any feed is read", () => {
    const error = new FeedError("timeout", "no complete answer in time");
    for (; nowMs < HOUR_MS; nowMs += 5_000) {
      for (const feed of ["alpha", "beta", "gamma"]) log.feed({ kind: "failed", feed, error, partial: false, isLocal: false });
      if (nowMs % 10_000 === 5_000) log.feed({ kind: "read", feed: "delta", whole: true, isLocal: false });
    }
    expect(seen().map(({ said }) => said)).toEqual(Array.from({ length: 3 }, () => "a feed fails; retrying"));
  });

  test("says again why a feed fails when that changes", () => {
    const fail = (error: FeedError) => log.feed({ kind: "failed", feed: "alpha", error, partial: false, isLocal: false });
    fail(new FeedError("timeout", "no complete answer in time"));
    nowMs = HOUR_MS;
    log.feed({ kind: "read", feed: "beta", whole: true, isLocal: false });
    fail(new FeedError("status", "answered 403", { status: 403 }));
    expect(seen().map(({ said, fields }) => [said, fields["class"]])).toEqual([
      ["a feed fails; retrying", "timeout"],
      ["a feed still fails; retrying", "http_403"],
    ]);
  });

  test("names every file that has become faulty, and takes a folder that can be read for no sign of a network", () => {
    const partial = (files: string) => {
      log.feed({ kind: "failed", feed: "files", error: new FeedError("payload", files), partial: true, isLocal: true });
      log.feed({ kind: "read", feed: "files", whole: false, isLocal: true });
    };
    const error = new FeedError("dns", "DNS lookup failed (ENOTFOUND)");
    for (; nowMs < 10 * 60_000; nowMs += 60_000) {
      partial(nowMs < 300_000 ? "GC.csv: empty" : "GC.csv: empty; SI.csv: empty");
      for (const feed of ["a", "b", "c", "d"]) log.feed({ kind: "failed", feed, error, partial: false, isLocal: false });
    }
    expect(seen().map(({ said, fields }) => [said, fields["reason"]])).toEqual([
      ["part of a feed fails; retrying", "GC.csv: empty"],
      ...["a", "b", "c"].map(() => ["a feed fails; retrying", error.message]),
      ["every feed fails; check the network", error.message],
      ["part of a feed still fails; retrying", "GC.csv: empty; SI.csv: empty"],
    ]);
  });

  test("says once that archives cannot be stored, again when the reason is another, and once that they are", () => {
    const full = { class: "no_space", reason: "XAU 2024: no space" };
    for (; nowMs < HOUR_MS; nowMs += 60_000) log.archives(full);
    log.archives({ class: "storage_unreachable", reason: "XAU 2024: no answer" });
    log.archives(null);
    log.archives(null);
    expect(seen().map(({ said, fields }) => [said, fields["class"]])).toEqual([
      ["archives cannot be stored; retrying every minute", "no_space"],
      ["archives still cannot be stored; retrying every minute", "storage_unreachable"],
      ["archives are stored again", undefined],
    ]);
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
      log.feed({ kind: "failed", feed: "alpha", error, partial: true, isLocal: false });
      log.feed({ kind: "read", feed: "alpha", whole: false, isLocal: false });
    }
    log.feed({ kind: "read", feed: "alpha", whole: true, isLocal: false });
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
