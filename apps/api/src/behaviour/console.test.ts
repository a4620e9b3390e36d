/** The console at `/`, over real sockets: its page, its files in every form, its policy, and nothing else of the disk. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const INDEX = '<!doctype html><html lang="en"><script type="module" src="./assets/app-4f1c2a0e.js"></script></html>';
const SCRIPT = `export const lines = ${JSON.stringify("a line of the console\n".repeat(200))};`;
const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const PATHS = [
  "/",
  "/counter",
  "/curve",
  "/physical",
  "/probability",
  "/sources",
  "/corrections",
  "/account",
  "/status",
  "/streams",
];
const ASSET = "/assets/app-4f1c2a0e.js";

let parent: string;
let app: TestApp;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "assay-console-"));
  const folder = join(parent, "dist");
  await mkdir(join(folder, "assets"), { recursive: true });
  await Promise.all([
    writeFile(join(parent, "secret.txt"), "beside the console"),
    writeFile(join(folder, "index.html"), INDEX),
    writeFile(join(folder, "index.html.br"), brotliCompressSync(INDEX)),
    writeFile(join(folder, "index.html.gz"), gzipSync(INDEX)),
    writeFile(join(folder, "mark.svg"), ICON),
    writeFile(join(folder, "assets/app-4f1c2a0e.js"), SCRIPT),
    writeFile(join(folder, "assets/app-4f1c2a0e.js.br"), brotliCompressSync(SCRIPT)),
    writeFile(join(folder, "assets/app-4f1c2a0e.js.gz"), gzipSync(SCRIPT)),
    writeFile(join(folder, "assets/app-4f1c2a0e.js.map"), "{}"),
  ]);
  app = await startTestApp({ consoleFolder: folder });
});
afterAll(async () => {
  await app.close();
  await rm(parent, { recursive: true, force: true });
});

/** An answer as it was sent: clients would normalise the path and decode the body. */
interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

const raw = (target: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const lines = Object.entries({ Host: "assay", Connection: "close", ...headers }).map((pair) => pair.join(": "));
    const socket = connect(app.port, "127.0.0.1", () =>
      socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    );
    socket.on("data", (part) => parts.push(part)).on("error", reject);
    socket.on("close", () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf("\r\n\r\n");
      const head = all.subarray(0, end).toString("latin1");
      resolve({ status: Number(head.slice(9, 12)), head, body: all.subarray(end + 4) });
    });
  });

const headerOf = ({ head }: RawAnswer, name: string): string | null => {
  const line = head.split("\r\n").find((each) => each.toLowerCase().startsWith(`${name}: `));
  return line?.slice(name.length + 2) ?? null;
};

