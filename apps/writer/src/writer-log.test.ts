import { HOUR_MS } from "@assay/contract";
import { FeedError } from "@assay/feeds";
import { beforeEach, describe, expect, test } from "vitest";
import { type WriterLog, writerLog } from "./writer-log.ts";

describe("the writer's log", () => {
  let nowMs: number;
  let lines: { readonly level: string; readonly said: string; readonly fields: Record<string, unknown> }[];
  let log: WriterLog;
  const write = (level: string) => (fields: Record<string, unknown>, said: string) => void lines.push({ level, said, fields });
  /** What is seen at the usual level. */
  const seen = () => lines.filter(({ level }) => level !== "debug");
  const refuse = (rule: string, detail: string) => log.feed({ kind: "refused", feed: "alpha", rule, detail });

  beforeEach(() => {
    nowMs = 0;
    lines = [];
    log = writerLog({ info: write("info"), warn: write("warn"), debug: write("debug"), error: write("error") }, () => nowMs);
  });

  test("of a day of a dead feed is a few lines, without a stack", () => {
    const error = new FeedError("status", "answered 503", { status: 503 });
    for (; nowMs < 24 * HOUR_MS; nowMs += 5_000) log.feed({ kind: "failed", feed: "alpha", error, partial: false });
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
