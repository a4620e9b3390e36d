/** A compressed body is refused as one, on every door: read as text it would be called malformed JSON. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const post = (path: string, coding: string) =>
  app.ask(path, { method: "POST", rawBody: "{}", headers: { "Content-Type": "application/json", "Content-Encoding": coding } });

test.each(["/v1/quotes", "/v1/account/keys", "/mcp"])("%s answers 415", async (path) => {
  for (const coding of ["gzip", "br", "identity, gzip"]) {
    const { status, json } = await post(path, coding);
    expect([status, json.error, json.message]).toEqual([415, "unsupported_media_type", "The body must not be compressed."]);
  }
});

test("tRPC answers it in its own form", async () => {
  const { status, text } = await post("/trpc/quotes.create", "gzip");
  expect(status).toBe(415);
  expect(text).toContain("unsupported_media_type");
});

test("the identity is no coding", async () => {
  expect((await post("/v1/quotes", "identity")).status).toBe(422);
});
