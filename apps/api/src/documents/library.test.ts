/** The documents over a real socket: what is served and how, and what is not. */
import { connect } from "node:net";
import { type Contract, contract, DEFAULT_CATALOG, ERROR_CODES, pages } from "@assay/contract";
import { FEEDS_DOCUMENT_KEY, type Live, openMemoryLive } from "@assay/live";
import type { Listening } from "@assay/process";
import { FRIDAY_MS, fakeClock } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHono } from "../http/application.ts";
import { mount } from "../http/rest-door.ts";
import { listen } from "../server.ts";
import { mountDocuments, openDocuments } from "./library.ts";

const PUBLIC_URL = "https://prices.example.com";
const tree: Contract = { ...contract, ...pages };
const routes = Object.values(tree).flatMap((actions) => Object.values(actions));

let live: Live;
let listening: Listening;
let base = "";
beforeAll(async () => {
  live = openMemoryLive({ clock: fakeClock(FRIDAY_MS) });
  const hono = createHono();
  mount(hono, {}, { addressOf: () => "127.0.0.1", publicUrl: () => "http://127.0.0.1:8080" });
  mountDocuments(hono, openDocuments({ publicUrl: () => PUBLIC_URL, catalog: DEFAULT_CATALOG, live }));
  listening = await listen(hono, { host: "127.0.0.1", port: 0, maxPipelined: 32 });
  base = `http://127.0.0.1:${listening.port}`;
});
afterAll(async () => {
  await listening.close(0);
  await live.close();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(base + path, { headers: { "Accept-Encoding": "identity", ...headers }, redirect: "manual" });
const textOf = async (path: string): Promise<string> => (await get(path)).text();

/** Sends a raw request: clients would normalise its path. */
const raw = (path: string, method = "GET"): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(listening.port, "127.0.0.1", () => {
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n`);
    });
    let text = "";
    socket.setEncoding("latin1").on("data", (part: string) => {
      text += part;
    });
    socket.on("error", reject).on("close", () => resolve(text));
  });

const linksIn = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"#]+)(?:#[^"]*)?"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

let reports = 0;
const tellSimulated = async (simulated: boolean): Promise<void> => {
  reports += 1;
  const document = JSON.stringify({ atMs: FRIDAY_MS, simulated, feeds: {} });
  await live.latest.put(FEEDS_DOCUMENT_KEY, document, { token: 1, atMs: FRIDAY_MS + reports });
};

describe("what is served", () => {
  test("every link of every page resolves, and none leads to another origin", async () => {
    const seen = new Set(["/docs"]);
    for (const path of seen) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
      for (const link of linksIn(await response.text())) {
        const { origin, pathname } = new URL(link, PUBLIC_URL);
        if (origin === "http://127.0.0.1:8080") continue;
        expect(origin, `${path} links to ${link}`).toBe(PUBLIC_URL);
        // Routes of the contract and the console are not mounted here.
        if (!pathname.startsWith("/v1/") && pathname !== "/") seen.add(pathname);
      }
    }
    for (const code of ERROR_CODES) expect(seen).toContain(`/docs/errors/${code}`);
    for (const guide of ["first-call", "keys-and-tiers", "delay-and-staleness", "pagination", "downloads", "limits", "import"]) {
      expect(seen).toContain(`/docs/guides/${guide}`);
    }
  });

  test("every text page is there as Markdown too, with links that resolve", async () => {
    for (const path of ["/docs/guides", "/docs/guides/limits", "/docs/errors", "/docs/errors/plan_gated"]) {
      const response = await get(`${path}.md`);
      expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      const markdown = await response.text();
      expect(markdown).toMatch(/^# /);
      expect(markdown).not.toContain("127.0.0.1:8080/");
      for (const [, href = ""] of markdown.matchAll(/\]\((https:[^)#]+)/g)) {
        expect(href.startsWith(PUBLIC_URL), href).toBe(true);
        expect((await get(href.slice(PUBLIC_URL.length))).status, href).toBe(200);
      }
    }
  });

  test("the reference links to every route of the contract and does not mention simulation while nothing is simulated", async () => {
    await tellSimulated(false);
    const html = await textOf("/docs");
    for (const { path, method } of routes) expect(html).toContain(`>${method}</span>${path}<`);
    expect(html).not.toContain("Simulated prices");
  });

  test("pages say plainly that prices are simulated as soon as they are", async () => {
    await tellSimulated(true);
    for (const path of ["/docs", "/docs/guides/first-call", "/docs/errors/plan_gated"]) {
      expect(await textOf(path), path).toContain("Simulated prices.");
    }
    expect(await textOf("/llms.txt")).toContain("simulated");
    await tellSimulated(false);
    expect(await textOf("/docs")).not.toContain("Simulated prices.");
  });

  test("llms.txt has the form of llmstxt.org: a title, a quoted summary, and sections of links that resolve", async () => {
    const text = await textOf("/llms.txt");
    expect(text).toMatch(/^# Assay\n\n> \S[^\n]+\n/);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(["Guides", "Reference", "Routes", "Optional"]);
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, href = ""]) => href);
    expect(links.length).toBeGreaterThan(15);
    for (const href of links) {
      expect(href.startsWith(`${PUBLIC_URL}/`), href).toBe(true);
      const path = href.slice(PUBLIC_URL.length);
      if (!routes.some((route) => route.path === path)) expect((await get(path)).status, href).toBe(200);
    }
    for (const { path } of routes) expect(text).toContain(path);
  });

  test("llms-full.txt has every guide, route and error code", async () => {
    const text = await textOf("/llms-full.txt");
    for (const title of ["## First call", "## Keys and tiers", "## Limits", "## Errors"]) expect(text).toContain(title);
    for (const { path, method } of routes) expect(text).toContain(`### ${method} ${path}`);
    for (const code of ERROR_CODES) expect(text).toContain(`\`${code}\``);
  });
});

