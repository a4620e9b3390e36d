/** What is newer than this release: paths without a method, and parameters without a name here. */
import { expect, test } from "vitest";
import { Assay, NotFoundError } from "../index.ts";
import { listBars } from "../testing/operations.ts";
import { serve, serveBars } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { listPages } from "./pages/list-pages.ts";

const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";

test("a path is requested with the key, retries and errors of every call, and its body is the wire's", async () => {
  const { url, asked } = await serve(
    (_, index) =>
      [
        { status: 503, headers: { "retry-after": "0" } },
        { body: { new_field: "4003.20" } },
        { status: 404, body: { error: "not_found", message: "No.", request_id: "r" } },
      ][index],
  );
  const assay = new Assay({ baseUrl: `${url}/metals`, apiKey: KEY, logLevel: "off" });
  const query = { day: "2026-11-28", "a b": "x&y", limit: 5, all: true, none: undefined };
  expect(await assay.get("/v2/of/tomorrow", { query })).toEqual({ new_field: "4003.20" });
  await expect(assay.get("/v2/none")).rejects.toThrow(NotFoundError);
  expect(asked.map((each) => each.url)).toEqual([
    ...Array(2).fill("/metals/v2/of/tomorrow?day=2026-11-28&a%20b=x%26y&limit=5&all=true"),
    "/metals/v2/none",
  ]);
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test("extraQuery is added to the requests of any method, of every page", async () => {
  const { url, asked } = await serveBars(() => [1, 2, 3].map((day) => Date.UTC(2026, 10, day)));
  const window = { symbol: "GC", from: "2026-11-01", to: "2026-11-30", limit: 2 };
  const client = new Client({ baseUrl: url, apiKey: null });
  expect(await listPages(client, listBars, window, { extraQuery: { spread: "calendar" } }).toArray()).toHaveLength(3);
  expect(asked.map((each) => new URL(each.url, url).searchParams.get("spread"))).toEqual(["calendar", "calendar"]);
});

test.each([
  "v1/spot",
  "//evil.example/v1",
  "/v1/spot?at=1",
  "/v1/../admin",
  "/v1/..",
  "/v1/./spot",
  "/v1/a b",
  "/v1/{a}",
  "/v1/a#b",
  "\\evil",
  "",
])("%j is no path", async (path) => {
  const client = new Client({ baseUrl: "http://127.0.0.1:1", apiKey: null });
  expect(() => client.get(path)).toThrow(TypeError);
});

test("a parameter that is no text, number or boolean is refused by name", async () => {
  const client = new Client({ baseUrl: "http://127.0.0.1:1", apiKey: null });
  const query = { at: new Date() } as never; // as from JavaScript
  await expect(client.get("/v1/spot", { query })).rejects.toThrow(new TypeError("at must be text, a number or a boolean"));
});
