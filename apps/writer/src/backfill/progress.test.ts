/** What is told of long jobs where there is no terminal. */
import { expect, test } from "vitest";
import { loggedProgress } from "./progress.ts";

test("a line every five seconds, never of more than is done", () => {
  let nowMs = 0;
  const lines: string[] = [];
  const line = loggedProgress({ info: (message) => lines.push(message) }, () => nowMs).line("history", 300);
  for (let step = 0; step < 13; step += 1) {
    nowMs += 1_000;
    line.advance(25);
  }
  line.done();
  expect(lines).toEqual(["history: 41 %", "history: 83 %"]);
});

test("nothing of a job that is soon over", () => {
  const lines: string[] = [];
  const line = loggedProgress({ info: (message) => lines.push(message) }, () => 0).line("settlements", 10);
  line.advance(10);
  line.done();
  expect(lines).toEqual([]);
});
