/** Downloads from real servers: one that returns links, and one that stores files. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  Assay,
  DownloadError,
  type DownloadProgress,
  NotFoundError,
  RequestAbortedError,
  RequestTimeoutError,
} from "../index.ts";
import { type ReceivedRequest, type Served, serve } from "../testing/serve.ts";

const KEY = `assay_live_${"0".repeat(38)}`;
const FILE = Buffer.from("bar_start,open\n".padEnd(700_000, "1,2\n"));
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const YEAR = { symbol: "XAU-USD-SPOT", year: 2025, fmt: "csv" } as const;
const FACTS = { etag: `"${SHA256}"`, "x-archive-sha256": SHA256, "x-archive-rows": "42" };

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "assay-save-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const PART = FILE.subarray(0, 300_000);

/** Sends a part of the file, and breaks off once it is in the folder. */
const breakOff = async (response: ServerResponse, place: string): Promise<void> => {
  response.writeHead(200, { ...FACTS, "content-length": FILE.length }).write(PART);
  await vi.waitFor(() => expect(readdirSync(place).map((name) => statSync(join(place, name)).size)).toEqual([PART.length]));
  response.destroy();
};

/** A service whose link leads to a storage with the given behaviour. */
const linked = async (storing: (asked: ReceivedRequest, index: number, response: ServerResponse) => void) => {
  const storage = await serve((asked, index, response) => {
    storing(asked, index, response);
    return undefined;
  });
  const service = await serve(() => ({ status: 307, headers: { location: `${storage.url}/a.csv?signature=s` } }));
  return { storage, service, assay: new Assay({ baseUrl: service.url, apiKey: KEY, logLevel: "error" }) };
};

const sendWhole = (response: ServerResponse, headers: Record<string, string> = FACTS): void => {
  response.writeHead(200, { ...headers, "content-length": FILE.length }).end(FILE);
};

