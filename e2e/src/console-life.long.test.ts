/** The console when things change under it: the service dies and returns, keys come and go, a proxy adds a path. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text as readAll } from "node:stream/consumers";
import { verifyWebhook } from "@assay/sdk/webhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ask } from "./harness/call.ts";
import { CONSOLE_PAGES, digitsIn } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { freePort } from "./harness/own-servers.ts";
import { type Service, startService } from "./harness/service.ts";
import { openPrefixProxy } from "./harness/simple-proxies.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const LIVE = ".badge.good:text-is('Live')";

describeConsoles("the console in a browser", (consoles) => {
  let folder: Folder;
  let settings: Record<string, string>;
  let receiverPort: number;
  let service: Service;
  let keys: TierKeys;

  beforeAll(async () => {
    folder = await temporaryFolder();
    receiverPort = await freePort();
    const WEBHOOK_HOSTS = `http://127.0.0.1:${receiverPort}`;
    settings = { DATA_DIR: folder.path, DISABLE: "download", WEBHOOK_HOSTS };
    service = await startService(settings);
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
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

  it("shows beside a threshold what the route answers for the symbol chosen, with its currency, weight and age", async () => {
    const { page, close } = await consoles.open(service.url, "account", keys.pro);
    await page.waitForSelector(".price-now[data-now]");
    expect(await page.innerText(".price-now")).toMatch(/^Now [\d,.]+ USD per troy ounce · \d+ s ago$/);
    for (const currency of ["INR", "EUR"]) {
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.url().includes(`XAU-${currency}-SPOT`)),
        page.selectOption("form[data-make=alert] select[aria-label=Currency]", currency),
      ]);
      await page.waitForSelector(`.price-now[data-now]:has-text("${currency} per troy ounce")`);
      const [shown] = await digitsIn(page, ".price-now");
      expect(await response.text()).toContain(`"price":"${shown}"`);
    }
    await page.selectOption("form[data-make=alert] select[aria-label='Fires when the price is']", "stale");
    await page.waitForSelector(".price-now", { state: "detached" });
    await close();
  });

  it("makes an endpoint and an alert, shows that a test arrived, and deletes both", async () => {
    const events: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const receiver = createServer(async (request, response) => {
      events.push({ headers: request.headers, body: await readAll(request) });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(receiverPort, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${receiverPort}/events`;
    const { page, close } = await consoles.open(service.url, "account", keys.pro);
    const form = "form[data-make=endpoint]";

    await page.fill(`${form} input`, "http://example.com/events");
    await page.click(`${form} button`);
    await page.waitForSelector(`${form} .fault:has-text('begin with https')`);
    await page.fill(`${form} input`, address);
    await page.click(`${form} button`);
    const secret = (await page.innerText(".plaintext")).trim();
    expect(secret).toMatch(/^whsec_/);
    await page.click("text=Put it away");
    expect(await page.content()).not.toContain(secret);

    const alertAt = async (threshold: string, shown: string): Promise<void> => {
      await page.fill("form[data-make=alert] input[inputmode=decimal]", threshold);
      await page.click("form[data-make=alert] button");
      await page.waitForSelector(`tr[data-alert]:has-text('XAU-USD-SPOT'):has-text('above ${shown}'):has-text('armed')`);
    };
    const drawn = async (words: string): Promise<void> => {
      const market = await consoles.open(service.url, "", keys.pro);
      await market.page.waitForSelector(`.chart .note:has-text('A dashed line is an alert: ${words}.')`);
      await market.close();
    };
    await alertAt("100000", "100,000");
    await drawn("above 100,000");
    await alertAt("90000", "90,000");
    await drawn("(1) above 100,000 · (2) above 90,000");
    await page.click("tr[data-alert]:has-text('90,000') >> text=Delete");
    await page.click("tr[data-alert]:has-text('90,000') .danger");
    await page.waitForSelector("tr[data-alert]:has-text('90,000')", { state: "detached" });

    await page.click("tr[data-endpoint] >> text=Send a test");
    await page.waitForSelector("tr[data-delivery]:has-text('test'):has-text('delivered')");
    expect(events).toHaveLength(1);
    for (const { headers, body } of events)
      expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: "endpoint.test" });

    const deleteRow = async (row: string): Promise<void> => {
      await page.click(`${row} >> text=Delete`);
      await page.click(`${row} .danger`);
    };
    await deleteRow("tr[data-endpoint]");
    await page.waitForSelector(".refusal:has-text('Alerts are sent to this endpoint.')");
    for (const row of ["tr[data-alert]", "tr[data-endpoint]"]) {
      await deleteRow(row);
      await page.waitForSelector(row, { state: "detached" });
    }
    const { json } = await ask(service.url, "/v1/account/endpoints", { key: keys.pro });
    expect(json).toEqual({ endpoints: [] });
    await close();
    receiver.closeAllConnections();
    receiver.close();
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
