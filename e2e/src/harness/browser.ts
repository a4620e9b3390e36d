/** A real browser, where there is one, and everything it asked for and complained about. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser's program: `CHROMIUM_PATH`, or the first found on the PATH; null for none. */
export const findChromium = (env: NodeJS.ProcessEnv = process.env): string | null => {
  const named = env.CHROMIUM_PATH;
  if (named) return isProgram(named) ? named : null;
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/bin"];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram) ?? null;
};

/** Started anew, with a folder of its own that goes with it, and asking nobody but who is visited. */
export const launchChromium = (program: string): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/** A page and what it did. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests to anywhere but the service. */
  readonly foreign: string[];
  /** Errors and warnings of the console, violations of the page's policy among them, and faults of scripts. */
  readonly complaints: string[];
}

/** Opens an empty page that may ask nobody but one origin: what else it asks for is noted and refused. */
export const watchedPage = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  await context.route(
    (url) => url.origin !== origin && url.protocol.startsWith("http"),
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, foreign, complaints };
};
