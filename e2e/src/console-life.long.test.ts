/** The console when things change under it: the service dies and returns, keys come and go, a proxy adds a path. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findChromium, launchChromium } from "./harness/browser.ts";
import { ask } from "./harness/call.ts";
import { CONSOLE_PAGES, Consoles, digitsIn } from "./harness/console.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { openPrefixProxy } from "./harness/prefix-proxy.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const program = findChromium();
if (program === null) console.info("skipped: no browser; install Chromium or name one in CHROMIUM_PATH");

const LIVE = ".badge.good:text-is('Live')";

describe.skipIf(program === null)("the console in a browser (Chromium)", { meta: { needs: "no Chromium is installed" } }, () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service;
  let keys: TierKeys;
  let browser: Browser;
  let consoles: Consoles;

  beforeAll(async () => {
    folder = await temporaryFolder();
    settings = { DATA_DIR: folder.path, DISABLE: "download" };
    service = await startService(settings);
    keys = await readDemoKeys(folder.path);
    browser = await launchChromium(program ?? "");
    consoles = new Consoles(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  it("says since when the service is unreachable, keeps what it showed, and recovers by itself", async () => {
    const keyed = await consoles.open(service.url, "", keys.pro);
    const keyless = await consoles.open(service.url, "");
    await keyed.page.waitForSelector(LIVE);
    await keyless.page.waitForSelector(".digits data");
    const { port } = new URL(service.url);
    await service.stop("SIGKILL");
    for (const { page } of [keyed, keyless]) {
      await page.waitForSelector(".lost");
      expect(await page.innerText(".lost")).toMatch(/No answer from the service since \d\d:\d\d:\d\d\./);
      expect(await page.locator(".digits data").count()).toBe(1);
    }
    expect(await keyed.page.innerText(".price .badges")).toMatch(/Stream lost since \d\d:\d\d:\d\d/);
    const before = await digitsIn(keyed.page, ".digits");
    // A page whose code was not loaded before waits for the service, too.
    await keyless.page.click("nav a:text-is('Status')");
    await keyless.page.waitForSelector("text=This page could not be loaded");
    service = await startService({ ...settings, PORT: port });
    await keyless.page.waitForSelector("h1:text-is('Status')");
    await keyless.page.waitForSelector(".badge.good:text-is('All is well')");
    for (const { page } of [keyed, keyless]) await page.waitForSelector(".lost", { state: "detached" });
    await keyed.page.waitForSelector(LIVE);
    await expect.poll(() => digitsIn(keyed.page, ".digits")).not.toEqual(before);
    await keyed.close();
    await keyless.close();
  });

  it("makes a key shown once, uses it, and revokes it, each after a confirmation", async () => {
    const plaintext = keys.basic;
    const { page, close } = await consoles.open(service.url, "account", plaintext);
    await page.waitForSelector("[data-key]");
    await page.fill(".mint input", "from the console");
    await page.click("text=Rotate the key");
    await page.click(".mint .danger");
    const minted = (await page.innerText(".plaintext")).trim();
    expect(minted).toMatch(/^assay_live_\w{38}$/);
    await page.click("text=Use it here");
    await page.waitForSelector("tr[data-key]:has-text('from the console'):has-text('in use here')");
    expect(await page.locator(".plaintext").count()).toBe(0);
    expect(await page.content()).not.toContain(minted);
    const old = "tr[data-key]:not(:has-text('in use here'))";
    await page.click(`${old} >> text=Revoke`);
    expect((await ask(service.url, "/v1/account/usage", { key: plaintext })).status).toBe(200);
    await page.click(`${old} .danger`);
    await page.waitForSelector(old, { state: "detached" });
    expect((await ask(service.url, "/v1/account/usage", { key: plaintext })).status).toBe(401);

    await page.click("tr[data-key] >> text=Revoke");
    await page.click("tr[data-key] .danger");
    await page.waitForSelector(".lost:has-text('The key is not valid')");
    expect((await ask(service.url, "/v1/account/usage", { key: minted })).status).toBe(401);
    await close();
  });

  it("works below a path prefix, on every page and after a reload", async () => {
    const proxy = await openPrefixProxy(service.url, "/metals");
    const { page, requests, close } = await consoles.open(proxy.url, "", keys.pro);
    await page.waitForSelector(LIVE);
    for (const [path, heading] of Object.entries(CONSOLE_PAGES)) {
      if (path === "") continue;
      await page.click(`nav a:text-is('${heading}')`);
      await page.waitForSelector(`h1:text-is('${heading}')`);
      expect(new URL(page.url()).pathname).toBe(`/metals/${path}`);
    }
    await page.reload();
    await page.waitForSelector("h1:text-is('Streams')");
    expect(requests.map((url) => new URL(url).pathname).filter((path) => !path.startsWith("/metals/"))).toEqual([]);
    await close();
    proxy.close();
  });

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(2);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
