/** Suites of the console: each in a Chromium of its own, skipped with the reason where none is installed. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { findChromium, launchChromium } from "./browser.ts";
import { Consoles } from "./console.ts";

const program = findChromium();
if (program === null) console.info("skipped: no browser; install Chromium or name one in CHROMIUM_PATH");

/** Describes a suite; it opens pages once its hooks run. */
export const describeConsoles = (title: string, suite: (consoles: Consoles) => void): void => {
  describe.skipIf(program === null)(`${title} (Chromium)`, { meta: { needs: "no Chromium is installed" } }, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchChromium(program ?? "");
    });
    afterAll(async () => {
      await browser?.close();
    });
    suite(
      new Consoles(() => {
        if (browser === undefined) throw new Error("the browser is not started yet");
        return browser;
      }),
    );
  });
};
