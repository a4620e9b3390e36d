/**
 * `npm run shots`: takes the pictures of docs/guides/console.md and docs/reference/catalogue.md, on simulated markets of its
 * own; with `--languages=de,ar` instead every page in these languages, to be looked at: see `looksOf` for the other choices.
 */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { findChromium, launchChromium } from "./harness/browser.ts";
import { CONSOLE_PAGES, Consoles, photograph } from "./harness/console.ts";
import { ROOT, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Settings, startAnew } from "./harness/service.ts";

const FOLDER = join(ROOT, "docs/assets/console");
const QUALITY = 82;
const IDLE_WITHIN_MS = 5_000;
const DESK = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };

interface Shot {
  readonly name: string;
  /** The page, with what is chosen on it. */
  readonly path: string;
  /** Whose key it is taken with. */
  readonly tier: keyof TierKeys | null;
  /** What must be there first. */
  readonly until: string;
  readonly viewport: typeof DESK;
  readonly colorScheme: "light" | "dark";
  /** What is done on the page first. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The pictures of a service with the built-in catalogue. */
const SHOTS: readonly Shot[] = [
  { name: "market", path: "", tier: "pro", until: ".drawing canvas", viewport: DESK, colorScheme: "light" },
  {
    name: "market-phone",
    path: "?currency=INR&per=tola",
    tier: null,
    until: ".drawing canvas",
    viewport: PHONE,
    colorScheme: "dark",
  },
  {
    name: "counter",
    path: "counter?currency=EUR",
    tier: "pro",
    until: ".piece",
    viewport: DESK,
    colorScheme: "light",
    prepare: async (page) => {
      await page.selectOption("select[aria-label=Purity]", "k18");
      await page.fill(".piece-head > input", "Ring");
      await page.fill(".weight input", "4.25");
      await page.click(".terms summary");
      await page.fill("label:has(> span:text-matches('^Margin')) input", "3");
      await page.selectOption("select[aria-label='Making charge']", "per_gram");
      await page.fill("label:has(> span:text-matches('^Making')) input", "12.50");
      await page.click("text=Add a piece");
      await page.click("[data-piece='2'] label:has-text('We buy')");
      await page.fill("[data-piece='2'] .piece-head > input", "Scrap");
      await page.fill("[data-piece='2'] .weight input", "2.1");
      await page.waitForSelector("[data-total]");
      await page.click("text=Make the receipt");
      await page.waitForSelector(".sheet");
    },
  },
  { name: "curve", path: "curve", tier: "pro", until: ".drawing canvas", viewport: DESK, colorScheme: "light" },
  { name: "physical", path: "physical", tier: "pro", until: ".countries", viewport: DESK, colorScheme: "light" },
  { name: "probability", path: "probability", tier: "pro", until: ".drawing canvas", viewport: DESK, colorScheme: "dark" },
  { name: "sources", path: "sources", tier: "pro", until: "[data-source]", viewport: DESK, colorScheme: "light" },
  { name: "corrections", path: "corrections", tier: "pro", until: "[data-head=genuine]", viewport: DESK, colorScheme: "light" },
  {
    name: "alerts",
    path: "account",
    tier: "pro",
    until: "form[data-make=endpoint]",
    viewport: DESK,
    colorScheme: "light",
    prepare: async (page) => {
      await page.fill("form[data-make=endpoint] input", "https://shop.example/assay");
      await page.click("form[data-make=endpoint] button");
      await page.click("text=Put it away");
      for (const [kind, threshold] of [
        ["above", "5000"],
        ["moved", "1.5"],
      ] as const) {
        await page.selectOption("form[data-make=alert] select[aria-label='Fires when the price is']", kind);
        await page.fill("form[data-make=alert] input[inputmode=decimal]", threshold);
        await page.click("form[data-make=alert] button");
        await page.waitForSelector(`tr[data-alert]:has-text('${kind}')`);
      }
      // From below, so that the panel begins at the top.
      await page.keyboard.press("End");
      await page.locator("section:has(tr[data-alert]) > header").scrollIntoViewIfNeeded();
    },
  },
  { name: "status", path: "status", tier: null, until: ".checks", viewport: DESK, colorScheme: "light" },
];

/** And of one with the wide catalogue. */
const WIDE_SHOTS: readonly Shot[] = [
  {
    name: "wide",
    path: "?metal=XPT&currency=SAR",
    tier: "pro",
    until: ".drawing canvas",
    viewport: DESK,
    colorScheme: "light",
  },
];

/** What is in sight, as WebP, which the browser's driver offers only by its protocol. */
const picture = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  return Buffer.from(data, "base64");
};