test("the search looks through every section of every guide and error page, and leads to it", async () => {
  const sections = (await (await get("/docs/search.json")).json()) as { path: string; title: string; text: string }[]; // our own
  const pages = new Map<string, string>();
  for (const { path } of sections) {
    const [page = "", anchor] = path.split("#");
    const html = pages.get(page) ?? (await textOf(page));
    pages.set(page, html);
    if (anchor !== undefined) expect(html.includes(`id="${anchor}"`), path).toBe(true);
  }
  const listed = linksIn(`${await textOf("/docs/guides")}${await textOf("/docs/errors")}`).filter((path) =>
    /^\/docs\/(guides|errors)\/[^.]+$/.test(path),
  );
  expect([...pages.keys()].toSorted()).toEqual([...new Set(listed)].toSorted());
  expect(sections.find(({ text }) => text.includes("Cursors do not expire"))?.path).toBe("/docs/guides/pagination#cursors");
});

test("the list of guides has groups, and a line on each guide", async () => {
  const html = await textOf("/docs/guides");
  const items = [...html.matchAll(/<li><a href="\/docs\/guides\/[^"]+">[^<]+<\/a>: ([^\n]+)<\/li>/g)].map(
    ([, line = ""]) => line,
  );
  const guides = new Set(linksIn(html).filter((path) => /^\/docs\/guides\/[^.]+$/.test(path)));
  expect(items).toHaveLength(guides.size);
  for (const line of items) expect(line).toMatch(/\.$/);
  expect(html).toContain("<h2>Shops and dealers</h2><ul>");
});

