/** Services that break the contract in one known way: each is found by the check that is meant, and by no other. */
import { join } from "node:path";
import { countOf, runContractTest, textOf } from "@assay/contract-test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { BROKEN_ANSWERS, BROKEN_HEADERS } from "./broken-service/answers.ts";
import { startProxy } from "./broken-service/breaking-proxy.ts";
import { BROKEN_GATES, BROKEN_INPUTS } from "./broken-service/requests.ts";
import { BROKEN_INVARIANTS, BROKEN_TRUTHS } from "./broken-service/truth.ts";
import { failed, given, options, startGenerous } from "./harness/conformance.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import type { Service } from "./harness/service.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 });

let folder: Folder;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startGenerous(folder);
  keys = await readDemoKeys(join(folder.path, "data"));
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

const WAYS = [...BROKEN_ANSWERS, ...BROKEN_HEADERS, ...BROKEN_GATES, ...BROKEN_INVARIANTS, ...BROKEN_INPUTS, ...BROKEN_TRUTHS];

describe("a service that is broken on purpose", () => {
  it.each(WAYS.map((way) => [way[0], way] as const))(
    "is detected by the check meant: %s",
    async (_, [, only, caughtBy, breakage, ...also]) => {
      const proxy = await startProxy(service.url, breakage({ free: keys.free, pro: keys.pro }));
      const report = await runContractTest(
        options(proxy.url, only, given(keys, "free", "pro", ...(only === "streams.prices" ? (["realtime_pro"] as const) : []))),
      );
      await proxy.close();
      expect(failed(report), textOf(report)).toContain(caughtBy);
      const others = failed(report).filter((each) => each !== caughtBy && !also.some((group) => each.startsWith(`${group}: `)));
      expect(others, textOf(report)).toEqual([]);
      expect(countOf(report.results, "not checked"), textOf(report)).toBeLessThan(report.results.length / 2);
    },
  );
});
