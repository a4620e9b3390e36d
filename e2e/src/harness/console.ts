/** The console in a browser: its pages opened, read and photographed, its requests and complaints kept. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { watchedPage } from "./browser.ts";
import { ROOT } from "./files.ts";

/** The pages below the base, and the heading each is known by. */
export const CONSOLE_PAGES = {
  "": "Gold",
  counter: "Counter",
  curve: "Curve",
  physical: "Physical",
  probability: "Probability",
  sources: "Sources",
  corrections: "Corrections",
  account: "Account",
  status: "Status",
  streams: "Streams",
} as const;
export type ConsolePath = keyof typeof CONSOLE_PAGES;

/** What shows that a page has its figures. */
export const SETTLED: Readonly<Record<ConsolePath, string>> = {
  "": ".market[class] .digits data >> nth=0",
  counter: ".piece",
  curve: ".drawing canvas >> nth=0",
  physical: ".countries button >> nth=11",
  probability: ".drawing canvas >> nth=0",
  sources: "[data-source] >> nth=0",
  corrections: "[data-head=genuine]",
  account: "[data-key] >> nth=0",
  status: ".checks dt >> nth=5",
  streams: ".controls",
};

const PICTURES = join(ROOT, "e2e/dist/console");

/** The widths and colours every page must look right in. */
export const LOOKS = [
  { name: "1280-light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "1280-dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "768-light", colorScheme: "light", viewport: { width: 768, height: 1024 } },
  { name: "360-light", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "360-dark", colorScheme: "dark", viewport: { width: 360, height: 740 } },
] as const;

/** What a browser says of a refusal that the page then puts in words, or of a service that is gone on purpose, or starting. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of (4|503)|net::ERR_)/;

export interface OpenConsole {
  readonly page: Page;
  /** Every request, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Opens consoles of one service, and remembers what went wrong in any. */
export class Consoles {
  readonly foreign: string[][] = [];
  readonly complaints: string[][] = [];
  readonly #browser: () => Browser;

  constructor(browser: () => Browser) {
    this.#browser = browser;
  }

  /**
   * Opens a page.
   * @param base the service's URL, without a slash at its end
   * @param path the page, with what follows it in the address
   * @param key taken from the address, as the link of a rehearsal has it
   */
  async open(base: string, path: string, key?: string, options: BrowserContextOptions = {}): Promise<OpenConsole> {
    const watched = await watchedPage(this.#browser(), new URL(base).origin, { locale: "en-US", ...options });
    this.foreign.push(watched.foreign);
    this.complaints.push(watched.complaints);
    const requests: string[] = [];
    watched.page.on("request", (request: Request) => requests.push(request.url()));
    await watched.page.goto(`${base}/${path}${key === undefined ? "" : `#key=${key}`}`);
    return { page: watched.page, requests, close: () => watched.page.context().close() };
  }

  /** What no page may ask or say: requests to others, violations of the policy, errors of scripts. */
  faults(): { readonly foreign: readonly string[]; readonly complaints: readonly string[] } {
    return { foreign: this.foreign.flat(), complaints: this.complaints.flat().filter((text) => !EXPECTED.test(text)) };
  }
}

/** A figure as published, from how a locale shows it: its separators removed, and its digits in Latin. */
const published = (shown: string, locale: string): string => {
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)].reverse();
  const signs = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const signOf = (type: string): string => signs.find((part) => part.type === type)?.value ?? "";
  const plain = shown.replaceAll(signOf("group"), "").replace(signOf("decimal"), ".").replaceAll("−", "-");
  return [...plain.trim()].map((sign) => (digits.includes(sign) ? digits.indexOf(sign) : sign)).join("");
};

/**
 * The figures within an element in reading order, as published.
 * @param locale the one the page is shown in
 */
export const digitsIn = async (page: Page, selector: string, locale = "en-US"): Promise<string[]> => {
  const texts = await page.locator(`${selector} data bdi`).allTextContents();
  return texts.map((text) => published(text, locale));
};

export const photograph = async (page: Page, name: string): Promise<void> => {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};

const DIST = join(ROOT, "apps/console/dist");

/** The bound of the first load, in bytes. */
export const FIRST_LOAD_BYTES = 150 * 1_024;

interface LoadedFile {
  readonly name: string;
  readonly gzipBytes: number;
}

/** The page and the scripts and styles it names, with their sizes as gzip sends them; icons come later. */
export const firstLoad = async (): Promise<readonly LoadedFile[]> => {
  const html = await readFile(join(DIST, "index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);
  return Promise.all(
    ["index.html", ...named].map(async (name) => ({ name, gzipBytes: (await readFile(join(DIST, `${name}.gz`))).length })),
  );
};
