/** A service of one's own in a real browser: with KEYLESS_TIER every page has its figures without a key. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { CONSOLE_PAGES, type ConsolePath } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

/** What shows that a page has its figures, or asks for a key. */
const SETTLED: Readonly<Record<ConsolePath, string>> = {
  "": ".market[class] .digits data >> nth=0",
  counter: ".piece",
  curve: "table:has-text('simulated-settlements')",
  physical: ".countries button >> nth=11",
  probability: ".drawing canvas >> nth=0",
  sources: "[data-source] >> nth=0",
  corrections: "[data-head=genuine]",
  account: ".needs-key",
  status: ".checks dt >> nth=5",
  streams: ".controls",
};

describeConsoles("without a key", (consoles) => {
  let folder: Folder;
  let service: Service;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startService({
      DATA_DIR: folder.path,
      DISABLE: "download",
      KEYLESS_TIER: "realtime_pro",
      TRUST_PROXY: "::1",
    });
  });
  afterAll(async () => {
    await service?.stop();
    await folder?.remove();
  });

  it.each(Object.keys(CONSOLE_PAGES) as ConsolePath[])(
    "the page /%s has what the tier has, and nothing of it is refused",
    async (path) => {
      const { page, close } = await consoles.open(service.url, path);
      await page.waitForSelector(SETTLED[path]);
      expect(await page.innerText(".key-name")).toBe("Realtime Pro, no key");
      expect(await page.locator(".needs-key").count()).toBe(path === "account" ? 1 : 0);
      // A browser complains of every refusal.
      expect(consoles.complaints.at(-1)).toEqual([]);
      await close();
    },
  );

  it("the market is live, with every interval, and the status says why", async () => {
    const market = await consoles.open(service.url, "?interval=1m");
    await market.page.waitForSelector(".badges:has-text('Live')");
    await market.page.waitForSelector(".legend:has-text('forming')");
    expect(await market.page.innerText("main")).not.toContain("need the tier");
    await market.close();
    const status = await consoles.open(service.url, "status");
    await status.page.waitForSelector("text=Without a key: the tier Realtime Pro, prices live");
    await status.close();
  });

  it.each(["sse", "websocket"])("ticks are followed over %s", async (transport) => {
    const { page, close } = await consoles.open(service.url, "streams");
    await page.check(`input[value=${transport}]`, { force: true });
    await page.click("button:has-text('Subscribe')");
    await page.waitForSelector("tr[data-kind=tick]");
    expect(await page.locator(".refusal").count()).toBe(0);
    await close();
  });

  it("the start has warned that others may reach it", () => {
    expect(service.stderr()).toContain("KEYLESS_TIER gives Realtime Pro to whoever reaches this service, and others may");
  });

  it("no page asks another host, or complains", () => {
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
