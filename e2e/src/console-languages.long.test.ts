/** The console in other languages, in a real browser: German, and Arabic with its own digits, from right to left. */
import { contract, pages } from "@assay/contract";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { seriousFindings } from "./harness/browser.ts";
import { read } from "./harness/call.ts";
import { CONSOLE_PAGES, type ConsolePath, digitsIn, photograph, SETTLED } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { eventually } from "./harness/eventually.ts";
import type { TierKeys } from "./harness/files.ts";
import { type Service, sharedService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });

const PATHS = Object.keys(CONSOLE_PAGES) as ConsolePath[]; // the keys of a literal

const GERMAN = { locale: "de-DE", language: "de", direction: "ltr", delayed: "15 Minuten verspätet" } as const;
const ARABIC = { locale: "ar-EG", language: "ar", direction: "rtl", delayed: "متأخر ١٥ دقيقة" } as const;

const VIEWPORTS = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 900 },
] as const;

/** The files of languages, which are named after them. */
const languageFiles = (requests: readonly string[]): readonly string[] =>
  requests.flatMap((url) => /\/assets\/(de|hi|ar|tr|zh)-[^/]+\.js$/.exec(url)?.[1] ?? []);

const spoken = (page: Page): Promise<unknown> =>
  page.evaluate("({ language: document.documentElement.lang, direction: document.documentElement.dir })");