const QUIET_WITHIN_MS = 4_000;
const HEIGHT = 900;

/** Pictures for the eye: of every page, each value with each of the others. */
interface Looks {
  readonly languages: readonly string[];
  readonly pages: readonly string[];
  readonly widths: readonly number[];
  readonly colours: readonly ("light" | "dark")[];
  readonly keys: readonly ("key" | "none")[];
}

const COLOURS = ["light", "dark"] as const;
const KEYS = ["key", "none"] as const;

/**
 * Reads the choices: `--languages` decides whether there are any, and each of the others leaves some out.
 * @example --languages=de,ar --pages=market,status --widths=360,1280 --colours=dark --keys=none
 */
const looksOf = (args: readonly string[]): Looks | null => {
  const list = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { languages: list, pages: list, widths: list, colours: list, keys: list },
  });
  if (values.languages === undefined) return null;
  const only = <T extends string>(all: readonly T[], given: string | undefined): readonly T[] =>
    given === undefined ? all : all.filter((one) => given.split(",").includes(one));
  return {
    languages: values.languages.split(","),
    pages: only(
      Object.keys(CONSOLE_PAGES).map((path) => path || "market"),
      values.pages,
    ),
    widths: (values.widths ?? "360,768,1280,1440").split(",").map(Number),
    colours: only(COLOURS, values.colours),
    keys: only(KEYS, values.keys),
  };
};

/** Takes the pictures for the eye; each page is opened once a language and key. */
const photographAll = async (consoles: Consoles, url: string, apiKey: string, looks: Looks): Promise<void> => {
  for (const language of looks.languages)
    for (const key of looks.keys)
      for (const name of looks.pages) {
        const path = `${name === "market" ? "" : name}?lang=${language}`;
        const { page, close } = await consoles.open(url, path, key === "key" ? apiKey : undefined);
        for (const width of looks.widths)
          for (const colorScheme of looks.colours) {
            await page.setViewportSize({ width, height: HEIGHT });
            await page.emulateMedia({ colorScheme });
            // What is folded away is not waited for: nobody asked for it.
            await page.waitForSelector(".loading:visible", { state: "detached" });
            await page.waitForLoadState("networkidle", { timeout: QUIET_WITHIN_MS }).catch(() => undefined); // a stream never is
            await photograph(page, `${language}-${name}-${width}-${colorScheme}-${key}`);
          }
        await close();
        process.stdout.write(`${language} ${name} ${key}\n`);
      }
};

const program = findChromium();
if (program === null) throw new Error("no browser; install Chromium or name one in CHROMIUM_PATH");

const browser = await launchChromium(program);
const consoles = new Consoles(() => browser);

/** Runs a service with demo keys for as long as the pictures take. */
const withService = async (settings: Settings, work: (url: string, keys: TierKeys) => Promise<void>): Promise<void> => {
  const folder = await temporaryFolder();
  const service = await startAnew({ DATA_DIR: folder.path, DISABLE: "download", ...settings });
  try {
    await work(service.url, await readDemoKeys(folder.path));
  } finally {
    await service.stop();
    await folder.remove();
  }
};

const take = (shots: readonly Shot[], settings: Settings): Promise<void> =>
  withService(settings, async (url, keys) => {
    for (const { name, path, tier, until, viewport, colorScheme, prepare } of shots) {
      const key = tier === null ? undefined : keys[tier];
      const { page, close } = await consoles.open(url, path, key, { viewport, colorScheme });
      await page.waitForSelector(until);
      await prepare?.(page);
      await page.waitForLoadState("networkidle", { timeout: IDLE_WITHIN_MS }).catch(() => undefined); // a stream never is
      const file = join(FOLDER, `${name}.webp`);
      await writeFile(file, await picture(page));
      process.stdout.write(`${name}.webp: ${Math.round((await stat(file)).size / 1_024)} kB\n`);
      await close();
    }
  });

try {
  const looks = looksOf(process.argv.slice(2));
  if (looks === null) {
    await mkdir(FOLDER, { recursive: true });
    await take(SHOTS, {});
    await take(WIDE_SHOTS, { CATALOG: "wide" });
  } else {
    await withService({}, (url, keys) => photographAll(consoles, url, keys.pro, looks));
    process.stdout.write(`${JSON.stringify(consoles.faults())}\n`);
  }
} finally {
  await browser.close();
}
