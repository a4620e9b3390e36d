import { expect, test } from "vitest";
import { RefusalLog } from "./stream-reports.ts";

test("a minute holds twenty lines, and the next one says how many were left out", () => {
  let nowMs = 0;
  const lines: unknown[] = [];
  const log = new RefusalLog(
    { info: (fields, message) => void lines.push("count" in fields ? fields.count : message) },
    () => nowMs,
  );
  for (let at = 0; at < 50; at += 1) log.info({}, "ended");
  expect(lines).toEqual(Array(20).fill("ended"));
  nowMs = 60_000;
  log.info({}, "ended");
  expect(lines.slice(20)).toEqual([30, "ended"]);
});