describe("a download", () => {
  test("is saved completely, with progress, and the key is sent only to the service", async () => {
    const { storage, service, assay } = await linked((_, __, response) => sendWhole(response));
    const path = join(folder(), "gold.csv");
    const seen: DownloadProgress[] = [];
    const saved = await assay.downloads.save(YEAR, path, { onProgress: (progress) => seen.push(progress) });
    expect(saved).toEqual({ path, bytes: FILE.length, sha256: SHA256, rows: 42 });
    expect(readFileSync(path).equals(FILE)).toBe(true);
    expect(seen.at(-1)).toEqual({ bytes: FILE.length, totalBytes: FILE.length });
    expect(service.asked[0]?.url).toBe("/v1/download?symbol=XAU-USD-SPOT&year=2025&fmt=csv");
    expect(JSON.stringify((storage as Served).asked)).not.toContain(KEY);
    expect(storage.asked[0]?.headers["authorization"]).toBeUndefined();
  });

  test("uses checksum and rows as S3 names them, and replaces an existing file", async () => {
    const headers = { "x-amz-meta-sha256": SHA256, "x-amz-meta-rows": "7" };
    const { assay } = await linked((_, __, response) => sendWhole(response, headers));
    const path = join(folder(), "gold.csv");
    writeFileSync(path, "old");
    expect(await assay.downloads.save(YEAR, path)).toMatchObject({ rows: 7, sha256: SHA256 });
    expect(readFileSync(path).equals(FILE)).toBe(true);
  });

  test.each([
    ["before its head", 0],
    ["in the middle", 1_000],
  ])("that makes no progress for timeoutMs %s fails, and leaves nothing behind", async (_, bytes) => {
    const { assay, storage } = await linked((_, __, response) => {
      if (bytes > 0) response.writeHead(200, { ...FACTS, "content-length": FILE.length }).write(FILE.subarray(0, bytes));
    });
    const path = join(folder(), "gold.csv");
    const error = await assay.downloads.save(YEAR, path, { timeoutMs: 200 }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(String(error)).toMatch(/^RequestTimeoutError: No progress within 200 ms: GET http:\S+\/a\.csv$/);
    expect(readdirSync(dirname(path))).toEqual([]);
    expect(storage.asked).toHaveLength(1);
  });

  test("that makes progress, however slowly, is not cut by timeoutMs", async () => {
    const pieces = Array.from({ length: 5 }, (_, index) => FILE.subarray(index * 10, index * 10 + 10));
    const { assay } = await linked(async (_, __, response) => {
      response.writeHead(200, { "content-length": 50 });
      for (const piece of pieces) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        response.write(piece);
      }
      response.end();
    });
    const path = join(folder(), "gold.csv");
    expect(await assay.downloads.save(YEAR, path, { timeoutMs: 300 })).toMatchObject({ bytes: 50 });
  });

  test("that breaks off is resumed where it stopped", async () => {
    const place = folder();
    const { storage, assay } = await linked(({ headers }, index, response) => {
      if (index === 0) return void breakOff(response, place);
      const start = Number(/bytes=(\d+)-/.exec(String(headers["range"]))?.[1]);
      expect(headers["if-range"]).toBe(FACTS.etag);
      response.writeHead(206, { ...FACTS, "content-range": `bytes ${start}-${FILE.length - 1}/${FILE.length}` });
      response.end(FILE.subarray(start));
    });
    const path = join(place, "gold.csv");
    expect(await assay.downloads.save(YEAR, path)).toMatchObject({ bytes: FILE.length, sha256: SHA256 });
    expect(readFileSync(path).equals(FILE)).toBe(true);
    expect(storage.asked.length).toBe(2);
  });

  test.each([
    [
      "comes changed",
      "checksum of the downloaded file does not match",
      (response: ServerResponse) => sendWhole(response, { ...FACTS, "x-archive-sha256": "0".repeat(64) }),
    ],
    ["is refused", "The storage answered 403", (response: ServerResponse) => void response.writeHead(403).end("expired")],
  ])("that %s leaves the existing file, and nothing else", async (_, message, storing) => {
    const { assay } = await linked((__, ___, response) => storing(response));
    const place = folder();
    const path = join(place, "gold.csv");
    writeFileSync(path, "old");
    const failing = assay.downloads.save(YEAR, path);
    await expect(failing).rejects.toThrow(DownloadError);
    await expect(failing).rejects.toThrow(message);
    expect([readdirSync(place), readFileSync(path, "utf8")]).toEqual([["gold.csv"], "old"]);
  });

  test("that has changed in between is not pieced together", async () => {
    const place = folder();
    const { assay } = await linked((_, index, response) => {
      if (index > 0) return sendWhole(response, { ...FACTS, etag: '"another"' });
      void breakOff(response, place);
    });
    await expect(assay.downloads.save(YEAR, join(place, "gold.csv"))).rejects.toThrow("cannot be resumed");
    expect(readdirSync(place)).toEqual([]);
  });

  test("ends with its signal and leaves nothing", async () => {
    const controller = new AbortController();
    const { assay } = await linked((_, __, response) => {
      response.writeHead(200, { ...FACTS, "content-length": FILE.length });
      response.write(FILE.subarray(0, 1_000));
    });
    const place = folder();
    const { signal } = controller;
    const saving = assay.downloads.save(YEAR, join(place, "gold.csv"), { signal, onProgress: () => controller.abort("enough") });
    await expect(saving).rejects.toThrow(RequestAbortedError);
    expect(readdirSync(place)).toEqual([]);
  });

  test("of a year without an archive fails with the service's error, before any file is made", async () => {
    const service = await serve(() => ({ status: 404, body: { error: "not_found", message: "none", request_id: "r" } }));
    const assay = new Assay({ baseUrl: service.url, apiKey: KEY, logLevel: "error" });
    const place = folder();
    await expect(assay.downloads.save(YEAR, join(place, "gold.csv"))).rejects.toThrow(NotFoundError);
    expect(readdirSync(place)).toEqual([]);
  });
});

test("a link is returned as data, with its cost", async () => {
  const { service, assay } = await linked(() => undefined);
  const { data, response } = await assay.downloads.link(YEAR).withResponse();
  expect(data.location).toMatch(/^http:.*signature=s$/);
  expect(response.status).toBe(307);
  expect(service.asked.length).toBe(1);
});
