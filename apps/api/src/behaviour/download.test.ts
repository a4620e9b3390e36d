/** Downloads: who may, where the link leads, for how long it is valid, and what happens when the storage fails. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ArchiveName, type Archives, openArchives, ParquetArchive } from "@assay/archives";
import { startTestS3 } from "@assay/archives/testing";
import { HOUR_MS } from "@assay/contract";
import { FRIDAY_MS, fakeClock } from "@assay/testkit";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";
import type { AppRouter } from "../trpc/router.ts";

const GOLD: ArchiveName = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2026, format: "csv" };

const CSV = Buffer.from(
  `bar_start,open,high,low,close,volume,is_closed\n${Array.from({ length: 200 }, (_, day) => `${new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)}T00:00:00Z,1.0000,1.0000,1.0000,1.0000,,true\n`).join("")}`,
);
const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const put = (archives: Archives, name: ArchiveName, bytes: Uint8Array, rows: number): Promise<void> =>
  archives.put(name, bytes, { rows, sha256: sha256Of(bytes) });

const parquetOf = (rows: number): Uint8Array => {
  const archive = new ParquetArchive();
  const figures = BigInt64Array.from({ length: rows }, () => 1_000_000n);
  const startsMs = BigInt64Array.from({ length: rows }, (_, day) => BigInt(Date.UTC(2026, 0, 1 + day)));
  const volume = new Array<null>(rows).fill(null);
  archive.add({ rows, csv: new Uint8Array(0), startsMs, open: figures, high: figures, low: figures, close: figures, volume });
  return archive.finish();
};

/** Where Linux lists what a process has open. */
const OPEN_FILES = "/proc/self/fd";
const hasOpenFiles = existsSync(OPEN_FILES);
if (!hasOpenFiles) process.stdout.write(`open files of downloads: skipped, because there is no ${OPEN_FILES}\n`);

