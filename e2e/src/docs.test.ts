/** The documents in a real browser, on a real service. */
import { type Contract, contract, needsKey, pages, streams, WEBHOOK_TYPES } from "@assay/contract";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium, STEP_MS, seriousFindings, type WatchedPage, watchedPage } from "./harness/browser.ts";
import type { TierKeys } from "./harness/files.ts";
import { type Service, sharedService } from "./harness/service.ts";

const tree: Contract = { ...contract, streams, ...pages };
const routes = Object.values(tree).flatMap((actions) => Object.values(actions));

const program = findChromium();
if (program === null) console.info("skipped: no browser; install Chromium or name one in CHROMIUM_PATH");

const PHONE = { width: 360, height: 740 };
const SPOT = "#operations-Spot_prices-spotGet";

interface SpotAnswer {
  readonly price: string;
  readonly computed_at: string;
}

describe.skipIf(program === null)(
  "the documents in a browser (Chromium)",
  { timeout: 2 * STEP_MS, meta: { needs: "no Chromium is installed" } },
  () => {
    let service: Service;
    let keys: TierKeys;
    let browser: Browser;
    const opened: WatchedPage[] = [];
    /** One open reference for all tests, in their order: it costs seconds to draw every route, so it is drawn twice in all. */
    let reference: Page;

    beforeAll(async () => {
      ({ service, keys } = await sharedService());
      browser = await launchChromium(program ?? "");
      reference = await openReference();
    });
    afterAll(async () => {
      await browser?.close();
    });

    const open = async (path: string, options: Parameters<typeof watchedPage>[2] = {}): Promise<Page> => {
      const watched = await watchedPage(browser, service.url, options);
      opened.push(watched);
      await watched.page.goto(service.url + path);
      return watched.page;
    };

    const openReference = async (): Promise<Page> => {
      const page = await open("/docs");
      await page.waitForSelector(SPOT);
      return page;
    };

    /** Sends the request of an opened route and reads the answer the page shows. */
    const execute = async (page: Page, operation: string): Promise<{ status: string; body: string; curl: string }> => {
      await page.click(`${operation} .execute`);
      const live = `${operation} .live-responses-table`;
      await page.waitForSelector(`${live} .microlight`);
      return {
        status: (await page.innerText(`${live} tbody .response-col_status`)).trim(),
        body: await page.innerText(`${live} .highlight-code .microlight`),
        curl: await page.innerText(`${operation} .curl-command .microlight`),
      };
    };

    it("shows every route, in the navigation and in the text, and every event of alerts, and says that prices are simulated", async () => {
      const drawn = await reference.locator(".opblock-tag-section .opblock-summary").allInnerTexts();
      const events = await reference.locator(".webhooks .opblock-summary").allInnerTexts();
      for (const type of WEBHOOK_TYPES) expect(events.filter((text) => text.includes(type))).toHaveLength(1);
      expect(events).toHaveLength(WEBHOOK_TYPES.length);
      expect(drawn).toHaveLength(routes.length);
      for (const { method, path } of routes) {
        const isThis = (text: string): boolean =>
          text.split(/\s+/).join(" ").replaceAll("\u200b", "").startsWith(`${method} ${path}`);
        expect(drawn.some(isThis), `${method} ${path} is drawn`).toBe(true);
      }
      expect(await reference.locator(".routes a").count()).toBe(routes.length);
      expect(await reference.innerText(".banner")).toContain("Simulated prices.");
    });

    it("says once what the service is", async () => {
      const lines = (await reference.innerText(".info")).split("\n").filter((line) => line.startsWith("Prices of gold"));
      expect(lines).toHaveLength(1);
    });

    it.each(["/docs", "/docs/guides", "/docs/guides/limits", "/docs/errors"])(
      "axe finds nothing serious on %s, in light and in dark",
      async (path) => {
        const page = path === "/docs" ? reference : await open(path);
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await seriousFindings(page), colorScheme).toEqual([]);
        }
        if (page !== reference) await page.context().close();
      },
    );

    it("finds a section of a guide by its words, with nothing from elsewhere", async () => {
      const page = await open("/docs/guides");
      await page.fill("#search-field", "cursor expire");
      await page.waitForSelector("#found a");
      expect(await page.locator("#found a").first().innerText()).toBe("Pagination: Cursors");
      expect(await seriousFindings(page)).toEqual([]);
      await page.fill("#search-field", "plan_gated");
      await page.waitForSelector("#found a:has-text('plan_gated')");
      await page.fill("#search-field", "zzzz");
      await page.waitForSelector("#found-count:has-text('Nothing found.')");
      await page.fill("#search-field", "cursor expire");
      await page.waitForSelector("#found a");
      await page.press("#search-field", "Enter");
      await page.waitForURL("**/docs/guides/pagination#cursors");
      await page.context().close();
    });

    it("sends a request without a key, and gets a live price with a pasted one", async () => {
      const page = reference;
      await page.click(`${SPOT} .opblock-summary-control`);
      await page.waitForSelector(`${SPOT} .execute`);
      const delayed = await execute(page, SPOT);
      expect(delayed.status).toContain("200");
      expect(delayed.curl).not.toContain("Authorization");
      const late = JSON.parse(delayed.body) as SpotAnswer; // the route's own answer, as the page shows it
      expect(Date.now() - Date.parse(late.computed_at)).toBeGreaterThanOrEqual(15 * 60_000);

      await page.fill("#key", keys.pro);
      await page.click(`${SPOT} .btn-clear`);
      const live = await execute(page, SPOT);
      expect(live.status).toContain("200");
      expect(live.curl).toContain(`Authorization: Bearer ${keys.pro}`);
      const now = JSON.parse(live.body) as SpotAnswer;
      expect(now.price).toMatch(/^\d+\.\d{2}$/);
      // A delayed one is a quarter of an hour old.
      expect(Date.now() - Date.parse(now.computed_at)).toBeLessThan(14 * 60_000);
      expect(await page.innerText(`${SPOT} .live-responses-table`)).toContain("Request duration");

      await page.click(".key button[type=reset]");
      await page.click(`${SPOT} .btn-clear`);
      expect((await execute(page, SPOT)).curl).not.toContain("Authorization");
    });

    it("has a padlock on exactly the routes that need a key, open once there is one", async () => {
      const locksOf = (selector: string): Promise<string[]> =>
        reference
          .locator(`.opblock:has(${selector}) .opblock-summary-path, .opblock:has(${selector}) .opblock-summary-path__deprecated`)
          .evaluateAll((paths) => paths.map((path) => path.getAttribute("data-path") ?? ""));
      const needing = [...Object.values({ ...contract, streams })]
        .flatMap((actions) => Object.values(actions))
        .filter((route) => needsKey(route, "free"))
        .map(({ path }) => path);
      expect(needing.length).toBeGreaterThan(8);
      expect((await locksOf(".locked")).toSorted()).toEqual(needing.toSorted());
      expect(await locksOf(".unlocked")).toEqual([]);
      await reference.fill("#key", keys.pro);
      await reference.waitForSelector(".unlocked");
      expect((await locksOf(".unlocked")).toSorted()).toEqual(needing.toSorted());
      expect(await locksOf(".locked")).toEqual([]);
    });

    it("keeps no key: neither stored, nor there after a reload; which opens the route that the address names", async () => {
      const page = reference;
      expect(await page.inputValue("#key")).toBe(keys.pro);
      const stored = () => page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
      expect(await stored()).not.toContain(keys.pro);
      await page.evaluate("location.hash = '#/Bars/barsList'");
      await page.waitForSelector("#operations-Bars-barsList.is-open .execute");
      // The library writes the address twice when it opens a route; a reload in between reads the first.
      await page.waitForURL("**/docs#/Bars/barsList");
      await page.reload();
      await page.waitForSelector("#operations-Bars-barsList.is-open .execute");
      expect(await page.inputValue("#key")).toBe("");
      expect(await stored()).not.toContain(keys.pro);
    });

    it("requests a window that has bars without any typing, and opens what a link leads to", async () => {
      const page = reference;
      const { status, body } = await execute(page, "#operations-Bars-barsList");
      expect(status).toContain("200");
      expect((JSON.parse(body) as { bars: unknown[] }).bars.length).toBeGreaterThan(10);
      await page.click('.routes a[href$="/convertGet"]');
      await page.waitForSelector("#operations-Conversion-convertGet.is-open");
      expect(page.url()).toMatch(/#\/Conversion\/convertGet$/);
    });

    it.each(["/docs", "/docs/guides/keys-and-tiers", "/docs/errors", "/docs/errors/quota_exceeded"])(
      "%s fits a phone, in light and in dark",
      async (path) => {
        const page = path === "/docs" ? reference : await open(path, { viewport: PHONE });
        if (page === reference) {
          await page.setViewportSize(PHONE);
          await page.click(`${SPOT} .opblock-summary-control`);
          await page.waitForSelector(`${SPOT} .execute`);
          await execute(page, SPOT);
        }
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
          const [red = 0] = (await page.evaluate(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)",
          )) as number[];
          expect(red > 128).toBe(colorScheme === "light");
        }
        if (page !== reference) await page.context().close();
      },
    );

    it("reads as text, headed and titled, without a script", async () => {
      const page = await open("/docs/guides/first-call", { javaScriptEnabled: false });
      expect(await page.innerText("h1")).toBe("First call");
      expect(await page.title()).toBe("First call · Assay");
      expect(await page.locator("pre").count()).toBeGreaterThan(5);
      await page.goto(`${service.url}/docs`);
      expect(await page.innerText("noscript")).toContain("openapi.json");
      await page.context().close();
    });

    it("contacted no other host, and logged no error, in all of this", () => {
      expect(opened.length).toBeGreaterThan(8);
      expect(opened.flatMap(({ foreign }) => foreign)).toEqual([]);
      expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
    });
  },
);
