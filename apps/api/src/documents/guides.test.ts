/** The guides of the repository. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { DEFAULT_CATALOG, ERROR_CODES, overlayCatalog, TIER_NAMES } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { siteOf } from "./layout.ts";
import { openLibrary } from "./library.ts";
import { llmsText } from "./llms.ts";
import { headlineOf, renderMarkdown, servedMarkdown, tierTable, withTierTable } from "./markdown.ts";
import { openTexts, readErrorPages, readGuides } from "./texts.ts";

const FOLDER = resolve(import.meta.dirname, "../../../../docs/guides");
const site = siteOf("https://prices.example.com", DEFAULT_CATALOG);
const found = readGuides();
const guides = found?.pages ?? [];

describe("the guides", () => {
  test("are all in the list", () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".md") && name !== "README.md");
    expect(guides.map(({ name }) => `${name}.md`).toSorted()).toEqual(files.toSorted());
  });

  test.each(guides)("$name begins with its title and a sentence that says what it is", ({ text }) => {
    const { title, lead } = headlineOf(text);
    expect(title.length).toBeGreaterThan(4);
    expect(lead).toMatch(/^[A-Z].+\.$/s);
  });

  test("name the service's own address, in summaries, pages and the overview", async () => {
    const texts = openTexts(site);
    for (const { path, lead, page } of texts.guides) {
      expect(lead, path).not.toContain("127.0.0.1:8080");
      expect(JSON.stringify(await page()), path).not.toContain("127.0.0.1:8080");
    }
    expect(texts.guides.find(({ path }) => path === "/docs/guides/agents")?.lead).toContain("https://prices.example.com/mcp");
    expect(llmsText(texts.guides, texts.errors, site, false)).not.toContain("127.0.0.1:8080");
  });

  test("show the tiers as the contract has them", () => {
    const text = guides.find(({ name }) => name === "keys-and-tiers")?.text ?? "";
    expect(text).toContain(tierTable(DEFAULT_CATALOG));
  });

  test("show the tiers of a service whose operator changed them", () => {
    const catalog = overlayCatalog({ free: { monthly_quota: 77 }, keyless: { per_minute: 3 } });
    const changed = withTierTable(`before\n${tierTable(DEFAULT_CATALOG)}\nafter`, catalog);
    expect(changed).toBe(`before\n${tierTable(catalog)}\nafter`);
    expect(changed).toContain("| `free` | $0.00 | 30 | 77 |");
    expect(changed).toContain("| no key | – | 3 | 100 per hour |");
    expect(withTierTable("no table", catalog)).toBe("no table");
  });

  test("contain no figure of a tier outside that table, so that none can be out of date", () => {
    const figures = TIER_NAMES.map((name) => String(DEFAULT_CATALOG.tiers[name].monthly_quota));
    const said = new Set(figures.flatMap((figure) => [figure, figure.replace(/\B(?=(\d{3})+$)/g, " ")]));
    for (const { name, text } of guides) {
      const prose = withTierTable(text, DEFAULT_CATALOG)
        .replace(tierTable(DEFAULT_CATALOG), "")
        .replace(/^```[\s\S]*?^```/gm, "");
      for (const figure of said)
        expect(
          prose.split(/[^\d ]+/).map((part) => part.trim()),
          name,
        ).not.toContain(figure);
    }
  });
});

test("have one error page per code, in the order of the table", () => {
  expect(readErrorPages()?.pages.map(({ name }) => name)).toEqual(ERROR_CODES);
  expect(readErrorPages("/nowhere")).toBeNull();
});

describe("without the guides", () => {
  test("everything else is there", async () => {
    expect(readGuides("/nowhere")).toBeNull();
    const library = openLibrary(site, openTexts(site, "/nowhere"));
    expect(library.has("/docs/guides")).toBe(false);
    for (const path of ["/docs", "/openapi.json", "/llms.txt", "/llms-full.txt", "/docs/errors/plan_gated"]) {
      const document = await library.get(path)?.(false);
      expect(document?.contentType, path).toBeTruthy();
    }
  });
});

describe("Markdown", () => {
  const page = "<!-- made -->\n# A\n\nSee [b](b.md#c), [errors](../errors/README.md), [out](https://example.org/x.md).\n";

  test("links to the Markdown of the service", () => {
    const text = servedMarkdown(page, "docs/guides/a.md", site);
    expect(text).toBe(
      "# A\n\nSee [b](https://prices.example.com/docs/guides/b.md#c), [errors](https://prices.example.com/docs/errors.md), [out](https://example.org/x.md).\n",
    );
  });

  test("links to the pages of the service when rendered, escaped", () => {
    const html = renderMarkdown(`${page}\n\`<script>\` & "x"\n`, "docs/guides/a.md", site);
    expect(headlineOf(page)).toEqual({ title: "A", lead: "See b, errors, out." });
    expect(html).toContain('<a href="/docs/guides/b#c">b</a>');
    expect(html).toContain('<a href="/docs/errors">errors</a>');
    expect(html).toContain("<code>&lt;script&gt;</code>");
    expect(html).not.toContain("made");
  });
});
