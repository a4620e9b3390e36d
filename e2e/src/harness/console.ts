/** The console in a browser: its pages opened, read and photographed, its requests and complaints kept. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { watchedPage } from "./browser.ts";
import { ROOT } from "./root.ts";

/** The pages below the base, and the heading each is known by. */
export const CONSOLE_PAGES = {
  "": "Gold",
  curve: "Curve",
  physical: "Physical",
  probability: "Probability",
  account: "Account",
  status: "Status",
  streams: "Streams",
} as const;
/** A page of the console. */
export type ConsolePath = keyof typeof CONSOLE_PAGES;

/** Where pictures go; CI keeps them. */
export const PICTURES = join(ROOT, "e2e/dist/console");

/** The widths and colours every page must look right in. */
export const LOOKS = [
  { name: "1280-light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "1280-dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "360-light", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "360-dark", colorScheme: "dark", viewport: { width: 360, height: 740 } },
] as const;

/** What a browser says of a refusal that the page then puts in words, or of a service that is gone on purpose. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of 4|net::ERR_)/;

/** An opened console. */
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
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Opens a page.
   * @param base the service's URL, without a slash at its end
   * @param path the page, with what follows it in the address
   * @param key taken from the address, as the link of a rehearsal has it
   */
  async open(base: string, path: string, key?: string, options: BrowserContextOptions = {}): Promise<OpenConsole> {
    const watched = await watchedPage(this.#browser, new URL(base).origin, { locale: "en-US", ...options });
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

/** The figures within an element as shown, in reading order, without the separators of the page's locale. */
export const digitsIn = async (page: Page, selector: string): Promise<string[]> => {
  const texts = await page
    .locator(`${selector} data`)
    .evaluateAll((found) => found.map((one) => one.firstChild?.textContent ?? ""));
  return texts.map((text) => text.replaceAll(",", "").replaceAll("−", "-").trim());
};

/** A picture of a whole page. */
export const photograph = async (page: Page, name: string): Promise<void> => {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};
