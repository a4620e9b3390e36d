import { Readiness } from "@assay/process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerWhileStarting } from "./starting.ts";

let starting: Awaited<ReturnType<typeof answerWhileStarting>>;
const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${starting.port}${path}`, init);

beforeEach(async () => {
  const readiness = new Readiness(["migrated"], () => false);
  starting = await answerWhileStarting({ host: "127.0.0.1", port: 0, maxPipelined: 1, readiness });
});
afterEach(() => starting.close(0));

test("says that the process lives, and that it is not ready", async () => {
  const health = await ask("/v1/health?probe=1");
  expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: "ok", service: "assay" })]);
  expect((await ask("/v1/health", { method: "HEAD" })).status).toBe(200);
  const ready = await ask("/ready");
  expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, checks: { migrated: false } }]);
});

test("refuses everything else for now, in the usual shape", async () => {
  for (const answer of [await ask("/v1/prices"), await ask("/v1/health", { method: "POST" }), await ask("/")]) {
    expect(answer.status).toBe(503);
    expect([answer.headers.get("retry-after"), answer.headers.get("cache-control")]).toEqual(["1", "no-store"]);
    expect(await answer.json()).toEqual({
      error: "service_unavailable",
      message: "The service is starting.",
      request_id: answer.headers.get("x-request-id"),
    });
  }
});
