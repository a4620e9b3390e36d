/** The chart in the reader's own money, its corrections, its ranges and its clock; and keys that the service does not take. */

import { createHash } from "node:crypto";
import { contract, DAY_MS, startOfUtcDay } from "@assay/contract";
import { openStore, schema } from "@assay/db";
import { noCounts, type SourceRecord } from "@assay/pricing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ask, read } from "./harness/call.ts";
import { digitsIn } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { IMPORT, runEntry, type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 });

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Tries again what an hour ended in: a bar began meanwhile. What fails within an hour fails. */
const inOneHour = async (attempt: () => Promise<void>): Promise<void> => {
  const hour = (): number => Math.floor(Date.now() / 3_600_000);
  const before = hour();
  await attempt().catch((error: unknown) => {
    if (hour() === before) throw error;
    return attempt();
  });
};
const PATH_OF_SERIES = "/trpc/series.list";

const QUARTER_MS = 900_000;

/**
 * A quarter of an hour and the day it is in, of two sources that this service does not have, one of them refused and silent at times.
 * Distances are in tenths of a basis point.
 */
const recordsOf = (nowMs: number): SourceRecord[] => {
  const startsAtMs = Math.floor(nowMs / QUARTER_MS - 4) * QUARTER_MS;
  const untilMs = startsAtMs + QUARTER_MS;
  const counts = { ...noCounts(untilMs), expected: 90, met: 90, received: 90, accepted: 90, lastAcceptedAtMs: untilMs - 1_000 };
  const info = { license: "attribution", cadenceMs: 10_000 };
  const rows = (source: string, origin: string, more: Partial<typeof counts>): SourceRecord[] => {
    const document = { info: { ...info, displayName: source.toUpperCase(), origin }, counts: { ...counts, ...more } };
    const record = { source, instrument: "XAU-USD-SPOT", document } as const;
    return [
      { ...record, span: "quarter", startsAtMs },
      { ...record, span: "day", startsAtMs: startOfUtcDay(startsAtMs) },
    ];
  };
  return [
    ...rows("steady", "steady", { deviations: { 12: 80, 34: 10 } }),
    ...rows("unsteady", "elsewhere", {
      met: 77,
      received: 84,
      accepted: 71,
      refused: { jump: 4, frozen: 9 },
      deviations: { 64: 70, 120: 1 },
      incidents: [{ kind: "refused", fromMs: startsAtMs + 60_000, toMs: startsAtMs + 190_000 }],
    }),
  ];
};

const CLOSES = 'section[aria-label="The newest closes"] tbody tr:nth-child(-n+5)';

