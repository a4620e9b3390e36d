/** One id per request: the same in the header, the body and the log, over every transport of the API. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchives, signLink } from "@assay/archives";
import { getOrCreateSecret } from "@assay/db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

const DRAWN = /^[A-Za-z0-9_-]{20}$/;

let app: TestApp;
let folder: string;
let link: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-ids-"));
  app = await startTestApp({ archives: openArchives({ kind: "file", directory: folder }) });
  const secret = await getOrCreateSecret(app.store, "archives", () => expect.fail("the API has made one"), app.clock());
  link = signLink({ symbol: "XAU-USD-SPOT", interval: "1d", year: 2026, format: "csv" }, secret, app.clock());
  // A folder in place of the archive: it cannot be read.
  await mkdir(join(folder, "XAU-USD-SPOT/1d/2026.csv"), { recursive: true });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  app.store.recover();
  app.log.splice(0);
});

/** The fields checked in an answer: a refusal of REST, or one of tRPC. */
type Answer = Reply<{ request_id?: string; error?: { data?: { wire?: { request_id: string } } } }>;

const idsOf = ({ headers, json, text }: Answer) => ({
  header: headers.get("x-request-id"),
  body: text.startsWith("{") ? (json.request_id ?? json.error?.data?.wire?.request_id ?? null) : null,
  log: app.log.filter(({ fields }) => "requestId" in fields).map(({ fields }) => fields["requestId"]),
});

/** The id of a request, checked to be the only one in its answer. */
const expectOne = (reply: Answer, { inBody = true, inLog = false } = {}): string => {
  const { header, body, log } = idsOf(reply);
  expect(header).not.toBeNull();
  expect(body).toBe(inBody ? header : null);
  expect([...new Set(log)]).toEqual(inLog ? [header] : []);
  return header ?? "";
};

describe.each([
  ["given by the caller", { "X-Request-Id": "caller-1.a_B" }, /^caller-1\.a_B$/],
  ["not given", {}, DRAWN],
  ["given badly", { "X-Request-Id": "with blanks" }, DRAWN],
  ["given too long", { "X-Request-Id": "x".repeat(65) }, DRAWN],
])("an id %s", (_, headers: Record<string, string>, form) => {
  test.each(["/v1/nothing", "/nothing", "/v1/spot/garbage", "/v1/account/usage", "/archives/none", "/docs/none"])(
    "is in the header and the body of a refusal of %s",
    async (path) => {
      expect(expectOne(await app.ask(path, { headers }))).toMatch(form);
    },
  );

  test("is in a refusal before the application, and in one of another method", async () => {
    expect(expectOne(await app.ask("/v1/health", { headers, method: "POST" }))).toMatch(form);
    expect(expectOne(await app.ask("/v1/health", { headers, method: "DELETE", body: { x: "x".repeat(70_000) } }))).toMatch(form);
  });

  test("is in an answer that no cache holds", async () => {
    expect(expectOne(await app.ask("/v1/health", { headers }), { inBody: false })).toMatch(form);
    expect(expectOne(await app.ask("/llms.txt", { headers }), { inBody: false })).toMatch(form);
  });

  test("is in a refusal, an unknown name and a batch over tRPC", async () => {
    expect(expectOne(await app.ask("/trpc/account.usage", { headers }))).toMatch(form);
    expect(expectOne(await app.ask("/trpc/nothing", { headers }), { inBody: false })).toMatch(form);
    expect(expectOne(await app.ask(`/trpc/${"a,".repeat(20)}a?batch=1`, { headers }))).toMatch(form);
  });

  test("is in the answer to HEAD over tRPC", async () => {
    expect(expectOne(await app.ask("/trpc/system.health", { method: "HEAD", headers }), { inBody: false })).toMatch(form);
  });

  test("is in the log when the store is down, over REST and tRPC", async () => {
    const { key } = await app.key("pro");
    app.store.break();
    const usage = await app.ask("/v1/account/usage", { key, headers });
    expect(usage.json.error).toBe("auth_unavailable");
    expect(expectOne(usage, { inLog: true })).toMatch(form);
    app.log.splice(0);
    const bars = await app.ask("/v1/bars?symbol=XAU&from=2026-11-01&to=2026-11-02", { headers });
    expect(bars.json.error).toBe("service_unavailable");
    expect(expectOne(bars, { inLog: true })).toMatch(form);
    app.log.splice(0);
    const input = encodeURIComponent(JSON.stringify({ symbol: "XAU", from: "2026-11-01", to: "2026-11-02" }));
    expect(expectOne(await app.ask(`/trpc/bars.list?input=${input}`, { headers }), { inLog: true })).toMatch(form);
  });

  test("is in the log of an archive that cannot be read", async () => {
    const reply = await app.ask(link, { headers });
    expect(reply.json.error).toBe("storage_unavailable");
    expect(expectOne(reply, { inLog: true })).toMatch(form);
  });

  test("is in the log of an unexpected error, over REST and tRPC", async () => {
    const { key } = await app.key("pro");
    const { run } = app.store;
    expect((await app.ask("/v1/account/usage", { key })).status).toBe(200);
    // Not an error a store throws: an unexpected one.
    app.store.run = () => Promise.reject(new TypeError("broken"));
    try {
      const rest = await app.ask("/v1/account/keys", { key, headers });
      expect([rest.status, rest.text]).toEqual([500, "Internal Server Error"]);
      expect(expectOne(rest, { inBody: false, inLog: true })).toMatch(form);
      app.log.splice(0);
      const trpc = await app.ask("/trpc/account.listKeys", { key, headers });
      expect(trpc.status).toBe(500);
      expect(expectOne(trpc, { inBody: false, inLog: true })).toMatch(form);
    } finally {
      app.store.run = run;
    }
  });
});
