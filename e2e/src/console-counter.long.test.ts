/** The counter of the console on a replayed market: what it shows is what `POST /v1/quotes` answers, digit for digit. */
import { MINUTE_MS } from "@assay/contract";
import { type ReceiptKeys, verifyReceipt } from "@assay/sdk/receipts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { seriousFindings } from "./harness/browser.ts";
import { ask } from "./harness/call.ts";
import { digitsIn, LOOKS, photograph } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, gold, rates, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

/** What is laid on the counter: a ring that is sold, and scrap that is bought. */
const RING = {
  metal: "XAU",
  weight: "4.25",
  unit: "gram",
  side: "sell",
  karat: 18,
  margin_percent: "3",
  making: { per_gram: "12.5" },
  tax_percent: "21",
  tax_on: "making",
  round_to: "0.05",
};
const SCRAP = { metal: "XAU", weight: "10.5", unit: "gram", side: "buy", fineness: "585", margin_percent: "8" };

interface Quoted {
  readonly items: readonly { readonly total: string; readonly metal_value: string; readonly fine_weight_grams: string }[];
}

/** What the page calls its fields and buttons. */
type Words = Readonly<
  Record<"purity" | "parts" | "weight" | "margin" | "makingBy" | "making" | "tax" | "roundTo" | "add" | "weBuy", string>
>;
const ENGLISH: Words = {
  purity: "Purity",
  parts: "Parts of 1000",
  weight: "Weight",
  margin: "Margin",
  makingBy: "Making charge",
  making: "Making",
  tax: "Tax",
  roundTo: "Round to",
  add: "Add a piece",
  weBuy: "We buy",
};
const GERMAN: Words = {
  purity: "Feingehalt",
  parts: "Tausendstel",
  weight: "Gewicht",
  margin: "Marge",
  makingBy: "Arbeitslohn",
  making: "Höhe des Lohns",
  tax: "Steuer",
  roundTo: "Runden auf",
  add: "Stück hinzufügen",
  weBuy: "Ankauf",
};
const ARABIC: Words = {
  purity: "العيار",
  parts: "أجزاء من الألف",
  weight: "الوزن",
  margin: "الهامش",
  makingBy: "المصنعية",
  making: "مقدار المصنعية",
  tax: "الضريبة",
  roundTo: "التقريب إلى",
  add: "أضف قطعة",
  weBuy: "نشتري",
};