describe("how it is served", () => {
  test("pages have a policy that allows nothing from elsewhere, and no script or style of their own", async () => {
    for (const path of ["/docs", "/docs/guides/limits", "/docs/errors"]) {
      const { headers } = await get(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-request-id")).toBeTruthy();
      const html = await textOf(path);
      expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\son[a-z]+=|\sstyle=/);
    }
  });

  test("assets are cached forever under a path that changes with them; pages are revalidated", async () => {
    const html = await textOf("/docs");
    const assets = linksIn(html).filter((link) => link.startsWith("/docs/assets/"));
    expect(assets.length).toBeGreaterThanOrEqual(7);
    for (const path of assets) {
      const { headers } = await get(path);
      expect(headers.get("cache-control"), path).toBe("public, max-age=31536000, immutable");
      expect(headers.get("etag"), path).toMatch(/^"[\w-]{27}"$/);
    }
    expect((await get("/docs")).headers.get("cache-control")).toBe("no-cache");
    expect((await get("/openapi.json")).headers.get("cache-control")).toBe("public, max-age=3600");
  });

  test.each(["/docs", "/openapi.json", "/llms.txt", "/docs/errors/plan_gated.md"])(
    "%s is not sent twice to a client that has it",
    async (path) => {
      const first = await get(path);
      const etag = first.headers.get("etag") ?? "";
      for (const held of [etag, `"other", W/${etag}`, "*"]) {
        const again = await get(path, { "If-None-Match": held });
        expect(again.status).toBe(304);
        expect(again.headers.get("etag")).toBe(etag);
        expect(await again.text()).toBe("");
      }
      expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    },
  );

  test("large documents are compressed for clients that accept it, under their own validator", async () => {
    const plain = await get("/openapi.json");
    const packed = await get("/openapi.json", { "Accept-Encoding": "gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const smallest = await get("/openapi.json", { "Accept-Encoding": "gzip, br" });
    expect(smallest.headers.get("content-encoding")).toBe("br");
    expect(Number(smallest.headers.get("content-length"))).toBeLessThan(Number(packed.headers.get("content-length")));
    const held = { "If-None-Match": packed.headers.get("etag") ?? "" };
    expect((await get("/openapi.json", { ...held, "Accept-Encoding": "gzip" })).status).toBe(304);
    expect((await get("/openapi.json", { ...held, "Accept-Encoding": "br" })).status, "of another form").toBe(200);
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(Number(plain.headers.get("content-length")) / 4);
    expect(await packed.text()).toBe(await plain.text());
    expect((await get("/openapi.json", { "Accept-Encoding": "gzip;q=0" })).headers.get("content-encoding")).toBeNull();
  });

  test.each(["/docs", "/openapi.json", "/llms.txt", "/docs/errors"])("HEAD of %s has GET's headers and no body", async (path) => {
    const [head, whole] = await Promise.all([
      fetch(base + path, { method: "HEAD", headers: { "Accept-Encoding": "identity" } }),
      get(path),
    ]);
    const named = ({ headers }: Response): string[] => [...headers.keys()].filter((name) => name !== "keep-alive").toSorted();
    expect(head.status).toBe(200);
    expect(named(head)).toEqual(named(whole));
    expect(head.headers.get("content-length")).toBe(whole.headers.get("content-length"));
    expect(await head.text()).toBe("");
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is refused with 405 and the allowed methods", async (method) => {
    for (const path of ["/docs", "/openapi.json", "/docs/guides/limits.md"]) {
      const response = await fetch(base + path, { method });
      expect(response.status, path).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD");
      expect(await response.json()).toMatchObject({ error: "method_not_allowed" });
    }
  });
});

describe("what is not served", () => {
  test.each([
    "/docs/",
    "/docs/nowhere",
    "/docs/errors/nowhere",
    "/docs/errors/plan_gated.html",
    "/docs/errors/README",
    "/docs/guides/limits/",
    "/docs/assets",
    "/docs/assets/",
    "/docs/assets/swagger-ui-5.35.0/package.json",
    "/docs/assets/swagger-ui-5.35.0/swagger-ui-bundle.js.map",
    "/docs/../package.json",
    "/docs/assets/../../package.json",
    "/docs/assets/..%2f..%2f..%2fpackage.json",
    "/docs/assets/%2e%2e/%2e%2e/package.json",
    "/docs/guides/../../README.md",
    "/docs/guides/..%2f..%2fREADME.md",
    "/docs/guides/....//....//README",
    "/docs//etc/passwd",
    "/docs/%00",
    "/docs/constructor",
    "/docs/__proto__",
  ])("%s is answered like any unknown path", async (path) => {
    for (const method of ["GET", "POST"]) {
      const text = await raw(path, method);
      expect(text).toMatch(/^HTTP\/1\.1 404 /);
      expect(text).toContain('"error":"not_found"');
    }
  });
});

test("a malformed path is refused before any look-up", async () => {
  expect(await raw("/docs/guides/..\\..\\README.md")).toMatch(/^HTTP\/1\.1 400 /);
});

test("a service behind a path prefix links beneath that prefix", async () => {
  const hono = createHono();
  mount(hono, {}, { addressOf: () => "127.0.0.1", publicUrl: () => "http://127.0.0.1:8080" });
  mountDocuments(hono, openDocuments({ publicUrl: () => "https://example.com/metals/", catalog: DEFAULT_CATALOG, live }));
  const other = await listen(hono, { host: "127.0.0.1", port: 0, maxPipelined: 32 });
  try {
    const html = await (await fetch(`http://127.0.0.1:${other.port}/docs/errors/plan_gated`)).text();
    expect(html).toContain('href="/metals/docs/errors"');
    expect(html).toContain("https://example.com/metals/v1/spot/silver");
    for (const link of linksIn(html)) expect(link).toMatch(/^\/metals\//);
  } finally {
    await other.close(0);
  }
});

test("a request's own id is echoed", async () => {
  expect((await get("/docs", { "X-Request-Id": "mine-1" })).headers.get("x-request-id")).toBe("mine-1");
});
