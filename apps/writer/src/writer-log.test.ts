import { expect, test } from "vitest";
import { writerLog } from "./writer-log.ts";

test("the log has the figures of a refusal, once a minute for each feed and rule, and the others at debug", () => {
  let nowMs = 0;
  const lines: string[] = [];
  const write = (level: string) => (fields: Record<string, unknown>) => void lines.push(`${level} ${fields["detail"]}`);
  const log = writerLog({ info: write("info"), warn: write("warn"), debug: write("debug"), error: write("error") }, () => nowMs);
  const refuse = (rule: string, detail: string) => log.feed({ kind: "refused", feed: "alpha", rule, detail });
  refuse("jump", "1");
  refuse("jump", "2");
  refuse("crossed", "3");
  nowMs = 60_000;
  refuse("jump", "4");
  expect(lines).toEqual(["warn 1", "debug 2", "warn 3", "warn 4"]);
});