describe("the page", () => {
  test("is served at each of the console's paths, with revalidation, under a policy without exceptions", async () => {
    for (const path of PATHS) {
      const { status, headers, text } = await app.ask(path);
      expect([status, text], path).toEqual([200, INDEX]);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("cache-control")).toBe("no-cache");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy.split("; ")).toEqual(
        expect.arrayContaining(["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]),
      );
      expect(policy).not.toMatch(/unsafe|data:|blob:|https?:|\*/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("x-request-id")).toBeTruthy();
    }
  });

  test("accepts a query of any length the server reads, and ignores it", async () => {
    expect((await app.ask(`/?${"a=1&".repeat(1_500)}`)).text).toBe(INDEX);
    expect((await app.ask("/curve?key=%00&__proto__=1")).text).toBe(INDEX);
    expect((await raw(`/?${"a".repeat(20_000)}`)).status).toBe(431);
  });

  test("is answered with 304 while its ETag is the same, and allows only GET and HEAD", async () => {
    const etag = (await app.ask("/")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, text, headers } = await app.ask("/curve", { headers: { "If-None-Match": held } });
      expect([status, text, headers.get("etag")], held).toEqual([304, "", headers.get("etag")]);
    }
    expect((await app.ask("/", { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, headers, json } = await app.ask("/", { method });
      expect([status, json.error, headers.get("allow")], method).toEqual([405, "method_not_allowed", "GET, HEAD"]);
    }
    const head = await raw("/", {}, "HEAD");
    expect([head.status, head.body.length, headerOf(head, "content-length")]).toEqual([200, 0, String(INDEX.length)]);
  });
});

describe("its files", () => {
  test("are sent in the precompressed form the client prefers, each with its own validator", async () => {
    const forms: readonly (readonly [string, string | null, (body: Buffer) => Buffer])[] = [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["br;q=0, gzip", "gzip", gunzipSync],
      ["gzip;q=0.5", "gzip", gunzipSync],
      ["identity", null, (body) => body],
      ["br;q=0.000, gzip;q=0", null, (body) => body],
      ["brotli, x-gzip", null, (body) => body],
      ["", null, (body) => body],
    ];
    const etags = new Set<string | null>();
    for (const path of [ASSET, "/"]) {
      for (const [accepts, encoding, decode] of forms) {
        const answer = await raw(path, { "Accept-Encoding": accepts });
        expect([answer.status, headerOf(answer, "content-encoding")], `${path} ${accepts}`).toEqual([200, encoding]);
        expect(decode(answer.body).toString()).toBe(path === "/" ? INDEX : SCRIPT);
        expect(headerOf(answer, "vary")).toBe("Accept-Encoding");
        expect(headerOf(answer, "content-length")).toBe(String(answer.body.length));
        etags.add(headerOf(answer, "etag"));
        const held = await raw(path, { "Accept-Encoding": accepts, "If-None-Match": headerOf(answer, "etag") ?? "" });
        expect([held.status, held.body.length]).toEqual([304, 0]);
      }
    }
    expect(etags.size).toBe(6);
  });

  test("are cached forever under names that change, and revalidated under others", async () => {
    const script = await app.ask(ASSET);
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const icon = await app.ask("/mark.svg");
    expect([icon.text, icon.headers.get("cache-control"), icon.headers.get("vary")]).toEqual([ICON, "no-cache", null]);
    expect(icon.headers.get("content-type")).toBe("image/svg+xml");
  });

  test("are those present at the start, however the path is written", async () => {
    const others = [
      "/index.html",
      "/assets",
      "/assets/",
      `${ASSET}.br`,
      `${ASSET}.map`,
      "/assets/../../secret.txt",
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
      "/assets/..%5c..%5csecret.txt",
      "/assets/app-4f1c2a0e.js%00",
      "/assets/app-4f1c2a0e.js%00.svg",
      "//assets/app-4f1c2a0e.js",
      "/ASSETS/app-4f1c2a0e.js",
      "/curve/",
      "/curve/x",
      "/__proto__",
      "/constructor",
      `/${"a".repeat(4_000)}`,
      "/%",
      "/%zz",
    ];
    for (const path of others) {
      const answer = await raw(path);
      expect([404, 400], `${path} ${answer.head}`).toContain(answer.status);
      expect(headerOf(answer, "content-type")).toBe("application/json");
      expect(answer.body.toString()).not.toContain("beside the console");
    }
    // A path may be written with codes for plain letters; it is then the same path.
    expect((await raw("/%63urve")).status).toBe(200);
    expect((await raw("/\u0000")).status).toBe(400);
  });
});

describe("beside the console", () => {
  test("pages of the documents link to it, and it takes no path of the API", async () => {
    const { text } = await app.ask("/docs");
    expect(text).toContain('<a href="/">Console</a>');
    expect((await app.ask("/v1/nothing")).json.error).toBe("not_found");
    expect((await app.ask("/v1/health")).json.status).toBe("ok");
  });

  test("a service without its build says so at its paths, and only there", async () => {
    const bare = await startTestApp();
    for (const path of PATHS) {
      const { status, json } = await bare.ask(path);
      expect([status, json.error, json.message]).toEqual([404, "not_found", expect.stringContaining("npm run build")]);
    }
    expect((await bare.ask("/nowhere")).json.message).not.toContain("build");
    expect((await bare.ask("/docs")).text).not.toContain('<a href="/">Console</a>');
    await bare.close();
  });
});
