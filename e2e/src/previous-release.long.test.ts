/** What the last release published, the contract test and the SDK with its programs, used against this service. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TIER_NAMES } from "@assay/contract";
import type { Report } from "@assay/contract-test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Examples, installExamples } from "./harness/examples.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { breaksIn, buildRelease, lastRelease, type Release, whyNoCommit } from "./harness/previous-release.ts";
import { endOf, type Service, spawnProgram, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 900_000 });

const CONTRACT_TEST = "packages/contract-test/bin/assay-contract-test.mjs";
const WITHIN_MS = 360_000;
const OFTEN = { rate_limit_per_minute: 1_000_000, monthly_quota: 10_000_000 };
const TIERS = {
  ...Object.fromEntries(TIER_NAMES.map((tier) => [tier, OFTEN])),
  keyless: { per_minute: 1_000_000, per_hour: 1_000_000 },
};

const commit = lastRelease();
const reason = commit === null ? "this clone has no release and no history" : whyNoCommit(commit);
if (reason !== null) console.info(`the last release against this service: skipped, because ${reason}`);

describe.skipIf(reason !== null)(`the release ${commit}`, { meta: { needs: reason ?? "" } }, () => {
  let folder: Folder;
  let release: Release;
  let service: Service;
  let keys: TierKeys;
  let examples: Examples;
  beforeAll(async () => {
    folder = await temporaryFolder();
    release = await buildRelease(commit ?? "");
    const tiers = await folder.write("tiers.json", JSON.stringify(TIERS));
    const settings = { DATA_DIR: join(folder.path, "data"), TIERS_FILE: tiers, DISABLE: "" };
    service = await startService(settings);
    keys = await readDemoKeys(settings.DATA_DIR);
    examples = await installExamples(release.folder);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await Promise.all([examples?.remove(), release?.remove(), folder?.remove()]);
  });

  it("has a contract test that finds nothing but additions", async () => {
    const given = TIER_NAMES.flatMap((tier) => ["--key", `${tier}=${keys[tier]}`]);
    const run = spawnProgram(release.folder, {}, [CONTRACT_TEST, "--base-url", service.url, ...given, "--json"]);
    const { code } = await endOf(run, WITHIN_MS);
    expect([0, 1], run.stderr()).toContain(code);
    const report: Report = JSON.parse(run.stdout());
    expect(report.wentAway).toBeUndefined();
    expect(report.results.filter(({ status }) => status === "passed").length).toBeGreaterThan(300);
    expect(breaksIn(report)).toEqual([]);
  });

  it("has an SDK whose programs get what they did", async () => {
    const as = { ASSAY_BASE_URL: service.url, ASSAY_API_KEY: keys.pro };
    const list = await examples.run(as, "price-list.mjs", "EUR", "12.5", "10");
    expect(list, list.stderr).toMatchObject({ code: 0 });
    expect(list.stdout).toMatch(/^EUR, spot of \S+\n(?: *\S.*\n){9}$/);
    const exported = await examples.run(as, "export-bars.mjs", "XAU-USD-SPOT", "1d", "2018-01-01", "2020-12-31", "gold.csv");
    expect(exported, exported.stderr).toMatchObject({ code: 0 });
    const lines = (await readFile(join(examples.folder, "gold.csv"), "utf8")).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(700);
  });
});
