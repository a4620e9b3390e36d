/** A hundred thousand requests generated from the contract's schemas, by callers of every tier, against a real service. */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { isChanging, overlayCatalog, TIER_NAMES, tierOverrides } from "@assay/contract";
import { EVERY_ROUTE, KEYLESS, keyed, namedRoutes } from "@assay/contract-test/requests";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";
import { runFuzz } from "./schema-fuzz/run.ts";

const COUNT = Number(process.env.FUZZ_REQUESTS ?? 100_000);
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(1_000_000_000));
/** Fewer requests than this may miss the rarest success, a link to an existing archive. */
const ENOUGH = 50_000;

vi.setConfig({ testTimeout: 15 * 60_000, hookTimeout: 600_000 });

const OFTEN = { rate_limit_per_minute: 10_000_000, monthly_quota: 100_000_000 };
const TIERS = {
  ...Object.fromEntries(TIER_NAMES.map((tier) => [tier, OFTEN])),
  keyless: { per_minute: 10_000_000, per_hour: 10_000_000 },
};

let folder: Folder;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  folder = await temporaryFolder();
  const tiers = await folder.write("tiers.json", JSON.stringify(TIERS));
  service = await startService({ DATA_DIR: join(folder.path, "data"), TIERS_FILE: tiers, TRUST_PROXY: "127.0.0.1", DISABLE: "" });
  keys = await readDemoKeys(join(folder.path, "data"));
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

it(`answers ${COUNT} requests made from the schemas by their schemas, and none with a 500`, async () => {
  console.info(`schema fuzz: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${COUNT}`);
  const startedMs = performance.now();
  const { requests, outcomes, faults } = await runFuzz({
    baseUrl: service.url,
    contract: EVERY_ROUTE,
    catalog: overlayCatalog(tierOverrides.parse(TIERS)),
    callers: [KEYLESS, ...TIER_NAMES.map((tier) => keyed(tier, keys[tier]))],
    seed: SEED,
    count: COUNT,
  });
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const lines = [...outcomes].map(
    ([name, tally]) => `${name}: ${[...tally].map(([what, times]) => `${what} ×${times}`).join(", ")}`,
  );
  console.info(`schema fuzz: ${requests} requests in ${seconds} s\n${lines.toSorted().join("\n")}`);

  const { exitCode, signalCode } = service.child;
  expect({ exitCode, signalCode }, `the service lives; its log ends: ${service.stderr().slice(-3_000)}`).toEqual({
    exitCode: null,
    signalCode: null,
  });
  expect(faults, `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${COUNT}`).toEqual([]);
  // stderr is the service's log at level warn: an unexpected error is logged there even if its answer looked right.
  expect(service.stderr()).not.toMatch(/"level":(50|60|"error"|"fatal")/);
  if (COUNT < ENOUGH) return;
  for (const { name, route } of namedRoutes(EVERY_ROUTE)) {
    const answers = [...(outcomes.get(name)?.keys() ?? [])];
    // What these name never exists, and the keys are soon rotated: then they get no further than their grace.
    const named = route.errors.filter((code) => code.endsWith("_not_found"));
    const inGrace = isChanging(route) && name !== "account.mintKey" ? ["403 key_in_grace"] : [];
    const reached = [String(route.success.status), ...named.map((code) => `404 ${code}`), ...inGrace];
    expect(
      answers.filter((answer) => reached.includes(answer)),
      `${name} was answered ${answers}`,
    ).not.toEqual([]);
  }
});