describeConsoles("the languages of the console", (consoles) => {
  let service: Service;
  let keys: TierKeys;

  beforeAll(async () => {
    ({ service, keys } = await sharedService());
  });

  describe.each([GERMAN, ARABIC])("in $locale", ({ locale, language, direction, delayed }) => {
    it("is what the browser asks for, and loads no other language", async () => {
      const { page, requests, close } = await consoles.open(service.url, "", undefined, { locale });
      await page.waitForSelector(`.price .badge.warn:text-is("${delayed}")`);
      expect(await spoken(page)).toEqual({ language, direction });
      expect(new URL(page.url()).search).toBe("");
      expect(languageFiles(requests)).toEqual([language]);
      await close();
    });

    it("shows the shared document's prices, digit for digit", async () => {
      const { page, close } = await consoles.open(service.url, "?currency=INR&per=tola", undefined, { locale });
      await page.waitForSelector(".digits data");
      await eventually(
        "the page and the document show one edition",
        async () => {
          const { symbols } = await read(service.url, pages.console.frontDocument, {});
          const row = symbols.find(({ symbol, quote_currency }) => symbol === "XAU" && quote_currency === "INR");
          return { shown: (await digitsIn(page, ".digits", locale))[0], published: row?.price_tola };
        },
        ({ shown, published }) => published !== undefined && shown === published,
        { withinMs: 40_000 },
      );
      await close();
    });

    it("shows the forward curve's contracts and the settlements' changes, digit for digit", async () => {
      const { page, close } = await consoles.open(service.url, "curve", keys.pro, { locale });
      await page.waitForSelector(SETTLED.curve);
      const view = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { key: keys.pro });
      const settled = view.horizons.flatMap(({ futures }) => (futures ? [futures.settle_usd] : []));
      expect(settled.length).toBeGreaterThan(3);
      expect(await digitsIn(page, ".wide >> nth=0 >> td:nth-child(3)", locale)).toEqual(settled);
      const { settlements } = await read(service.url, contract.settlements.list, { symbol: "GC" }, { key: keys.pro });
      const changes = settlements.slice(0, 10).flatMap(({ change_value }) => (change_value === null ? [] : [change_value]));
      expect(changes.some((change) => change.startsWith("-"))).toBe(true);
      const shown = await digitsIn(page, ".wide >> nth=1 >> td:nth-child(4)", locale);
      expect(shown.slice(0, changes.length).map((change) => change.replace("+", ""))).toEqual(changes);
      await close();
    });

    it("says nothing in English but names, on any page", async () => {
      for (const path of PATHS) {
        const { page, close } = await consoles.open(service.url, path, keys.pro, { locale });
        await page.waitForSelector(SETTLED[path]);
        await page.waitForSelector(".loading:visible", { state: "detached" });
        // Why a service is degraded is its own sentence, of which there is no list.
        const [said = "", own = ""] = (await page.evaluate(
          `[document.querySelector("main").innerText, document.querySelector(".reasons")?.innerText]`,
        )) as string[];
        expect(said.replace(own, ""), path).not.toMatch(/\b(the|and|of|with|without|not|no|is|are)\b/);
        await close();
      }
    });

    it("takes an amount in its own digits and signs", async () => {
      const { page, close } = await consoles.open(service.url, "counter", keys.pro, { locale });
      const typed = new Intl.NumberFormat(locale).format(4.25);
      await page.fill(".weight input", typed);
      await page.waitForSelector(".total[class] [data-total]");
      await page.locator(".as-call summary").click();
      expect(await page.innerText(".as-call pre >> nth=0")).toContain('"weight":"4.25"');
      await close();
    });

    it.each(PATHS)("/%s fits a phone, a tablet and a desk, and axe finds nothing serious", async (path) => {
      const { page, close } = await consoles.open(service.url, path, keys.pro, { locale });
      for (const viewport of VIEWPORTS) {
        await page.setViewportSize(viewport);
        await page.waitForSelector(SETTLED[path]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), `${viewport.width} fits`).toBe(viewport.width);
        await photograph(page, `${language}-${path || "market"}-${viewport.width}-light`);
        expect(await seriousFindings(page), String(viewport.width)).toEqual([]);
      }
      await close();
    });
  });

  it("is English for those whose language it lacks, and loads nothing for it", async () => {
    const { page, requests, close } = await consoles.open(service.url, "", undefined, { locale: "fr-FR" });
    await page.waitForSelector(".price .badge.warn:text-is('15 minutes late')");
    expect(await spoken(page)).toEqual({ language: "en", direction: "ltr" });
    expect(languageFiles(requests)).toEqual([]);
    await close();
  });

  it("is chosen on any page, which stays as it is, and is remembered and in the address", async () => {
    const { page, close } = await consoles.open(service.url, "counter", keys.pro);
    await page.fill(".weight input", "4.25");
    await page.waitForSelector("[data-total]");
    await page.evaluate("document.querySelector('.weight input').dataset.mark = 'the same'");
    await page.selectOption("select[aria-label=Language]", "ar");
    await page.waitForSelector("html[lang=ar][dir=rtl] .total [data-total]");
    expect(await page.inputValue("[data-mark='the same']")).toBe("4.25");
    expect(new URL(page.url()).search).toBe("?lang=ar");
    expect(await page.title()).toMatch(/^\p{Script=Arabic}.* · Assay$/u);

    await page.goto(`${service.url}/status`);
    await page.waitForSelector("html[lang=ar] .checks");
    expect(new URL(page.url()).search).toBe("?lang=ar");
    await page.click(".brand");
    await page.waitForSelector("html[lang=ar] .drawing canvas");
    await page.selectOption(".language select", "en");
    await page.waitForSelector("html[lang=en][dir=ltr] .drawing canvas");
    expect(new URL(page.url()).search).toBe("");
    await page.goBack();
    await page.waitForSelector("html[lang=ar] .checks");
    await close();
  });

  it("is what an address asks for, for that visit", async () => {
    const { page, close } = await consoles.open(service.url, "curve?metal=XAG&lang=tr", keys.pro, { locale: "de-DE" });
    await page.waitForSelector("html[lang=tr] .drawing canvas");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ metal: "XAG", lang: "tr" });
    await page.goto(`${service.url}/curve?lang=xx`);
    await page.waitForSelector("html[lang=de] .drawing canvas");
    expect(new URL(page.url()).search).toBe("");
    await close();
  });

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(2 * PATHS.length);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