describeConsoles("the counter of the console", (consoles) => {
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const nowMs = Date.now();
    const sides = { bid: "4009.90", ask: "4010.30" };
    const feeds = await replayFile(folder, [
      at(nowMs - 40 * MINUTE_MS, rates("replay-fx", { EUR: "0.8125", INR: "88.1234" })),
      at(nowMs - 40 * MINUTE_MS, gold("replay-a", "4003.20")),
      at(nowMs - MINUTE_MS, gold("replay-a", "4010.10", sides)),
    ]);
    service = await startService({ DATA_DIR: folder.path, FEEDS: feeds });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  const quote = async (items: readonly object[], key: string | undefined): Promise<Quoted> => {
    const headers = { "content-type": "application/json" };
    const { status, json } = await ask(service.url, "/v1/quotes", {
      method: "POST",
      headers,
      body: JSON.stringify({ currency: "EUR", items }),
      key,
    });
    expect(status).toBe(200);
    return json as Quoted; // the contract's own shape
  };

  const field = (page: Page, place: number, label: string) =>
    page.locator(`[data-piece="${place}"] label.field:has(> span:text-matches("^${label}"))`).locator("input");
  const choose = (page: Page, place: number, label: string, value: string) =>
    page.selectOption(`[data-piece="${place}"] select[aria-label="${label}"]`, value);

  /** Lays both pieces down, with a decimal sign, on a page in some language. */
  const layDown = async (page: Page, sign: string, words: Words = ENGLISH): Promise<void> => {
    const text = (figure: string): string => figure.replace(".", sign);
    await choose(page, 1, words.purity, "k18");
    await field(page, 1, words.weight).fill(text(RING.weight));
    await page.click('[data-piece="1"] .terms summary');
    await field(page, 1, words.margin).fill(RING.margin_percent);
    await choose(page, 1, words.makingBy, "per_gram");
    await field(page, 1, words.making).fill(text(RING.making.per_gram));
    await choose(page, 1, words.tax, "making");
    await field(page, 1, words.tax).fill(RING.tax_percent);
    await field(page, 1, words.roundTo).fill(text(RING.round_to));
    await page.click(`text=${words.add}`);
    await page.click(`[data-piece="2"] label:has-text("${words.weBuy}")`);
    await choose(page, 2, words.purity, "fineness");
    await field(page, 2, words.parts).fill(SCRAP.fineness);
    await field(page, 2, words.weight).fill(text(SCRAP.weight));
    await page.click('[data-piece="2"] .terms summary');
    await field(page, 2, words.margin).fill(SCRAP.margin_percent);
  };

  const totals = (page: Page): Promise<string[]> => digitsIn(page, ".piece-total");

  it("shows what the service answers of each piece, and what changes hands, typed with a point", async () => {
    const { page, close } = await consoles.open(service.url, "counter?currency=EUR", keys.pro);
    await page.waitForSelector(".piece");
    await layDown(page, ".");
    const { items } = await quote([RING, SCRAP], keys.pro);
    await expect.poll(() => totals(page)).toEqual(items.map(({ total }) => total));
    expect((await digitsIn(page, '[data-piece="2"] .parts')).slice(0, 2)).toEqual([
      items[1]?.fine_weight_grams,
      items[1]?.metal_value,
    ]);
    const [sold = "", bought = ""] = items.map(({ total }) => total);
    const due = (BigInt(bought.replace(".", "")) - BigInt(sold.replace(".", ""))).toString();
    expect(await page.getAttribute("[data-total]", "data-total")).toBe(`${due.slice(0, -2)}.${due.slice(-2)}`);
    expect(await page.innerText(".total h2")).toBe("We pay");
    expect(await page.innerText(".total .badges")).toContain("Prices of now");
    await close();
  });

  it("reads a comma from a German and Arabic digits from an Arab as the same amounts", async () => {
    const { items } = await quote([RING, SCRAP], keys.pro);
    const { page, close } = await consoles.open(service.url, "counter?currency=EUR", keys.pro, { locale: "de" });
    await page.waitForSelector(".piece");
    await layDown(page, ",", GERMAN);
    const germanDigits = async () =>
      (await page.locator(".piece-total data").allInnerTexts()).map((text) => text.replaceAll(".", ""));
    await expect.poll(germanDigits).toEqual(items.map(({ total }) => total.replace(".", ",")));
    await close();

    const arab = await consoles.open(service.url, "counter?currency=EUR", keys.pro, { locale: "ar-EG" });
    await arab.page.waitForSelector(".piece");
    await layDown(arab.page, ".", ARABIC);
    await field(arab.page, 1, ARABIC.weight).fill("٤٫٢٥");
    await field(arab.page, 2, ARABIC.weight).fill("١٠٫٥");
    await expect
      .poll(() => arab.page.locator(".piece-total data").evaluateAll((found) => found.map((one) => one.getAttribute("value"))))
      .toEqual(items.map(({ total }) => total));
    await arab.close();
  });

  it("refuses what is no amount as it is typed, and leaves the piece out of the total in words", async () => {
    const { page, requests, close } = await consoles.open(service.url, "counter?currency=EUR", keys.pro, { locale: "de" });
    await page.waitForSelector(".piece");
    await layDown(page, ",", GERMAN);
    await page.waitForSelector("[data-total]");
    await field(page, 2, GERMAN.weight).fill("1.500");
    await page.waitForSelector('[data-piece="2"] .fault:has-text("Tausender oder Nachkommastellen")');
    expect(await field(page, 2, GERMAN.weight).getAttribute("aria-invalid")).toBe("true");
    await page.waitForSelector(".total .fault:has-text('Ohne ein Stück, das keinen Preis hat.')");
    await expect.poll(() => page.innerText(".total h2")).toBe("Zu zahlen");
    for (const text of ["abc", "-5", "1e3"]) {
      await field(page, 2, GERMAN.weight).fill(text);
      await page.waitForSelector('[data-piece="2"] .fault:has-text("Nur Ziffern")');
    }
    expect(requests.filter((url) => url.endsWith("/v1/quotes")).length).toBeGreaterThan(0);
    await close();
  });

  it("says without a key that prices are late, and which piece needs a tier", async () => {
    const { page, close } = await consoles.open(service.url, "counter?currency=EUR");
    await page.waitForSelector(".piece");
    await field(page, 1, "Weight").fill("1");
    await page.click("text=Add a piece");
    await choose(page, 2, "Metal", "XAG");
    await field(page, 2, "Weight").fill("100");
    const { items } = await quote([{ metal: "XAU", weight: "1", unit: "gram" }], undefined);
    await expect.poll(() => totals(page)).toEqual(items.map(({ total }) => total));
    expect(await page.innerText(".total .badges")).toContain("Prices of 15 minutes ago");
    await page.waitForSelector('[data-piece="2"] .priced .fault');
    await page.waitForSelector(".total .fault:has-text('Without one piece')");
    await close();
  });

  it("makes a receipt that anyone can verify, with the figures that are shown and printed", async () => {
    const { page, close } = await consoles.open(service.url, "counter?currency=EUR", keys.pro);
    await page.waitForSelector(".piece");
    await layDown(page, ".");
    await page.waitForSelector("[data-total]");
    await page.fill("[data-piece='1'] .piece-head > input", "Ring, rose");
    await page.click("text=Make the receipt");
    await page.waitForSelector(".sheet");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save the signed receipt")]);
    expect(download.suggestedFilename()).toMatch(/^quote-.*\.jws$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const jwks = (await ask(service.url, "/.well-known/jwks.json")).json as ReceiptKeys;
    const { body } = await verifyReceipt(Buffer.concat(chunks).toString("utf8"), { jwks });
    const { items } = body as unknown as Quoted;
    expect(await digitsIn(page, ".sheet tbody td.number")).toEqual(items.map(({ total }) => total));
    expect(await page.innerText(".sheet")).toContain("Ring, rose");
    expect(await page.innerText(".sheet .warnings")).toContain("Replayed, not a market price");
    expect(await page.isVisible("text=The pieces have changed")).toBe(false);
    await field(page, 1, "Weight").fill("9.5");
    await page.waitForSelector("text=The pieces have changed");
    await page.emulateMedia({ media: "print" });
    expect(await page.isVisible(".sheet")).toBe(true);
    for (const hidden of [".bar", ".foot", ".lay", ".total", ".receipt .actions >> nth=0"])
      expect(await page.isVisible(hidden), hidden).toBe(false);
    await close();
  });

  it("keeps the pieces through a reload, and clears them for the next customer, the terms kept", async () => {
    const { page, close } = await consoles.open(service.url, "counter?currency=EUR", keys.pro);
    await page.waitForSelector(".piece");
    await layDown(page, ".");
    await page.waitForSelector("[data-total]");
    await page.reload();
    await page.waitForSelector('[data-piece="2"]');
    expect(await field(page, 1, "Weight").inputValue()).toBe(RING.weight);
    await page.click("text=Next customer");
    await page.click(".receipt .danger");
    await page.waitForSelector('[data-piece="2"]', { state: "detached" });
    expect(await field(page, 1, "Weight").inputValue()).toBe("");
    expect(await page.innerText('[data-piece="1"] .terms summary')).toContain("margin 3%, making 12.5 per gram");
    await close();
  });

  it("covers nothing that has the focus with the total, on a phone", async () => {
    const { page, close } = await consoles.open(service.url, "counter?currency=EUR", keys.pro, {
      viewport: { width: 360, height: 740 },
    });
    await page.waitForSelector(".piece");
    await layDown(page, ".");
    await page.waitForSelector("[data-total]");
    await page.focus("nav [aria-current]");
    const reached: string[] = [];
    const covered: string[] = [];
    while (reached.at(-1) !== "Add a piece" && reached.length < 60) {
      await page.keyboard.press("Tab");
      const [name, isInSight] = (await page.evaluate(`(() => {
        const one = document.activeElement;
        const { top, bottom } = one.getBoundingClientRect();
        const edge = document.querySelector(".counter .total").getBoundingClientRect().top;
        return [one.getAttribute("aria-label") ?? one.textContent, one.closest(".lay") === null || (top >= 0 && bottom <= edge)];
      })()`)) as [string, boolean];
      reached.push(name);
      if (!isInSight) covered.push(name);
    }
    expect(reached).toContain("Remove piece 2");
    expect(covered).toEqual([]);
    await close();
  });

  it("looks right with a bill and a receipt in every width and colour, and axe finds nothing serious", async () => {
    const { page, close } = await consoles.open(service.url, "counter?currency=INR", keys.pro);
    await page.waitForSelector(".piece");
    await layDown(page, ".");
    await page.waitForSelector("[data-total]");
    await page.click("text=Make the receipt");
    await page.waitForSelector(".sheet");
    for (const { name, colorScheme, viewport } of LOOKS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${name} fits`).toBe(viewport.width);
      await photograph(page, `counter-bill-${name}`);
      expect(await seriousFindings(page), name).toEqual([]);
    }
    await close();
  });

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(6);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
