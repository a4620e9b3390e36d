/**
 * `npm run measure`: prints what the console's first load weighs, when its first price is on screen, and how far anything
 * moved.
 */
import { findChromium, launchChromium } from "./harness/browser.ts";
import { Consoles, FIRST_LOAD_BYTES, firstLoad, LOOKS } from "./harness/console.ts";
import { eventually } from "./harness/eventually.ts";
import { readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { startAnew } from "./harness/service.ts";

const RUNS = 5;
const SETTLED_MS = 3_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const files = await firstLoad();
for (const { name, gzipBytes } of files) say(`${(gzipBytes / 1_024).toFixed(1).padStart(7)} kB  ${name}`);
const total = files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
say(`first load: ${(total / 1_024).toFixed(1)} kB gzipped, bound ${FIRST_LOAD_BYTES / 1_024} kB`);

/** Runs in the page before anything else: notes layout shifts, and when the first price is painted. */
const WATCH = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".digits data")) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.priceMs = performance.now() - performance.getEntriesByType("navigation")[0].responseEnd; });
  }).observe(document, { childList: true, subtree: true });
`;

const program = findChromium();
if (program === null)
  say("first price and layout shift: not measured, no browser; install Chromium or name one in CHROMIUM_PATH");
else {
  const folder = await temporaryFolder();
  const service = await startAnew({ DATA_DIR: folder.path, DISABLE: "download" });
  const browser = await launchChromium(program);
  try {
    const keys = await readDemoKeys(folder.path);
    const screens = LOOKS.filter(({ colorScheme }) => colorScheme === "light");
    for (const [who, key] of [
      ["without a key", undefined],
      ["with a key", keys.pro],
    ] as const)
      for (const { viewport } of screens) {
        const prices: number[] = [];
        const shifts: number[] = [];
        for (let run = 0; run < RUNS; run += 1) {
          const { page, close } = await new Consoles(() => browser).open(service.url, "", undefined, { viewport });
          await page.context().addInitScript(WATCH);
          await page.goto("about:blank");
          await page.goto(`${service.url}/${key === undefined ? "" : `#key=${key}`}`);
          const priceMs = () => page.evaluate("window.priceMs ?? null") as Promise<number | null>;
          await eventually("a price is on screen", priceMs, (ms) => ms !== null, { withinMs: 60_000 });
          await page.waitForTimeout(SETTLED_MS);
          prices.push((await priceMs()) ?? Number.NaN);
          shifts.push((await page.evaluate("window.shift")) as number);
          await close();
        }
        const moved = Math.max(...shifts).toFixed(4);
        say(`${who}, ${viewport.width} px: first price ${middle(prices).toFixed(0)} ms after the HTML, layout shift ${moved}`);
      }
  } finally {
    await browser.close();
    await service.stop();
    await folder.remove();
  }
}
