/**
 * The console of a service with an operator's catalogue: its metals, currencies and units are on every page, with no line of
 * the console changed.
 */
import { catalogue } from "@assay/catalogue";
import { MINUTE_MS, SECOND_MS } from "@assay/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { seriousFindings } from "./harness/browser.ts";
import { ask } from "./harness/call.ts";
import { digitsIn, LOOKS, photograph } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, gold, rates, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const CATALOG_PATH = "/v1/metadata/catalog";

/** Rhodium has a source; platinum and palladium have none. */
const CATALOGUE = {
  metals: [
    {
      code: "XRH",
      name: "rhodium",
      quoted_in: "all",
      convertible: true,
      finenesses: [999, 995],
      bounds: { low: "300", high: "60000" },
    },
    ...["XPT", "XPD"].map((code) => ({ code, coverage: "spot" })),
  ],
  currencies: [
    {
      code: "KWD",
      name: "Kuwaiti dinar",
      minor_units: 3,
      approximate_per_usd: 0.307,
      peg: { to: "USD", units: "0.307", fixed: true },
    },
  ],
  units: [{ code: "tael", accepted: ["convert", "dealers"] }],
};

describeConsoles("the console with a catalogue", (consoles) => {
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const nowMs = Date.now();
    const feeds = await replayFile(
      folder,
      [nowMs - 20 * MINUTE_MS, nowMs - 10 * SECOND_MS].flatMap((ms) => [
        at(ms, rates("replay-fx", { EUR: "0.8000" })),
        at(ms, gold("replay-a", "4000.00")),
        at(ms, gold("replay-a", "8000.00", { instrument: "XRH-USD-SPOT" })),
      ]),
    );
    const file = await folder.write("catalogue.json", JSON.stringify(CATALOGUE));
    service = await startService({
      DATA_DIR: folder.path,
      FEEDS: feeds,
      CATALOG: file,
      SIM_HOURS: "always",
      DISABLE: "download",
    });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  const optionsOf = (page: Page, label: string): Promise<string[]> =>
    page.locator(`select[aria-label="${label}"] option`).allInnerTexts();

  it("has the price of an added metal in an added currency, to the last digit, and keeps both in its address", async () => {
    const { page, close } = await consoles.open(service.url, "", keys.pro);
    await page.waitForSelector(".digits data");
    expect(await optionsOf(page, "Metal")).toEqual(["Gold", "Silver", "Copper", "Platinum", "Palladium", "Rhodium"]);
    await page.selectOption("select[aria-label=Metal]", "XRH");
    await page.selectOption("select[aria-label=Currency]", "KWD");
    // 8000 × 0.307
    await expect.poll(() => digitsIn(page, ".digits")).toEqual(["2456.00"]);
    expect(await page.innerText("h1")).toBe("Rhodium XRH-KWD-SPOT");
    expect(await page.innerText(".price .badges")).toContain("Fixed to USD");
    // 2456 × 0.999 and × 0.995
    expect(await digitsIn(page, ".karat")).toEqual(["2453.54", "2443.72"]);
    expect(new URL(page.url()).search).toBe("?currency=KWD&metal=XRH");
    await close();
    const again = await consoles.open(service.url, "?metal=XRH&currency=KWD", keys.pro);
    await expect.poll(() => digitsIn(again.page, ".digits")).toEqual(["2456.00"]);
    await again.close();
  });

  it("shows it by every weight that conversions know, as they answer", async () => {
    const { page, close } = await consoles.open(service.url, "?metal=XRH&currency=KWD", keys.pro);
    await page.waitForSelector(".digits data");
    expect(await optionsOf(page, "Weight")).toEqual([
      "troy ounce",
      "gram",
      "kilogram",
      "avoirdupois pound",
      "tola",
      "Hong Kong tael",
      "10 g",
      "Thai baht weight",
      "Vietnamese luong",
      "Vietnamese chi",
    ]);
    for (const [code, question] of [
      ["gram", "amount=1&unit=gram"],
      ["tola", "amount=11.6638038&unit=gram"],
      ["tael", "amount=1&unit=tael"],
    ] as const) {
      const { json } = await ask(service.url, `/v1/convert?from=XRH&to=KWD&${question}`, { key: keys.pro });
      await page.selectOption("select[aria-label=Weight]", code);
      await expect.poll(() => digitsIn(page, ".digits"), { message: code }).toEqual([(json as { result: string }).result]);
    }
    await close();
  });

  it("converts it, by code and name", async () => {
    const { page, close } = await consoles.open(service.url, "", keys.pro);
    await page.waitForSelector(".convert");
    const sides = await optionsOf(page, "From");
    expect(sides.slice(0, 3)).toEqual(["XAU · Gold", "XAG · Silver", "XRH · Rhodium"]);
    expect(sides).toContain("KWD · Kuwaiti dinar");
    await page.selectOption("select[aria-label=From]", "XRH");
    await page.selectOption("select[aria-label=To]", "KWD");
    await page.selectOption("select[aria-label='Weight of the metal']", "gram");
    await page.click(".convert .primary");
    await page.waitForSelector(".result strong");
    // 10 g = 10 / 31.1034768 ozt × 8000 × 0.307 = 789.6223…
    expect((await digitsIn(page, ".result strong"))[0]).toBe("789.622");
    await close();
  });

  it("says of a metal without a source that it has no price", async () => {
    const { page, close } = await consoles.open(service.url, "?metal=XPT", keys.pro);
    await page.waitForSelector(".digits:has-text('no price')");
    expect(await page.innerText("h1")).toBe("Platinum XPT-USD-SPOT");
    await close();
  });

  it("offers each metal where it is: streams by what they carry, curves with futures, probabilities with options", async () => {
    const { page, close } = await consoles.open(service.url, "streams", keys.realtime_pro);
    const names = () => page.locator(".names label").allInnerTexts();
    await page.waitForSelector(".names");
    expect((await names()).map((name) => name.trim())).toEqual(["XAU-USD-SPOT", "XAG-USD-SPOT", "XRH-USD-SPOT"]);
    await page.check("input[value=websocket]");
    expect((await names()).map((name) => name.trim())).toContain("HG-USD-SPOT");
    const metals = () => page.locator("fieldset.segments:has(legend:text-is('Metal')) span").allInnerTexts();
    await page.click("nav a:text-is('Curve')");
    await expect.poll(metals).toEqual(["Gold", "Silver", "Copper"]);
    await page.click("nav a:text-is('Probability')");
    await expect.poll(metals).toEqual(["Gold", "Silver"]);
    await close();
  });

  it("follows it over both streams", async () => {
    const { page, close } = await consoles.open(service.url, "?metal=XRH", keys.realtime_pro);
    await page.waitForSelector(".badge.good:text-is('Live')");
    await page.click("nav a:text-is('Streams')");
    await page.check("input[value=websocket]");
    await page.check("label:has-text('XRH-USD-SPOT') input");
    await page.click("text=Subscribe");
    const tick = "tr[data-kind=tick]:has-text('XRH-USD-SPOT')";
    await page.waitForSelector(tick);
    expect(await page.locator(tick).first().innerText()).toContain("8000.00");
    await close();
  });

  it("asks for the catalogue once, first of all, and not from the requests of a visitor without a key", async () => {
    const left = async () => {
      const { headers } = await ask(service.url, "/v1/spot/XAU-USD-SPOT");
      return { remaining: Number(headers.get("x-ratelimit-remaining")), until: headers.get("x-ratelimit-reset") };
    };
    await eventually(
      "both counts are of one minute",
      async () => {
        const before = await left();
        const { page, requests, close } = await consoles.open(service.url, "");
        await page.waitForSelector(".digits data");
        const paths = requests.map((url) => new URL(url).pathname);
        await close();
        expect(paths.filter((path) => path === CATALOG_PATH)).toHaveLength(1);
        expect(paths.indexOf(CATALOG_PATH)).toBeLessThan(paths.indexOf("/console/market.json"));
        return { before, after: await left() };
      },
      ({ before, after }) => before.until === after.until && after.remaining === before.remaining - 1,
      { withinMs: 100_000 },
    );
  });

  it("shows the built-in lists while the catalogue cannot be had", async () => {
    const { page, close } = await consoles.open(service.url, "");
    await page.waitForSelector("select[aria-label=Metal]");
    await page.route(`**${CATALOG_PATH}`, (route) => route.abort());
    await page.reload();
    await page.waitForSelector(".digits data");
    expect(await digitsIn(page, ".digits")).toEqual(["4000.00"]);
    expect(await page.locator(".price .segments span").allInnerTexts()).toEqual(["Gold", "Silver", "Copper"]);
    expect(await optionsOf(page, "Currency")).toHaveLength(catalogue.quoted.length);
    await close();
  });

  it("looks right on a desk and on a phone, in light and in dark, and axe finds nothing serious", async () => {
    const { page, close } = await consoles.open(service.url, "?metal=XRH&currency=KWD", keys.pro);
    for (const { name, colorScheme, viewport } of LOOKS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.waitForSelector(".digits data");
      expect(await page.innerText("h1")).toContain("Rhodium");
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${name} fits`).toBe(viewport.width);
      await photograph(page, `catalogue-${name}`);
      expect(await seriousFindings(page), name).toEqual([]);
    }
    await close();
  });

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(6);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
