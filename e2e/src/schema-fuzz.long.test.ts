/** Many requests of every kind, generated from the contract's schemas, by callers of every tier, against a real service. */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { TIER_NAMES } from "@assay/contract";
import { EVERY_ROUTE, namedRoutes, runContractTest, textOf } from "@assay/contract-test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { untilStatus } from "./harness/call.ts";
import { failed, given, options, startGenerous } from "./harness/conformance.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import type { Service } from "./harness/service.ts";

/** Valid requests of each route, and as many of any kind over REST and tRPC; there are more invalid ones. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(1_000_000_000));

vi.setConfig({ testTimeout: 15 * 60_000, hookTimeout: 600_000 });

let folder: Folder;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startGenerous(folder);
  keys = await readDemoKeys(join(folder.path, "data"));
  await untilStatus(service.url, "the archives are built", ({ archives }) => archives?.pending === 0, { withinMs: 240_000 });
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

it("answers requests made from the schemas by their schemas, and none with a 500", async () => {
  const names = namedRoutes(EVERY_ROUTE).map(({ name }) => name);
  const report = await runContractTest({
    ...options(service.url, names, given(keys, ...TIER_NAMES)),
    seed: SEED,
    runs: RUNS,
    allowKeyRotation: true,
    isDisposable: true,
  });
  console.info(
    `schema fuzz: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}, ${report.requests} requests in ${Math.round(report.durationMs / 1_000)} s`,
  );
  const { exitCode, signalCode } = service.child;
  expect({ exitCode, signalCode }, `the service lives; its log ends: ${service.stderr().slice(-3_000)}`).toEqual({
    exitCode: null,
    signalCode: null,
  });
  expect(failed(report), `FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}\n${textOf(report)}`).toEqual([]);
  // Prices tick between requests, and a key that was replaced changes nothing more.
  const reasons = new Set(report.results.flatMap(({ reason = [] }) => reason));
  for (const reason of reasons) expect(reason).toMatch(/between the (two )?requests every time$|the key has been replaced$/);
  // stderr is the service's log at level warn: an unexpected error is logged there even if its answer looked right.
  expect(service.stderr()).not.toMatch(/"level":(50|60|"error"|"fatal")/);
});