describeConsoles("the chart of the console", (consoles) => {
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;
  /** The day that is corrected. */
  const day = dayAt(Date.now() - 9 * DAY_MS);
  let before: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const settings = { DATA_DIR: folder.path, DISABLE: "download" };
    service = await startService(settings);
    keys = await readDemoKeys(folder.path);
    const window = {
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      from: `${day}T00:00:00Z`,
      to: `${dayAt(Date.parse(day) + DAY_MS)}T00:00:00Z`,
    };
    const { bars } = await read(service.url, contract.bars.list, window as never, { key: keys.pro });
    before = bars.at(-1)?.close ?? "";
    await service.stop();
    const file = await folder.write("corrected.csv", `Date,Open,High,Low,Close\n${day},4100.00,4123.45,4090.00,4111.11\n`);
    const { code, stderr } = await runEntry(IMPORT, settings, ["--symbol", "XAU/USD", "--interval", "1d", file]);
    expect(stderr, `import ended with ${code}`).not.toContain("error");
    const store = await openStore({ dataDir: folder.path });
    await store.db.insert(schema.sourceRecords).values(recordsOf(Date.now()));
    await store.close();
    service = await startService(settings);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  const showCloses = async (page: Page): Promise<string[]> => {
    await page.waitForSelector(".drawing canvas");
    await page.click("text=The newest closes as a table");
    return digitsIn(page, CLOSES);
  };

  it("shows the daily closes of a currency and a weight, digit for digit, each with its rate and its day", () =>
    inOneHour(async () => {
      for (const key of [keys.pro, undefined]) {
        const query = {
          symbol: "XAU-INR-SPOT",
          unit: "tola",
          from: dayAt(Date.now() - 20 * DAY_MS),
          to: dayAt(Date.now()),
          limit: 5,
        };
        const { points } = await read(service.url, contract.series.list, query, key === undefined ? {} : { key });
        const { page, close } = await consoles.open(service.url, "?currency=INR&per=tola", key);
        expect(await showCloses(page)).toEqual(points.flatMap(({ price, usd_close, fx_rate }) => [price, usd_close, fx_rate]));
        expect(await page.innerText(".chart .note")).toContain(
          "Daily closes in INR per tola, each at the reference rate of its day",
        );
        expect(await page.getAttribute(".drawing", "aria-label")).toContain("Daily closes of XAU-INR-SPOT in INR per tola");
        // The line ends at the price that stands beside it.
        await expect
          .poll(async () => [await page.getAttribute(".drawing", "data-newest")])
          .toEqual(await digitsIn(page, ".digits"));
        await close();
      }
    }));

  it("keeps the currency and the weight for every metal, for the next visit, and in the address", async () => {
    const { page, close } = await consoles.open(service.url, "", keys.pro);
    await page.waitForSelector(".digits data");
    await page.selectOption("select[aria-label=Currency]", "EUR");
    await page.selectOption("select[aria-label=Weight]", "kg");
    await page.click(".price label:has-text('Silver')");
    await page.waitForSelector("h1:has-text('XAG-EUR-SPOT')");
    await page.waitForSelector(".drawing[aria-label*='XAG-EUR-SPOT in EUR per kilogram']");
    expect(new URL(page.url()).search).toBe("?currency=EUR&per=kg&metal=XAG");
    expect(await page.innerText(".sources thead")).toContain("EUR");
    expect(await page.inputValue("select[aria-label=To]")).toBe("EUR");
    await page.goto(`${service.url}/`);
    await page.waitForSelector(".digits data");
    expect(new URL(page.url()).search).toBe("?currency=EUR&per=kg");
    await close();
  });

  it("reaches as far back as the tier, and asks once for each range", async () => {
    const { page, requests, close } = await consoles.open(service.url, "?currency=EUR", keys.pro);
    await page.waitForSelector(".drawing canvas");
    for (const range of ["5Y", "Max"]) {
      const asked = requests.filter((url) => url.includes(PATH_OF_SERIES)).length;
      await page.click(`.chart label:has-text('${range}')`);
      await page.waitForSelector(`.chart label:has-text('${range}') input:checked`);
      await expect.poll(() => requests.filter((url) => url.includes(PATH_OF_SERIES)).length).toBe(asked + 1);
    }
    await page.waitForSelector(".drawing canvas");
    await close();
    const free = await consoles.open(service.url, "?range=max", keys.free);
    await free.page.waitForSelector(".drawing canvas");
    expect(await free.page.isChecked(".chart label:has-text('1M') input")).toBe(true);
    expect(await free.page.isDisabled(".chart label:has-text('Max') input")).toBe(true);
    await free.close();
  });

  /** Drags the chart by some pixels: to the right is into the past. */
  const drag = async (page: Page, px: number): Promise<void> => {
    const box = await page.locator(".drawing").boundingBox();
    const [x, y] = [(box?.x ?? 0) + (px > 0 ? 40 : 640), (box?.y ?? 0) + 80];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + px / 2, y, { steps: 4 });
    await page.mouse.move(x + px, y, { steps: 4 });
    await page.mouse.up();
  };
  const drawn = async (page: Page): Promise<number> =>
    Number(/: ([\d,]+), the newest/.exec((await page.getAttribute(".drawing", "aria-label")) ?? "")?.[1]?.replaceAll(",", ""));
  const sight = async (page: Page): Promise<readonly (string | null)[]> =>
    Promise.all(["data-from", "data-to"].map((name) => page.getAttribute(".in-sight", name)));

  it("loads what is older as the reader drags into it, page by page, each point once", () =>
    inOneHour(async () => {
      for (const [path, procedure] of [
        ["", "/trpc/bars.list"],
        ["?currency=EUR", PATH_OF_SERIES],
      ] as const) {
        const { page, requests, close } = await consoles.open(service.url, path, keys.pro);
        await page.waitForSelector(".in-sight");
        const asked = () => requests.filter((url) => url.includes(procedure)).map((url) => decodeURIComponent(url));
        const first = await drawn(page);
        const [oldest] = await sight(page);
        expect(asked()).toHaveLength(1);
        await drag(page, 400);
        await expect.poll(() => drawn(page)).toBeGreaterThan(first);
        await expect.poll(async () => (await sight(page))[0]).not.toBe(oldest);
        // By buttons as well, and the next page by the cursor of the one before.
        await expect
          .poll(async () => {
            await page.click(".chart-tools [aria-label=Earlier]");
            return asked().filter((url) => url.includes('"cursor"')).length;
          })
          .toBeGreaterThan(0);
        await expect.poll(async () => (await page.innerText(".past")).trim()).toBe("");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save as CSV")]);
        const rows: string[] = [];
        for await (const chunk of await download.createReadStream()) rows.push(String(chunk));
        // The service's own list of the same time has as many, so none is twice or missing.
        expect(rows.join("").trim().split("\n").length - 1).toBe(await drawn(page));
        await page.click(".chart-tools [aria-label=Now]");
        await expect.poll(async () => (await sight(page))[1]?.slice(0, 10)).toBe(dayAt(Date.now()));
        await close();
      }
    }));

  it("stops at the depth of the tier, says so, and never shows an empty part of the chart", () =>
    inOneHour(async () => {
      for (const key of [keys.free, undefined]) {
        const { page, requests, close } = await consoles.open(service.url, "", key);
        await page.waitForSelector(".in-sight");
        const [before, asked] = [await sight(page), requests.filter((url) => url.includes("/trpc/bars.list")).length];
        await drag(page, 500);
        await page.waitForSelector(".past:has-text('The tier Free goes back 30 days.')");
        await drag(page, -500);
        expect(await sight(page)).toEqual(before);
        expect(requests.filter((url) => url.includes("/trpc/bars.list")).length).toBe(asked);
        await close();
      }
      const { page, close } = await consoles.open(service.url, "?range=max", keys.pro);
      await page.waitForSelector(".in-sight");
      await drag(page, 500);
      await page.waitForSelector(".past:has-text('There are no older ones.')");
      await close();
    }));

  it("zooms by wheel and by buttons, draws candles and a line, and keeps a picture of what is in sight", () =>
    inOneHour(async () => {
      const { page, close } = await consoles.open(service.url, "?range=1Y", keys.basic);
      await page.waitForSelector(".in-sight");
      const whole = await sight(page);
      await page.hover(".drawing");
      await page.mouse.wheel(0, -600);
      await expect.poll(() => sight(page)).not.toEqual(whole);
      await page.mouse.wheel(0, 6_000);
      await expect.poll(() => sight(page)).toEqual(whole);
      await page.click(".chart-tools [aria-label='Zoom in']");
      await expect.poll(() => sight(page)).not.toEqual(whole);
      await page.click(".chart-tools [aria-label='Zoom out']");
      await expect.poll(() => sight(page)).toEqual(whole);
      const picture = async (): Promise<readonly [width: number, colours: number]> => {
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save as PNG")]);
        expect(download.suggestedFilename()).toBe("XAU-USD-SPOT-1d-1Y.png");
        const chunks: Buffer[] = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
        // In the browser, which reads the picture as its keeper does.
        return (await page.evaluate(`(async () => {
        const bytes = Uint8Array.from(atob("${Buffer.concat(chunks).toString("base64")}"), (sign) => sign.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
        pen.drawImage(image, 0, 0);
        const colours = new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer));
        return [image.width, colours.size];
      })()`)) as [number, number];
      };
      const [width, colours] = await picture();
      expect(width).toBeGreaterThan(600);
      expect(colours).toBeGreaterThan(20);
      await page.click(".chart-tools label:has-text('Line')");
      await expect.poll(() => new URL(page.url()).search).toContain("shape=line");
      expect(await sight(page)).toEqual(whole);
      expect((await picture())[1]).not.toBe(colours);
      await close();
    }));

  it("saves what it shows as the service's own CSV, with the key in a header", () =>
    inOneHour(async () => {
      const { page, requests, close } = await consoles.open(service.url, "?currency=INR&per=tola&range=1M", keys.pro);
      await page.waitForSelector(".drawing canvas");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save as CSV")]);
      expect(download.suggestedFilename()).toBe("XAU-INR-SPOT-tola-1M.csv");
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      const path = requests.find((url) => url.includes("format=csv"))?.slice(service.url.length) ?? "";
      expect(path).toMatch(/^\/v1\/series\?symbol=XAU-INR-SPOT&unit=tola&/);
      expect(Buffer.concat(chunks).toString("utf8")).toBe((await ask(service.url, path, { key: keys.pro })).text);
      expect(requests.filter((url) => url.includes(keys.pro))).toEqual([]);
      await close();
    }));

  it("marks what was corrected, and says what it was and why", async () => {
    const { corrections } = await read(service.url, contract.corrections.list, { symbol: "XAU-USD-SPOT" }, { key: keys.pro });
    const ofDay = corrections.find(({ interval, bar_start }) => interval === "1d" && bar_start === `${day}T00:00:00Z`);
    expect([ofDay?.before.close, ofDay?.after?.close]).toEqual([before, "4111.11"]);
    for (const path of ["", "?currency=INR&per=tola"]) {
      const { page, close } = await consoles.open(service.url, path, keys.pro);
      await page.waitForSelector(".drawing[aria-label$=', 1 corrected']");
      expect(await page.innerText(".chart .note")).toContain("An arrow marks what was corrected.");
      await page.click("summary:has-text('Corrections: 1')");
      expect(await digitsIn(page, "section[aria-label=Corrections] tbody")).toEqual([before, "4111.11"]);
      expect(await page.innerText("section[aria-label=Corrections] tbody")).toContain("an import");
      await close();
    }
  });

  it("without a key asks for corrections only when they are wanted", async () => {
    const { page, requests, close } = await consoles.open(service.url, "");
    await page.waitForSelector(".drawing canvas");
    expect(requests.filter((url) => url.includes("corrections"))).toEqual([]);
    await page.click("summary:has-text('Corrections')");
    // The one of this suite is younger than what a caller without a key may see.
    await page.waitForSelector("summary:has-text('Corrections: none')");
    expect(requests.filter((url) => url.includes("corrections")).length).toBeGreaterThan(0);
    await close();
  });

  it("shows the record of every source and its outages, digit for digit, in percent first", async () => {
    const { sources } = await read(service.url, contract.sources.list, {});
    const { page, close } = await consoles.open(service.url, "sources");
    for (const source of ["steady", "unsteady"]) {
      const row = sources.find((one) => one.source === source);
      const cells = `[data-source='${source} XAU-USD-SPOT']`;
      await page.waitForSelector(cells);
      const refused = Object.values(row?.refused ?? {}).reduce((sum, count) => sum + count, 0);
      expect(await digitsIn(page, cells)).toEqual(
        [
          ((row?.availability ?? 0) * 100).toFixed(2),
          row?.expected,
          row?.received,
          row?.accepted,
          refused,
          ...[row?.deviation_bps.median, row?.deviation_bps.p99].flatMap((bps) => [((bps ?? 0) / 100).toFixed(3), bps]),
        ].map(String),
      );
    }
    expect(await page.innerText("[data-source^=steady]")).toContain("0.012%");
    expect(await page.innerText("[data-source^=unsteady]")).toMatch(/figures of elsewhere[\s\S]*85\.55%[\s\S]*frozen 9 · jump 4/);
    const outages = sources.flatMap(({ incidents }) => incidents.map(({ from }) => from));
    expect(outages.length).toBeGreaterThan(0);
    const shown = await page.locator("[data-outage]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-outage")));
    expect(shown).toEqual(outages.toSorted().reverse());
    expect(await page.innerText("[data-outage]")).toMatch(/2 min\s+only refused readings/);
    await page.click("label:has-text('A year')");
    await page.waitForSelector("[data-source]");
    expect(new URL(page.url()).search).toBe("?window=1y");
    await close();
  });

  it("verifies the signed head and every row of the ledger in the browser, and names what was changed", async () => {
    const { corrections } = await read(service.url, contract.corrections.list, {}, { key: keys.pro });
    const newest = corrections.at(-1);
    const { page, close } = await consoles.open(service.url, "corrections", keys.pro);
    await page.waitForSelector("[data-head=genuine]");
    expect(await page.innerText(".digests")).toContain(newest?.digest);
    await page.waitForSelector(`[data-linked='${corrections.length - 1}']`);
    const row = `[data-correction='${corrections.find(({ interval }) => interval === "1d")?.number}']`;
    expect((await digitsIn(page, row)).slice(-2)).toEqual([before, "4111.11"]);
    expect(await page.innerText(row)).toContain("an import");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save the signed head")]);
    expect(download.suggestedFilename()).toBe(`corrections-head-1-${newest?.number}.jws`);
    await close();
  });

  it("says so when the head is signed with another key, and when a figure of the ledger was changed on its way", async () => {
    const { page, close } = await consoles.open(service.url, "status", keys.pro);
    await page.route("**/.well-known/jwks.json", async (route) => {
      const { keys: known } = (await (await route.fetch()).json()) as { keys: { x: string }[] }; // the contract's own
      const others = known.map((one) => ({ ...one, x: createHash("sha256").update(one.x).digest("base64url") }));
      await route.fulfill({ json: { keys: others } });
    });
    await page.route("**/trpc/corrections.list*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace("4111.11", "4111.12") });
    });
    await page.click("nav a:text-is('Corrections')");
    await page.waitForSelector("[data-head=false]");
    expect(await page.innerText(".panel-head")).toContain("Signature is not genuine");
    await page.waitForSelector("[role=alert]:has-text('the ledger was changed')");
    await close();
  });

  it("has one clock: every time is in the zone that is chosen, and the next visit's too", async () => {
    const zoned = { timezoneId: "Asia/Kolkata" };
    const { page, close } = await consoles.open(service.url, "?interval=1h", keys.pro, zoned);
    await page.waitForSelector(".chart .note:has-text('times in Asia')");
    await page.check("label:has-text('UTC') input");
    await page.waitForSelector(".chart .note:has-text('times in UTC')");
    const [shown, at] = await page
      .locator(".price .sides time")
      .first()
      .evaluate((time) => [time.textContent, time.getAttribute("datetime")]);
    expect(shown).toBe(at?.slice(11, 19));
    await page.reload();
    await page.waitForSelector("label:has-text('UTC') input:checked");
    await close();
  });

  it("refuses a wrong key where it is typed, and what was shown stays", async () => {
    const { page, close } = await consoles.open(service.url, "");
    await page.waitForSelector(".digits data");
    await page.click("text=Use a key");
    await page.fill("#key-field", "assay_live_thisWasNeverAKeyOfAnybody00000000000000");
    await page.click(".key-dialog .primary");
    await page.waitForSelector("#key-fault:has-text('The service does not know this key')");
    expect(await page.getAttribute("#key-field", "aria-invalid")).toBe("true");
    await page.click("text=Cancel");
    expect(await page.innerText(".price .badges")).toContain("15 minutes late");
    expect(await page.locator(".digits data").count()).toBe(1);
    expect(await page.innerText(".key-place")).toBe("Use a key");
    await close();
  });

  it("goes on without a key that came with the address and was never valid", async () => {
    const { page, close } = await consoles.open(service.url, "", "assay_live_thisWasNeverAKeyOfAnybody00000000000000");
    await page.waitForSelector(".lost:has-text('The key this page was opened with is not valid')");
    await page.waitForSelector(".digits data");
    expect(await page.innerText(".price .badges")).toContain("15 minutes late");
    await page.click("text=Go on without one");
    await page.waitForSelector(".lost", { state: "detached" });
    await close();
  });

  it("converts what a German types, and shows nothing under an amount that it refuses", async () => {
    const { page, close } = await consoles.open(service.url, "?currency=EUR&per=gram", keys.pro, { locale: "de" });
    await page.waitForSelector(".convert");
    await page.fill(".convert input", "4,25");
    await page.click(".convert .primary");
    await page.waitForSelector(".result strong");
    expect(await page.innerText(".result .soft")).toMatch(/1 Gramm Gold = [\d,]+ EUR/);
    await page.fill(".convert input", "1.500");
    await page.waitForSelector(".convert .fault:has-text('Tausender oder Nachkommastellen')");
    expect(await page.locator(".result").count()).toBe(0);
    expect(await page.isDisabled(".convert .primary")).toBe(true);
    await close();
  });

  it("contacted no other host, broke no policy and logged no error, in all of this", () => {
    expect(consoles.foreign.length).toBeGreaterThan(8);
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
