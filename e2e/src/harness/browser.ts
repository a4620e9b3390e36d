/** A page in a browser, and what axe finds serious in it. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import axe from "axe-core";
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

/** The browser's program: `CHROMIUM_PATH`, or the first found on the PATH; null when there is none. */
export const findChromium = (env: NodeJS.ProcessEnv = process.env): string | null => {
  const named = env.CHROMIUM_PATH;
  if (named) return isProgram(named) ? named : null;
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/bin"];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram) ?? null;
};

/** A fresh browser with a temporary profile that makes no requests except to the visited origin. */
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

/** How long a page may take for a step. It draws all routes at once: half a minute was too short beside four other suites on two cores. */
export const STEP_MS = 120_000;

export interface WatchedPage {
  readonly page: Page;
  readonly foreign: string[];
  /** Console errors and warnings, including violations of the page's policy, and script errors. */
  readonly complaints: string[];
}

/** Opens an empty page that may only request one origin: anything else is recorded and blocked. */
export const watchedPage = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(STEP_MS);
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

interface Found {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Serious and critical findings; none is the only good answer. */
export const seriousFindings = async (page: Page): Promise<string[]> => {
  // By the debugger's protocol, which the page's policy does not concern.
  await page.evaluate(axe.source);
  // Colours that are still changing are those of neither scheme. Two frames: a change begins with the one after its cause.
  await page.evaluate(`(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changing.map(({ finished }) => finished));
  })()`);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Found[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
};
