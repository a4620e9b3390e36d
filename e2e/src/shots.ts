/** `npm run shots`: takes the pictures of docs/guides/console.md, on a simulated market of its own. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findChromium, launchChromium } from "./harness/browser.ts";
import { Consoles } from "./harness/console.ts";
import { readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { ROOT } from "./harness/root.ts";
import { startAnew } from "./harness/service.ts";

const FOLDER = join(ROOT, "docs/assets/console");
const QUALITY = 82;
const DESK = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };

/** Each picture: its page, whose key it is taken with, what must be there first. */
const SHOTS = [
  { name: "market", path: "", tier: "pro", until: ".drawing canvas", viewport: DESK, colorScheme: "light" },
  {
    name: "market-phone",
    path: "?currency=INR&per=tola",
    tier: null,
    until: ".drawing canvas",
    viewport: PHONE,
    colorScheme: "dark",
  },
  { name: "curve", path: "curve", tier: "pro", until: ".drawing canvas", viewport: DESK, colorScheme: "light" },
  { name: "physical", path: "physical", tier: "pro", until: ".countries", viewport: DESK, colorScheme: "light" },
  { name: "probability", path: "probability", tier: "pro", until: ".drawing canvas", viewport: DESK, colorScheme: "dark" },
  { name: "status", path: "status", tier: null, until: ".checks", viewport: DESK, colorScheme: "light" },
] as const;

/** What is in sight, as WebP, which the browser's driver offers only by its protocol. */
const picture = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  return Buffer.from(data, "base64");
};

const program = findChromium();
if (program === null) throw new Error("no browser; install Chromium or name one in CHROMIUM_PATH");

const folder = await temporaryFolder();
const service = await startAnew({ DATA_DIR: folder.path, DISABLE: "download" });
const browser = await launchChromium(program);
try {
  const keys = await readDemoKeys(folder.path);
  const consoles = new Consoles(browser);
  await mkdir(FOLDER, { recursive: true });
  for (const { name, path, tier, until, viewport, colorScheme } of SHOTS) {
    const key = tier === null ? undefined : keys[tier];
    const { page, close } = await consoles.open(service.url, path, key, { viewport, colorScheme });
    await page.waitForSelector(until);
    await page.waitForLoadState("networkidle").catch(() => undefined); // a stream never is
    const file = join(FOLDER, `${name}.webp`);
    await writeFile(file, await picture(page));
    process.stdout.write(`${name}.webp: ${Math.round((await stat(file)).size / 1_024)} kB\n`);
    await close();
  }
} finally {
  await browser.close();
  await service.stop();
  await folder.remove();
}
