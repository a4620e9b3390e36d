/** A service under a path, behind a proxy that takes the path away: every link of the console and the documents keeps it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CATALOG } from "@assay/contract";
import { openMemoryLive } from "@assay/live";
import type { Listening } from "@assay/process";
import { FRIDAY_MS, fakeClock } from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mountConsole, readConsole } from "../console.ts";
import { mountDocuments, openDocuments } from "../documents/library.ts";
import { createHono } from "../http/application.ts";
import { mount } from "../http/rest-door.ts";
import { listen } from "../server.ts";

const PUBLIC_URL = "https://example.com/metals";
const live = openMemoryLive({ clock: fakeClock(FRIDAY_MS) });
let folder: string;
let listening: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-console-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/app-1.js"), "export {};");
  await writeFile(
    join(folder, "index.html"),
    '<a href="./docs"></a><a href="./curve"></a><script src="./assets/app-1.js"></script>',
  );
  const hono = createHono();
  mount(hono, {}, { addressOf: () => "127.0.0.1", publicUrl: () => "http://127.0.0.1:8080" });
  mountConsole(hono, readConsole(folder));
  mountDocuments(hono, openDocuments({ publicUrl: () => PUBLIC_URL, catalog: DEFAULT_CATALOG, live, hasConsole: true }));
  listening = await listen(hono, { host: "127.0.0.1", port: 0, maxPipelined: 32 });
});
afterAll(async () => {
  await listening.close(0);
  await live.close();
  await rm(folder, { recursive: true, force: true });
});

/** What nginx does with `location /metals/ { proxy_pass http://assay/; }`. */
const throughProxy = (url: URL): Promise<Response> => {
  expect(url.pathname, "within the prefix").toMatch(/^\/metals\//);
  return fetch(`http://127.0.0.1:${listening.port}${url.pathname.slice("/metals".length)}${url.search}`);
};

test("every link resolves, from the console's page to the last document", async () => {
  const seen = new Set([`${PUBLIC_URL}/`, `${PUBLIC_URL}/curve`, `${PUBLIC_URL}/docs`]);
  for (const address of seen) {
    const response = await throughProxy(new URL(address));
    expect(response.status, address).toBe(200);
    if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
    for (const [, href = ""] of (await response.text()).matchAll(/(?:href|src)="([^"#]+)(?:#[^"]*)?"/g)) {
      const link = new URL(href, address);
      // Routes of the contract are not mounted here, and examples name the shipped address.
      if (link.origin === "https://example.com" && !link.pathname.startsWith("/metals/v1/")) seen.add(link.href);
    }
  }
  expect(seen).toContain(`${PUBLIC_URL}/assets/app-1.js`);
  expect(seen).toContain(`${PUBLIC_URL}/docs/guides/limits`);
  expect(seen).not.toContain("https://example.com/");
});
