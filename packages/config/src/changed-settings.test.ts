/** What the first line of the log says of the settings. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changedSettings, DEFAULT_TEXTS } from "./changed-settings.ts";
import { parseSettings } from "./settings.ts";

const defaults = Object.fromEntries(
  Object.entries(DEFAULT_TEXTS).flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
);

test("a default that is written out is the default, and is not listed", () => {
  expect(parseSettings(defaults)).toEqual(parseSettings({}));
  expect(changedSettings(defaults)).toEqual({});
});

test("every setting of the reference is known, and no other", () => {
  const page = readFileSync(new URL("../../../docs/reference/settings.md", import.meta.url), "utf8");
  const cells = page.split("\n").flatMap((line) => /^\| (`.+?`) \|/.exec(line)?.[1] ?? []);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name));
  expect(Object.keys(DEFAULT_TEXTS).toSorted()).toEqual(names.toSorted());
});

test("what was changed is listed with its value, and nothing else of the environment", () => {
  const env = { PORT: "0", FEEDS: " gold-api ", FEED_GOLD_API_URL: "http://127.0.0.1:9", DRAIN_MS: "", HOME: "/root" };
  expect(changedSettings(env)).toEqual({ PORT: "0", FEEDS: "gold-api", FEED_GOLD_API_URL: "http://127.0.0.1:9" });
});

test("no secret is in it, whatever form it has", () => {
  const secret = "s3cr&t/x";
  const listed = changedSettings({
    DATABASE_URL: `postgres://assay:${encodeURIComponent(secret)}@db.example.com:5432/assay?sslpassword=s3cr-2&options=s3cr-3`,
    REDIS_URL: `redis://:${secret}@cache.example.com`,
    AWS_ACCESS_KEY_ID: "s3cr-4",
    AWS_SECRET_ACCESS_KEY: "s3cr-5",
    AWS_SESSION_TOKEN: "s3cr-6",
    BTMC_API_KEY: "s3cr-7",
    BTMC_API_KEY_FILE: "/run/secrets/btmc",
  });
  expect(JSON.stringify(listed)).not.toContain("s3cr");
  expect(listed).toMatchObject({ DATABASE_URL: "postgres://db.example.com:5432/assay", BTMC_API_KEY: "***" });
  expect(listed["BTMC_API_KEY_FILE"]).toBe("/run/secrets/btmc");
});