describe("on the file store", () => {
  let app: TestApp;
  let folder: string;
  let archives: Archives;
  let pro: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-download-"));
    archives = openArchives({ kind: "file", directory: folder });
    app = await startTestApp({ archives });
    pro = (await app.key("pro")).key;
    await put(archives, GOLD, CSV, 200);
    await put(archives, { ...GOLD, format: "parquet" }, parquetOf(200), 200);
    await put(archives, { ...GOLD, year: 2025 }, CSV, 200);
    await put(archives, { ...GOLD, interval: "1m" }, CSV, 200);
    await put(archives, { ...GOLD, symbol: "GC" }, CSV, 200);
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (query: Record<string, string | number>, key: string | undefined = pro) =>
    app.ask("/v1/download", { query: { symbol: "XAU-USD-SPOT", year: 2026, fmt: "csv", ...query }, key });
  const linkOf = async (query: Record<string, string | number> = {}): Promise<string> =>
    (await ask(query)).headers.get("location") ?? "";

  test.skipIf(!hasOpenFiles)(
    "has one file open for a connection, however many it asks for at once, and none once it has closed",
    { meta: { needs: `there is no ${OPEN_FILES}` } },
    async () => {
      // More than sockets hold.
      await put(archives, { ...GOLD, year: 2024 }, Buffer.alloc(20_000_000, "1,1\n"), 5_000_000);
      const { pathname, search } = new URL(await linkOf({ year: 2024 }));
      const countOpen = async (): Promise<number> => {
        const files = (await readdir(OPEN_FILES)).map((name) => readlink(join(OPEN_FILES, name)).catch(() => ""));
        return (await Promise.all(files)).filter((path) => path.startsWith(folder)).length;
      };
      const sockets = Array.from({ length: 20 }, () => connect(app.port, "127.0.0.1").pause());
      for (const socket of sockets) socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(5));
      await Promise.all(sockets.map((socket) => once(socket, "readable")));
      expect(await countOpen()).toBeLessThanOrEqual(sockets.length);
      for (const socket of sockets) socket.destroy();
      await vi.waitFor(async () => expect(await countOpen()).toBe(0));
    },
  );

  test("sends the archives that a connection asks for at once one after the other", async () => {
    const { pathname, search } = new URL(await linkOf());
    const asking = (more = "") => `GET ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;
    const socket = connect(app.port, "127.0.0.1");
    socket.write(`${asking().repeat(2)}${asking("Connection: close\r\n")}`);
    expect((await text(socket)).split(CSV.toString())).toHaveLength(4);
  });

  test("redirects to the archive, which is sent whole, with its name, checksum and row count", async () => {
    const answer = await ask({ symbol: "xau/usd" });
    expect([answer.status, answer.text, answer.headers.get("cache-control")]).toEqual([307, "", "no-store"]);
    expect([answer.headers.get("content-length"), answer.headers.get("transfer-encoding")]).toEqual(["0", null]);
    const link = answer.headers.get("location") ?? "";
    expect(link).toMatch(
      new RegExp(
        `^${app.url}/archives/XAU-USD-SPOT/1d/2026\\.csv\\?expires=${(FRIDAY_MS + HOUR_MS) / 1000}&signature=[\\w-]{43}$`,
      ),
    );
    const got = await fetch(link);
    expect(got.status).toBe(200);
    expect(Buffer.from(await got.arrayBuffer()).equals(CSV)).toBe(true);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-length": String(CSV.length),
      "content-disposition": 'attachment; filename="XAU-USD-SPOT-1d-2026.csv"',
      "cache-control": "private, no-store",
      "accept-ranges": "bytes",
      etag: `"${sha256Of(CSV)}"`,
      "x-archive-sha256": sha256Of(CSV),
      "x-archive-rows": "200",
    });
  });

  test("gives Parquet unless asked for CSV, and counts its rows", async () => {
    const link = await linkOf({ fmt: "parquet" });
    const got = await fetch(link, { method: "HEAD" });
    expect(got.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(got.headers.get("x-archive-rows")).toBe("200");
    const { status, headers } = await app.ask("/v1/download?symbol=XAU-USD-SPOT&year=2026", { key: pro });
    expect([status, headers.get("location")?.includes("/2026.parquet?")]).toEqual([307, true]);
  });

  test("serves ranges, answers HEAD like GET, and 304 to a client that has the archive", async () => {
    const link = await linkOf();
    const get = (headers: Record<string, string>, method = "GET") => fetch(link, { headers, method });
    const part = await get({ Range: "bytes=10-19" });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      `bytes 10-19/${CSV.length}`,
      CSV.subarray(10, 20).toString(),
    ]);
    const tail = await get({ Range: "bytes=-5" });
    expect([tail.status, await tail.text()]).toEqual([206, CSV.subarray(-5).toString()]);
    const longTail = await get({ Range: `bytes=-${CSV.length + 5}` });
    expect([longTail.status, longTail.headers.get("content-range"), (await longTail.arrayBuffer()).byteLength]).toEqual([
      206,
      `bytes 0-${CSV.length - 1}/${CSV.length}`,
      CSV.length,
    ]);
    const rest = await get({ Range: `bytes=${CSV.length - 3}-` });
    expect([rest.status, rest.headers.get("content-length")]).toEqual([206, "3"]);
    const beyond = await get({ Range: `bytes=${CSV.length}-` });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${CSV.length}`]);
    for (const odd of ["bytes=0-1,5-9", "bytes=x", "rows=1-2", "bytes="]) {
      const whole = await get({ Range: odd });
      expect([whole.status, (await whole.arrayBuffer()).byteLength], odd).toEqual([200, CSV.length]);
    }
    const etag = `"${sha256Of(CSV)}"`;
    expect((await get({ Range: "bytes=0-1", "If-Range": '"another"' })).status).toBe(200);
    expect((await get({ Range: "bytes=0-1", "If-Range": etag })).status).toBe(206);
    for (const known of [`"x", ${etag}`, `W/${etag}`, "*"])
      expect((await get({ "If-None-Match": known })).status, known).toBe(304);
    const head = await get({ Range: "bytes=0-1" }, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(CSV.length), ""]);
    expect((await get({}, "POST")).status).toBe(405);
  });

  test("answers 403 to a link that was changed, and to any after an hour", async () => {
    const link = await linkOf();
    for (const changed of [link.slice(0, -1), link.split("?")[0] ?? ""]) {
      const { status, json } = await app.ask(changed.slice(app.url.length));
      expect([status, json.error], changed).toEqual([403, "link_expired"]);
    }
    app.clock.advance(HOUR_MS - 1);
    expect((await fetch(link)).status).toBe(200);
    app.clock.advance(1);
    expect((await app.ask(link.slice(app.url.length))).json).toMatchObject({ error: "link_expired" });
    app.clock.advance(-HOUR_MS);
  });

  test("allows no path out of the folder", async () => {
    await writeFile(join(folder, "secret.csv"), "secret");
    for (const path of [
      "/archives/../secret.csv",
      "/archives/secret.csv",
      "/archives/%2e%2e/secret.csv",
      "/archives/XAU-USD-SPOT/1d/..%2f..%2fsecret.csv",
      "/archives/",
    ]) {
      const { status, text } = await app.ask(`${path}?expires=9999999999&signature=${"x".repeat(43)}`);
      expect([404, 403], path).toContain(status);
      expect(text, path).not.toContain("secret");
    }
  });

  test("sends an archive to its end though it is replaced meanwhile", async () => {
    const name: ArchiveName = { ...GOLD, symbol: "SI" };
    const before = Buffer.alloc(8_000_000, "a\n");
    await put(archives, name, before, 1);
    const answer = await fetch(await linkOf({ symbol: "SI" }));
    const reader = answer.body?.getReader();
    const parts = [Buffer.from((await reader?.read())?.value ?? [])];
    await put(archives, name, Buffer.alloc(9_000_000, "b\n"), 1);
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) parts.push(Buffer.from(next.value));
    expect(sha256Of(Buffer.concat(parts))).toBe(answer.headers.get("x-archive-sha256"));
    const again = await fetch(await linkOf({ symbol: "SI" }));
    expect(sha256Of(Buffer.from(await again.arrayBuffer()))).toBe(again.headers.get("x-archive-sha256"));
    expect(again.headers.get("content-length")).toBe("9000000");
  });

  test("gives each tier what it allows", async () => {
    const answersOf = async (tier: "basic" | "physical" | "realtime_pro", query: Record<string, string | number>) => {
      const { status, json } = await ask(query, (await app.key(tier)).key);
      return status === 307 ? 307 : [status, json.error, json.required_tier];
    };
    for (const tier of ["basic", "physical"] as const) {
      expect(await answersOf(tier, {})).toBe(307);
      expect(await answersOf(tier, { year: 2025 })).toEqual([403, "plan_gated", "pro"]);
      expect(await answersOf(tier, { interval: "1m" })).toEqual([403, "plan_gated", "pro"]);
      expect(await answersOf(tier, { symbol: "GC" })).toEqual([403, "plan_gated", "pro"]);
    }
    for (const query of [{}, { year: 2025 }, { interval: "1m" }, { symbol: "GC" }]) {
      expect(await answersOf("realtime_pro", query)).toBe(307);
    }
    const free = await ask({}, (await app.key("free")).key);
    expect([free.status, free.json.required_tier]).toEqual([403, "basic"]);
    const anonymous = await app.ask("/v1/download?symbol=XAU-USD-SPOT&year=2026");
    expect([anonymous.status, anonymous.json.error]).toEqual([401, "authentication_required"]);
  });

  test("refuses years before 1996 that have no archive, years after the current one, and unknown series", async () => {
    for (const query of [{ year: 1995 }, { year: 2027 }, { symbol: "XPT" }, { symbol: "../etc" }])
      expect((await ask(query)).status, JSON.stringify(query)).toBe(422);
    expect((await ask({ year: 1996 })).status).toBe(404);
  });

  test("links the archive of a year before 1996 whose bars were imported, to those who may read the past", async () => {
    await put(archives, { ...GOLD, year: 1968 }, CSV, 200);
    expect((await fetch(await linkOf({ year: 1968 }))).status).toBe(200);
    const { status, json } = await ask({ year: 1968 }, (await app.key("basic")).key);
    expect([status, json.error]).toEqual([403, "plan_gated"]);
    expect((await ask({ year: 1968, interval: "1h" })).status).toBe(422);
  });

  test("has no archive of a year without bars", async () => {
    expect((await ask({ year: 2001 })).json).toMatchObject({ error: "not_found" });
  });

  test("answers 500 when the archive exists and cannot be opened", async () => {
    const broken = await startTestApp({ archives: openArchives({ kind: "file", directory: join(folder, "x".repeat(300)) }) });
    try {
      const { key } = await broken.key("pro");
      const { status, json, text } = await broken.ask("/v1/download?symbol=XAU-USD-SPOT&year=2026", { key });
      expect([status, json.error]).toEqual([500, "storage_unavailable"]);
      expect(text).not.toContain(folder);
      expect(broken.log.map(({ message }) => message)).toEqual(["failed to look up an archive"]);
    } finally {
      await broken.close();
    }
  });

  test("gives a tRPC client the link as data, and refuses with the same code", async () => {
    const client = createTRPCClient<AppRouter>({
      links: [httpLink({ url: `${app.url}/trpc`, headers: { Authorization: `Bearer ${pro}` } })],
    });
    const { location } = await client.downloads.link.query({ symbol: "XAU-USD-SPOT", year: 2026, fmt: "csv" });
    expect((await fetch(location)).status).toBe(200);
    const refusal = await client.downloads.link.query({ symbol: "XAU-USD-SPOT", year: 2001 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TRPCClientError);
    expect((refusal as TRPCClientError<AppRouter>).data?.wire?.error).toBe("not_found");
  });
});

