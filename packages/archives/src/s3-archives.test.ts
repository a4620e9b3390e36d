/** Archives in a bucket, against a separate S3 process that verifies every signature. */
import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ArchiveName } from "./archive-store.ts";
import { ArchiveReplacedError, ArchivesFailedError, ArchivesUnreachableError } from "./archive-store.ts";
import { bucketUrl, type S3Archives, s3Archives } from "./s3-archives.ts";
import { archiveSuite, factsOf, GOLD_2025 } from "./testing/archive-suite.ts";
import { type ConditionalS3, conditionalS3, startTestS3, type TestS3 } from "./testing/s3-server.ts";

let s3: TestS3;
let archives: S3Archives;
let runs = 0;
beforeAll(async () => {
  s3 = await startTestS3();
});
beforeEach(() => {
  runs += 1;
  archives = s3Archives({ ...s3.bucket, prefix: `metals/${runs}` });
});
afterAll(() => s3.close());

const fetchBytes = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

describe("a bucket of archives", () => {
  archiveSuite(() => ({ archives, read: async (name: ArchiveName) => fetchBytes(await archives.link(name)) }));

  test("links to an object that carries its checksum and row count", async () => {
    const bytes = Buffer.from("bar_start\n1\n2\n");
    await archives.put(GOLD_2025, bytes, factsOf(bytes, 2));
    const answer = await fetch(await archives.link(GOLD_2025));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-amz-meta-rows")).toBe("2");
    expect(answer.headers.get("x-amz-meta-sha256")).toBe(
      createHash("sha256")
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest("hex"),
    );
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="XAU-USD-SPOT-1d-2025.csv"');
    const part = await fetch(await archives.link(GOLD_2025), { headers: { Range: "bytes=10-11" } });
    expect([part.status, await part.text()]).toEqual([206, "1\n"]);
  });

  test("gives links that S3 refuses once they are changed, or an hour old", async () => {
    const bytes = Buffer.from("a");
    await archives.put(GOLD_2025, bytes, factsOf(bytes));
    const link = await archives.link(GOLD_2025);
    expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("3600");
    for (const changed of [
      link.replace("X-Amz-Expires=3600", "X-Amz-Expires=7200"),
      link.replace(/X-Amz-Signature=./, (found) => found.slice(0, -1) + (found.endsWith("0") ? "1" : "0")),
      link.replace("2025.csv", "2024.csv"),
    ]) {
      const answer = await fetch(changed);
      expect(answer.status, changed).toBe(403);
    }
    // The same link as it would have been signed an hour and a second ago: valid signature, expired.
    const client = new AwsClient({
      ...s3.bucket.credentials,
      sessionToken: undefined,
      service: "s3",
      region: s3.bucket.region,
    } as never);
    const datetime = new Date(Date.now() - 3_601_000).toISOString().replace(/[:-]|\.\d{3}/g, "");
    const { origin, pathname } = new URL(link);
    const old = await client.sign(`${origin}${pathname}?X-Amz-Expires=3600`, { aws: { signQuery: true, datetime } });
    const expired = await fetch(old.url);
    expect([expired.status, await expired.text()]).toEqual([403, expect.stringContaining("expired")]);
  });

  test("never shows its secret in a link", async () => {
    const secret = "wJalrXUtnFEMI";
    const { credentials } = s3.bucket;
    const other = s3Archives({ ...s3.bucket, credentials: { ...credentials, secretAccessKey: secret } });
    expect(await other.link(GOLD_2025)).not.toContain(secret);
  });

  test("fails with the service's code when its credentials or its bucket are wrong", async () => {
    const bytes = Buffer.from("a");
    const bad = s3Archives({ ...s3.bucket, credentials: { accessKeyId: "S3RVER", secretAccessKey: "wrong" } });
    await expect(bad.put(GOLD_2025, bytes, factsOf(bytes))).rejects.toThrow(
      new ArchivesFailedError("S3 answered 403 SignatureDoesNotMatch"),
    );
    await expect(bad.has(GOLD_2025)).rejects.toThrow(ArchivesFailedError);
    const nowhere = s3Archives({ ...s3.bucket, bucket: "nowhere" });
    await expect(nowhere.put(GOLD_2025, bytes, factsOf(bytes))).rejects.toThrow(
      new ArchivesFailedError("S3 answered 404 NoSuchBucket"),
    );
  });

  test("is unreachable while the service is down, and has everything when it is back", async () => {
    const bytes = Buffer.from("kept");
    await archives.put(GOLD_2025, bytes, factsOf(bytes));
    await s3.stop();
    await expect(archives.has(GOLD_2025)).rejects.toThrow(ArchivesUnreachableError);
    const next = Buffer.from("next");
    await expect(archives.put(GOLD_2025, next, factsOf(next))).rejects.toThrow(ArchivesUnreachableError);
    await s3.start();
    expect(await fetchBytes(await archives.link(GOLD_2025))).toEqual(bytes);
    await archives.put(GOLD_2025, next, factsOf(next));
    expect(await fetchBytes(await archives.link(GOLD_2025))).toEqual(next);
  });
});

describe("a bucket that keeps conditions", () => {
  let conditional: ConditionalS3;
  let behind: S3Archives;
  const [first, theirs, late] = [Buffer.from("first"), Buffer.from("theirs"), Buffer.from("late!!")];
  beforeEach(async () => {
    const bucket = { ...s3.bucket, prefix: `conditional/${runs}` };
    behind = s3Archives(bucket);
    conditional = await conditionalS3(s3.bucket.endpoint ?? "");
    archives = s3Archives({ ...bucket, endpoint: conditional.endpoint });
  });
  afterEach(() => conditional.close());
  const stored = async (): Promise<Buffer> => fetchBytes(await behind.link(GOLD_2025));

  test.each([
    ["where there was none", null],
    ["in the place of one that was known", first],
  ])("refuses an archive that another writer stored a moment earlier, %s", async (_where, known) => {
    if (known) await behind.put(GOLD_2025, known, factsOf(known));
    const version = await archives.versionOf(GOLD_2025);
    conditional.beforePut(() => behind.put(GOLD_2025, theirs, factsOf(theirs)));
    await expect(archives.put(GOLD_2025, late, factsOf(late), version)).rejects.toThrow(ArchiveReplacedError);
    expect(await stored()).toEqual(theirs);
    await archives.put(GOLD_2025, late, factsOf(late), await archives.versionOf(GOLD_2025));
    expect(await stored()).toEqual(late);
  });

  test("accepts archives without conditions where the service has none", async () => {
    conditional.refuseConditions();
    await archives.put(GOLD_2025, first, factsOf(first), null);
    expect(await stored()).toEqual(first);
  });
});

describe("the address of a bucket", () => {
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  test.each([
    [{ bucket: "bars", region: "eu-central-1" }, "https://bars.s3.eu-central-1.amazonaws.com"],
    [{ bucket: "my.bars", region: "eu-central-1" }, "https://s3.eu-central-1.amazonaws.com/my.bars"],
    [{ bucket: "bars", region: "auto", endpoint: "https://minio.internal:9000" }, "https://minio.internal:9000/bars"],
  ])("of %j is %s", (bucket, url) => {
    expect(bucketUrl({ prefix: "", credentials, ...bucket })).toBe(url);
  });
});
