import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { check } from "./check.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-check-"));
});
afterEach(() => rm(folder, { recursive: true }));

const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

test("a good environment has no faults, and nothing is made in its folder", async () => {
  const { faults, warnings, settings } = await check({ DATA_DIR: join(folder, "data"), PORT: "9000" });
  expect([faults, warnings]).toEqual([[], []]);
  expect(settings).toMatchObject({ port: 9000 });
});

test("every fault is named at once, with line and column in files", async () => {
  const { faults, warnings, settings } = await check({
    DATA_DIR: folder,
    PORT: "no port",
    LOG_LEVEL: "loud",
    METRIC_PORT: "9000",
    ARCHIVE_URL: "s3://bars/prod",
    FEEDS: `replay:${await file("day.ndjson", "{}\n")}`,
    TIERS_FILE: await file("tiers.json", '{\n  "free": { "monthly_quota": -1 }\n}\n'),
  });
  expect(settings).toBeNull();
  expect(faults).toEqual([
    expect.stringMatching(/^PORT is "no port"/),
    expect.stringMatching(/^TIERS_FILE is .*line 2, column 13: free\.monthly_quota: /),
    expect.stringMatching(/^LOG_LEVEL is "loud"/),
    expect.stringMatching(/^AWS_ACCESS_KEY_ID is not set/),
    expect.stringMatching(/day\.ndjson.* line 1|line 1/),
  ]);
  expect(warnings).toEqual(["METRIC_PORT is not a setting; is METRICS_PORT meant?"]);
});

test("one port for callers and the operator, and signing keys that cannot be read, are faults too", async () => {
  const { faults } = await check({
    DATA_DIR: folder,
    PORT: "9000",
    METRICS_PORT: "9000",
    SIGNING_KEY_FILE: await file("keys.json", "no keys"),
  });
  expect(faults).toEqual([expect.stringMatching(/^METRICS_PORT is "9000"/), expect.stringMatching(/^SIGNING_KEY_FILE is /)]);
});