test("answers 404 disabled where downloads are switched off, on old links as well", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-off-"));
  const archives = openArchives({ kind: "file", directory: folder });
  const app = await startTestApp({ archives, disabled: new Set(["download"]) });
  try {
    await put(archives, GOLD, CSV, 200);
    const { key } = await app.key("pro");
    expect((await app.ask("/v1/download?symbol=XAU-USD-SPOT&year=2026", { key })).json).toMatchObject({ error: "disabled" });
    expect((await app.ask("/archives/XAU-USD-SPOT/1d/2026.csv?expires=1&signature=x")).json).toMatchObject({
      error: "not_found",
    });
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("redirects to S3 itself, answers 503 while it is down, and recovers when it is back", async () => {
  const s3 = await startTestS3();
  const archives = openArchives({ kind: "s3", ...s3.bucket });
  const app = await startTestApp({ archives, clock: fakeClock(FRIDAY_MS) });
  try {
    await put(archives, GOLD, CSV, 200);
    const { key } = await app.key("basic");
    const ask = () => app.ask("/v1/download?symbol=XAU-USD-SPOT&year=2026&fmt=csv", { key });
    const { status, headers } = await ask();
    const link = headers.get("location") ?? "";
    expect([
      status,
      link.startsWith(`${s3.bucket.endpoint}/assay/metals/bars/XAU-USD-SPOT/1d/2026.csv?X-Amz-Expires=3600`),
    ]).toEqual([307, true]);
    const got = await fetch(link);
    expect(got.headers.get("x-amz-meta-sha256")).toBe(sha256Of(Buffer.from(await got.arrayBuffer())));
    await s3.stop();
    const down = await ask();
    expect([down.status, down.json.error]).toEqual([503, "storage_error"]);
    expect(down.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    await s3.start();
    expect((await ask()).status).toBe(307);
    expect((await app.ask("/archives/XAU-USD-SPOT/1d/2026.csv?expires=1&signature=x")).status).toBe(404);
  } finally {
    await app.close();
    await s3.close();
  }
});
