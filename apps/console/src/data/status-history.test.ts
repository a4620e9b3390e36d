import { expect, it } from "vitest";
import { withStatus } from "./status-history.ts";

const feed = (status: "ok" | "failing" | "waiting") => ({
  status,
  required: true,
  expected_interval_seconds: 5,
  last_success_at: null,
  age_seconds: null,
  consecutive_failures: 0,
  rejected_observations: 0,
  last_error: null,
});
const at = (checked_at: string, status: "ok" | "failing" | "waiting") => ({ checked_at, scrapers: { ecb: feed(status) } });
const minute = (text: string): number => Date.parse(text) / 60_000;

it("keeps the worst of each minute", () => {
  let seen = withStatus(new Map(), at("2026-11-20T14:03:10Z", "ok"));
  seen = withStatus(seen, at("2026-11-20T14:03:20Z", "failing"));
  seen = withStatus(seen, at("2026-11-20T14:03:30Z", "ok"));
  seen = withStatus(seen, at("2026-11-20T14:04:00Z", "ok"));
  expect([...seen]).toEqual([
    [minute("2026-11-20T14:03:00Z"), { ecb: "failing" }],
    [minute("2026-11-20T14:04:00Z"), { ecb: "ok" }],
  ]);
});

it("keeps an hour, however long the console is open", () => {
  let seen = withStatus(new Map(), at("2026-11-20T14:00:00Z", "ok"));
  for (let step = 1; step <= 200; step += 1) {
    seen = withStatus(seen, at(new Date(Date.parse("2026-11-20T14:00:00Z") + step * 60_000).toISOString(), "ok"));
  }
  expect(seen.size).toBe(60);
});
