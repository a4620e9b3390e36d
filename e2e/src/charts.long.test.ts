/** Lightweight Charts draws from /udf in a real browser, by the code of the guide. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findChromium, launchChromium, watchedPage } from "./harness/browser.ts";
import { ROOT } from "./harness/files.ts";
import { blocksOf } from "./harness/guide.ts";
import { type Service, sharedService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 600_000 });

const chromium = findChromium();
if (chromium === null) console.info("skipped: no Chromium");

const LIBRARY = join(
  dirname(createRequire(import.meta.url).resolve("lightweight-charts/package.json")),
  "dist/lightweight-charts.standalone.production.mjs",
);

/** How many pixels of all canvases have the library's colours of candles that close higher and lower; a script of the page. */
const PIXELS = `[[38, 166, 154], [239, 83, 80]].map(([red, green, blue]) => {
  let pixels = 0;
  for (const canvas of document.querySelectorAll("canvas")) {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) pixels += 1;
  }
  return pixels;
})`;

const codeOfGuide = async (): Promise<string> => {
  const guide = await readFile(join(ROOT, "docs/guides/integrations/charts.md"), "utf8");
  const code = blocksOf(guide).find(({ language, text }) => language === "js" && text.includes("lightweight-charts"))?.text;
  if (code === undefined) throw new Error("the guide has no code for Lightweight Charts");
  return code;
};

describe.skipIf(chromium === null)("a chart", { meta: { needs: "no Chromium" } }, () => {
  let browser: Browser;
  let service: Service;
  beforeAll(async () => {
    ({ service } = await sharedService());
    browser = await launchChromium(chromium ?? "");
  });
  afterAll(() => browser?.close());

  it("is drawn from the feed, candle by candle, without an error", async () => {
    const { page, foreign, complaints } = await watchedPage(browser, service.url);
    const imports = JSON.stringify({ imports: { "lightweight-charts": "/library.mjs" } });
    const html = `<!doctype html><link rel="icon" href="data:,"><div id="chart" style="width:800px;height:400px"></div>
<script type="importmap">${imports}</script><script type="module">${await codeOfGuide()}</script>`;
    await page.route("**/chart.html", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.route("**/library.mjs", (route) => route.fulfill({ contentType: "text/javascript", path: LIBRARY }));
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes("/udf/history")),
      page.goto(`${service.url}/chart.html`),
    ]);
    const bars = (await answer.json()) as { s: string; t: number[] };
    expect(bars.s).toBe("ok");
    expect(bars.t.length).toBeGreaterThan(15);

    const drawn = async (): Promise<number[]> => (await page.evaluate(PIXELS)) as number[]; // its value is a list of counts
    await expect.poll(async () => Math.min(...(await drawn())), { timeout: 15_000 }).toBeGreaterThan(100);
    expect(foreign).toEqual([]);
    // It complains about how this test reads the pixels.
    expect(complaints.filter((line) => !line.includes("willReadFrequently"))).toEqual([]);
  });
});
