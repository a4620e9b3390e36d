/** Archives of a real service: built automatically, interrupted by a kill, completed by the next run, saved by the SDK. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readParquetBars } from "@assay/archives/testing";
import { Assay } from "@assay/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { clockAt } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

/** The third year of the simulated past, so that there is little of it to archive. */
const YEAR = 1998;
const NOW_MS = Date.UTC(YEAR, 2, 10, 12);

describe("the archives of a service", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service;
  let dataDir: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, "data");
    settings = { DATA_DIR: dataDir, TRUST_PROXY: "127.0.0.1", DISABLE: "", ...clockAt(NOW_MS) };
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  const filesOf = async (): Promise<string[]> => {
    const all = await readdir(join(dataDir, "archives"), { recursive: true, withFileTypes: true }).catch(() => []);
    return all.filter((each) => each.isFile()).map(({ name, parentPath }) => join(parentPath, name));
  };

  it("are never half-written when it is killed while building them", async () => {
    const killed = await startService(settings);
    await eventually("a few are built", filesOf, (files) => files.length >= 20, { withinMs: 240_000, everyMs: 100 });
    await killed.stop("SIGKILL");
    const files = await filesOf();
    const finished = files.filter((path) => !path.endsWith(".unfinished"));
    expect(finished.length).toBeGreaterThan(0);
    for (const path of finished.filter((each) => each.endsWith(".parquet")).slice(-10)) {
      expect((await readParquetBars(path)).length, path).toBeGreaterThan(0);
    }
  });

  it("are finished by the next run, to the last year, and the status shows it", async () => {
    service = await startService(settings);
    const status = await untilStatus(service.url, "no archive is due any more", ({ archives }) => archives?.pending === 0, {
      withinMs: 550_000,
      everyMs: 1_000,
    });
    expect(status.archives).toMatchObject({ pending: 0, last_error: null });
    const files = await filesOf();
    expect(files.filter((path) => path.endsWith(".unfinished"))).toEqual([]);
    for (let year = 1996; year <= YEAR; year += 1) {
      expect(existsSync(join(dataDir, `archives/XAU-USD-SPOT/1d/${year}.parquet`)), String(year)).toBe(true);
    }
  });

  it("are saved by the SDK, and hold the same bars it pages through", async () => {
    const keys = await readDemoKeys(dataDir);
    const assay = new Assay({ baseUrl: service.url, apiKey: keys.pro });
    const path = join(folder.path, "gold.parquet");
    const saved = await assay.downloads.save({ symbol: "XAU-USD-SPOT", year: YEAR - 1 }, path);
    const archived = await readParquetBars(path);
    expect(saved.rows).toBe(archived.length);
    const paged = await assay.bars
      .list({ symbol: "XAU-USD-SPOT", from: `${YEAR - 1}-01-01`, to: `${YEAR - 1}-12-31`, limit: 1_000, order: "asc" })
      .toArray();
    expect(
      archived.map((bar) => [bar.bar_start.slice(0, 10), Number(bar.open), Number(bar.high), Number(bar.low), Number(bar.close)]),
    ).toEqual(
      paged.map(({ barStart, open, high, low, close }) => [
        barStart.toISOString().slice(0, 10),
        ...[open, high, low, close].map((figure) => figure?.toNumber()),
      ]),
    );
    const sum = (figures: readonly (number | null)[]): number => figures.reduce<number>((all, each) => all + Number(each), 0);
    expect(sum(archived.map((bar) => Number(bar.close)))).toBeCloseTo(sum(paged.map((bar) => bar.close?.toNumber() ?? null)), 6);
  });
});
