/** The console in a real browser on the simulated market: every page, its figures, its looks, and what it must not do. */
import { contract, pages } from "@assay/contract";
import { Assay } from "@assay/sdk/stream";
import { beforeAll, expect, it, vi } from "vitest";
import { seriousFindings } from "./harness/browser.ts";
import { read } from "./harness/call.ts";
import { CONSOLE_PAGES, type ConsolePath, digitsIn, LOOKS, photograph, SETTLED } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { eventually } from "./harness/eventually.ts";
import type { TierKeys } from "./harness/files.ts";
import { type Service, sharedService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const PATHS = Object.keys(CONSOLE_PAGES) as ConsolePath[]; // the keys of a literal

describeConsoles("the console in a browser", (consoles) => {
  let service: Service;
  let keys: TierKeys;

  beforeAll(async () => {
    ({ service, keys } = await sharedService());
  });

  it("uses the shared document and the catalogue without a key, and requests nothing of the ten a minute", async () => {
    const { page, requests, close } = await consoles.open(service.url, "");
    await page.waitForSelector(".karat data");
    await page.waitForSelector(".drawing canvas");
    await expect.poll(() => requests.filter((url) => url.endsWith("/console/market.json")).length).toBeGreaterThan(1);
    const paths = requests.map((url) => new URL(url).pathname).filter((path) => !path.startsWith("/assets/"));
    expect([...new Set(paths)].sort()).toEqual(["/", "/console/market.json", "/v1/metadata/catalog"]);
    expect(await page.innerText(".price .badges")).toMatch(/Simulated\s+15 minutes late/);
    await close();
  });

  it("shows the shared document's figures, digit for digit, in every weight and another currency", async () => {
    const { page, close } = await consoles.open(service.url, "?currency=INR");
    await page.waitForSelector(".digits data");
    // One edition of the service's own document for all that follows: a busy machine cannot read four weights while one lasts.
    const edition = await read(service.url, pages.console.frontDocument, {});
    await page.route(`**${pages.console.frontDocument.path}`, (route) => route.fulfill({ json: edition }));
    const row = edition.symbols.find(({ symbol, quote_currency }) => symbol === "XAU" && quote_currency === "INR");
    const shownIn = async (weight: string): Promise<string | undefined> => {
      await page.selectOption("select[aria-label=Weight]", weight);
      return (await digitsIn(page, ".digits"))[0];
    };
    await eventually(
      "the page and the document show one edition",
      async () => [await shownIn("oz"), await shownIn("gram"), await shownIn("kg"), await shownIn("tola")],
      (shown) =>
        [row?.price, row?.price_gram_24k, row?.price_kilogram, row?.price_tola].every(
          (figure, at) => figure !== undefined && figure === shown[at],
        ),
      { withinMs: 40_000 },
    );
    expect(new URL(page.url()).search).toBe("?currency=INR&per=tola");
    await page.reload();
    await page.waitForSelector(".digits data");
    expect(await page.inputValue("select[aria-label=Weight]")).toBe("tola");
    await close();
  });

  it("goes live with a key: ticks arrive, as published, and move the price and the forming bar", async () => {
    const ticks = new Set<string>();
    const assay = new Assay({ apiKey: keys.realtime_pro, baseUrl: service.url });
    const subscription = assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] });
    const reading = (async () => {
      for await (const event of subscription) if (event.type === "tick") ticks.add(event.price.text);
    })();
    const { page, close } = await consoles.open(service.url, "?interval=1m", keys.pro);
    await page.waitForSelector(".badge.good:text-is('Live')");
    await page.waitForSelector(".drawing canvas");
    const shown = new Set<string>();
    await expect
      .poll(async () => {
        const [price = ""] = await digitsIn(page, ".digits");
        shown.add(price);
        return shown.size;
      })
      .toBeGreaterThan(3);
    const closes = new Set<string | null>();
    await expect.poll(async () => closes.add(await page.getAttribute(".drawing", "data-newest")).size).toBeGreaterThan(2);
    // The first one may be of the row, which is published too.
    await expect.poll(() => [...shown].slice(1).filter((price) => !ticks.has(price))).toEqual([]);
    subscription.close();
    await reading;
    await close();
  });

  it("takes the key out of the address at once, and keeps it nowhere", async () => {
    const { page, requests, close } = await consoles.open(service.url, "", keys.pro);
    await page.waitForSelector(".key-name:text-is('Pro')");
    expect(page.url()).not.toContain(keys.pro);
    const kept = () =>
      page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])");
    expect(await kept()).not.toContain(keys.pro);
    await page.reload();
    await page.waitForSelector(".badge.warn");
    expect(await page.innerText(".key-place")).toBe("Use a key");

    await page.click("text=Use a key");
    await page.fill("#key-field", keys.pro);
    await page.check(".key-dialog [type=checkbox]");
    await page.click(".key-dialog .primary");
    await page.waitForSelector(".key-name:text-is('Pro')");
    await page.reload();
    await page.waitForSelector(".key-name:text-is('Pro')");
    expect(await page.evaluate("JSON.stringify([{ ...localStorage }, document.cookie])")).not.toContain(keys.pro);
    await page.click("text=Forget");
    await page.waitForSelector("text=15 minutes late");
    expect(await kept()).not.toContain(keys.pro);
    expect(requests.filter((url) => url.includes(keys.pro))).toEqual([]);
    await close();
  });

  it("shows the forward curve and the settlements, digit for digit", async () => {
    const { page, close } = await consoles.open(service.url, "curve", keys.pro);
    await page.waitForSelector(SETTLED.curve);
    const view = await read(service.url, contract.forwardView.get, { asset: "XAU" }, { key: keys.pro });
    const settled = view.horizons.flatMap(({ futures }) => (futures ? [futures.settle_usd] : []));
    expect(settled.length).toBeGreaterThan(3);
    const shown = await digitsIn(page, "section[aria-label=Contracts] td:nth-child(3)");
    expect(shown).toEqual(settled);
    const { settlements } = await read(service.url, contract.settlements.list, { symbol: "GC" }, { key: keys.pro });
    await page.waitForSelector("section[aria-label=Settlements] td");
    expect(await digitsIn(page, "section[aria-label=Settlements] td:nth-child(2)")).toEqual(
      settlements.flatMap(({ settlement_price }) => (settlement_price === null ? [] : [settlement_price])),
    );
    await close();
  });

  it("shows a country's dealers, digit for digit", async () => {
    await eventually(
      "the page and the route show the same quotes",
      async () => {
        const { page, close } = await consoles.open(service.url, "physical?country=IN", keys.pro);
        await page.waitForSelector(SETTLED.physical);
        const shown = await digitsIn(page, "section[aria-label=Dealers] td:nth-child(3)");
        await close();
        const { quotes } = await read(service.url, contract.physical.get, { country: "IN" }, { key: keys.pro });
        return { shown, published: quotes.flatMap(({ sell_price }) => (sell_price === null ? [] : [sell_price])) };
      },
      // Quotes change once a minute: the second look at the latest is at the same ones.
      ({ shown, published }) => published.length > 0 && String(shown) === String(published),
      { withinMs: 100_000 },
    );
  });

  it("never shows a reference price as a country's cheapest bar, and names it one", async () => {
    await eventually(
      "the page and the route show the same bar",
      async () => {
        const { page, close } = await consoles.open(service.url, "physical?country=IN", keys.pro);
        await page.waitForSelector(SETTLED.physical);
        const [shown] = await digitsIn(page, ".countries li:has-text('India')");
        const marked = await page.locator("section[aria-label=Dealers] th:has(.badge:text-is('reference'))").allInnerTexts();
        await close();
        const { quotes } = await read(service.url, contract.physical.get, { country: "IN" }, { key: keys.pro });
        const premiums = (form: string) =>
          quotes.filter((quote) => quote.form === form).map((quote) => quote.premium_over_spot_bps ?? 0);
        return { shown, marked: marked.length, bars: premiums("bar"), references: premiums("reference") };
      },
      // The reference is cheaper than any bar here, so a page that took it would show it.
      ({ shown, marked, bars, references }) =>
        marked === references.length &&
        Math.min(...references) < Math.min(...bars) &&
        shown === (Math.min(...bars) / 100).toFixed(2),
      { withinMs: 100_000 },
    );
  });

  it("shows a distribution's percentiles, digit for digit", async () => {
    await eventually(
      "the page and the route show the same surface",
      async () => {
        const { page, close } = await consoles.open(service.url, "probability", keys.pro);
        await page.waitForSelector(SETTLED.probability);
        const shown = await digitsIn(page, ".tiles");
        await close();
        const surface = await read(service.url, contract.surface.get, { metal: "xau" }, { key: keys.pro });
        return { shown, published: Object.values(surface.percentiles) };
      },
      ({ shown, published }) => String(shown) === String(published),
      { withinMs: 100_000 },
    );
  });

  it("has a page for a frame in every language and colour, with its line, and axe finds nothing serious in it", async () => {
    for (const lang of ["en", "de", "hi", "ar", "tr", "zh"])
      for (const theme of ["light", "dark"]) {
        const { page, close } = await consoles.open(service.url, `embed/gold?currency=EUR&unit=gram&lang=${lang}&theme=${theme}`);
        const points = await page.getAttribute("polyline", "points");
        expect(points?.split(" ").length).toBeGreaterThan(20);
        const box = await page.locator("svg").boundingBox();
        expect((box?.width ?? 0) * (box?.height ?? 0)).toBeGreaterThan(1_000);
        const [red = 0] = (await page.evaluate(
          "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)",
        )) as number[];
        expect(red > 128).toBe(theme === "light");
        expect(await page.evaluate("getComputedStyle(document.body).direction")).toBe(lang === "ar" ? "rtl" : "ltr");
        expect(await seriousFindings(page), `${lang} ${theme}`).toEqual([]);
        await close();
      }
  });

  it("lists every feed of the status, and what the service depends on", async () => {
    const { page, close } = await consoles.open(service.url, "status");
    await page.waitForSelector(SETTLED.status);
    const { scrapers, checks } = await read(service.url, contract.system.status, {});
    const shown = await page.locator("section[aria-label=Feeds] tbody th").allInnerTexts();
    expect(shown.map((text) => text.split(/\s/)[0]).sort()).toEqual(Object.keys(scrapers).sort());
    expect(await page.innerText(".checks")).toContain(checks.live_writer.lease_owner ?? "none");
    await close();
  });

  it("shows the month's calls by day, digit for digit", async () => {
    const published = await read(service.url, contract.account.usage, {}, { key: keys.physical });
    const { page, close } = await consoles.open(service.url, "account", keys.physical);
    await page.waitForSelector(SETTLED.account);
    await page.click("text=The days as a table");
    const days = await page.locator("tr[data-day]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-day")));
    expect(days).toEqual(published.days?.map(({ date }) => date).reverse());
    expect(await digitsIn(page, "tr[data-day]")).toEqual(published.days?.map(({ calls }) => String(calls)).reverse());
    expect(await page.locator(".columns i").count()).toBe(days.length);
    await close();
  });

  it("shows frames, their numbers, a dropped connection and what was resent", async () => {
    const { page, close } = await consoles.open(service.url, "streams", keys.realtime_pro);
    await page.waitForSelector(".controls");
    await page.click("text=Subscribe");
    await page.waitForSelector("tr[data-kind=tick] >> nth=2");
    await page.click("text=Cut the line");
    await page.waitForSelector("tr[data-kind=status]:has-text('lost')");
    await page.waitForSelector("tr[data-kind=tick] >> nth=5");
    const seqs = (await page.locator("tr[data-kind=tick] td:nth-child(4)").allInnerTexts()).map(Number).reverse();
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    expect(await page.innerText(".counters")).toMatch(/Gaps\s+0[\s\S]*Reconnects\s+1/);
    await page.click("text=Unsubscribe");
    await page.waitForSelector("tr[data-kind=status]:has-text('closed'), .actions .primary:not([disabled])");

    await page.check("input[value=websocket]");
    await page.check("label:has-text('HG-USD-SPOT') input");
    await page.click("text=Subscribe");
    await page.waitForSelector("tr[data-kind=tick]:has-text('HG-USD-SPOT')");
    await close();
  });

  it("says in words which tier opens a page, and counts down after too many requests", async () => {
    const free = await consoles.open(service.url, "physical", keys.free);
    await free.page.waitForSelector(".refusal");
    expect(await free.page.innerText(".refusal")).toContain("This needs the tier Physical. Yours is Free.");
    await free.close();

    const { page, close } = await consoles.open(service.url, "");
    await page.waitForSelector(".digits data");
    for (let amount = 1; amount <= 11; amount += 1) {
      await page.fill(".convert input", String(amount));
      await page.click(".convert .primary");
      await page.waitForSelector(".result strong, .refusal");
      await page.waitForSelector(".result.soft", { state: "detached" });
      if ((await page.locator(".converter .refusal").count()) > 0) break;
    }
    expect(await page.innerText(".converter .refusal")).toMatch(/Too many requests\.[\s\S]*Again in \d+ s\./);
    await close();
  });

  it("can be used with the keyboard alone", async () => {
    const { page, close } = await consoles.open(service.url, "", keys.pro);
    await page.waitForSelector(".badge.good:text-is('Live')");
    await page.waitForSelector(".drawing canvas");
    const reached = new Set<string>();
    const focused =
      "(() => { const one = document.activeElement; return one.closest('nav') ? 'page ' + one.textContent : one.tagName + ' ' + (one.getAttribute('aria-label') || one.name || one.textContent); })()";
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press("Tab");
      reached.add(String(await page.evaluate(focused)));
    }
    for (const { name } of [{ name: "Curve" }, { name: "Streams" }, { name: "Docs" }])
      expect([...reached]).toContain(`page ${name}`);
    for (const label of ["SELECT Currency", "SELECT Weight", "SELECT From", "BUTTON Convert", "SUMMARY As a call"])
      expect([...reached]).toContain(label);
    await page.focus("nav a:text-is('Curve')");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:text-is('Curve')");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    await page.goBack();
    await page.waitForSelector(".digits data");
    await close();
  });

  it.each(PATHS)(
    "/%s looks right on a desk and on a phone, in light and in dark, and axe finds nothing serious",
    async (path) => {
      const { page, close } = await consoles.open(service.url, path, keys.pro);
      for (const { name, colorScheme, viewport } of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.waitForSelector(SETTLED[path]);
        if (path === "") await page.waitForSelector(".drawing canvas");
        if (path === "counter") await page.fill(".weight input", "4.25");
        // Each instrument is said once: in a column of its own, or below the source's name.
        const isNarrow = viewport.width < 640;
        const names = page.locator("[data-source] >> nth=0").locator(isNarrow ? ".wide-only" : ".narrow-only");
        if (path === "sources") expect(await names.isVisible(), name).toBe(false);
        expect(await page.innerText("h1")).toContain(CONSOLE_PAGES[path]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), `${name} fits`).toBe(viewport.width);
        const link = "document.querySelector('nav [aria-current]').getBoundingClientRect()";
        await expect.poll(() => page.evaluate(`${link}.left >= 0 && ${link}.right <= innerWidth`), { message: name }).toBe(true);
        const [red = 0] = (await page.evaluate(
          "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)",
        )) as number[];
        expect(red > 128).toBe(colorScheme === "light");
        await photograph(page, `${path || "market"}-${name}`);
        expect(await seriousFindings(page), name).toEqual([]);
      }
      await close();
    },
  );

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(PATHS.length);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
