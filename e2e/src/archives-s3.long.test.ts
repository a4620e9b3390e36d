/** Archives in a bucket of another project's S3 server: built by a service, and downloaded from the bucket by its callers. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readParquetBars, startTestS3, type TestS3 } from "@assay/archives/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const YEAR = 2020;

describe("archives in a bucket", () => {
  let folder: Folder;
  let s3: TestS3;
  let service: Service;
  let key: string;
  const link = (format: string) => ask(service.url, `/v1/download?symbol=XAU-USD-SPOT&year=${YEAR}&fmt=${format}`, { key });
  beforeAll(async () => {
    folder = await temporaryFolder();
    s3 = await startTestS3();
    const { bucket, prefix, region, endpoint, credentials } = s3.bucket;
    const dataDir = join(folder.path, "data");
    service = await startService({
      DATA_DIR: dataDir,
      DISABLE: "",
      TRUST_PROXY: "127.0.0.1",
      ARCHIVE_URL: `s3://${bucket}/${prefix}`,
      S3_ENDPOINT: endpoint ?? "",
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY_FILE: await folder.write("secret", `${credentials.secretAccessKey}\n`),
    });
    key = (await readDemoKeys(dataDir)).pro;
    await eventually(
      "both archives of the year are in the bucket",
      async () => [(await link("parquet")).status, (await link("csv")).status],
      (statuses) => statuses.every((status) => status === 307),
      { withinMs: 480_000, everyMs: 1_000 },
    );
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await s3?.close();
    await folder?.remove();
  });

  it("are downloaded from the bucket by a link that needs no key, and hold the year", async () => {
    const { status, headers } = await link("parquet");
    const location = headers.get("location") ?? "";
    expect({ status, isBucket: location.startsWith(`${s3.bucket.endpoint}/`) }).toEqual({ status: 307, isBucket: true });
    expect(location).not.toContain(key);
    const bytes = Buffer.from(await (await fetch(location)).arrayBuffer());
    const path = join(folder.path, "gold.parquet");
    await writeFile(path, bytes);
    const bars = await readParquetBars(path);
    expect(bars.length).toBeGreaterThan(250);
    expect(bars.every(({ bar_start }) => bar_start.startsWith(String(YEAR)))).toBe(true);
  });

  it("are the same object at every download, until its bars change", async () => {
    const digest = async (): Promise<string> => {
      const { headers } = await link("csv");
      const bytes = Buffer.from(await (await fetch(headers.get("location") ?? "")).arrayBuffer());
      return createHash("sha256").update(bytes).digest("hex");
    };
    expect(await digest()).toBe(await digest());
  });
});
