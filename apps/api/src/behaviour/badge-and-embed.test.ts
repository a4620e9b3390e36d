/** The delayed price as a badge and as a page for a frame: what they say, how they may be kept, and who may frame them. */
import { createHash } from "node:crypto";
import { DAY_MS, DEFAULT_CATALOG, DELAY_MS, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import { FEEDS_DOCUMENT_KEY } from "@assay/live";
import { fraction, toFixedText } from "@assay/pricing";
import { FRIDAY_MS, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";

const BOTH = ["/badge/gold.svg", "/embed/gold"] as const;

/** A price 20 minutes old, and a newer one that nobody may see yet. */
const publish = async (app: TestApp): Promise<void> => {
  const earlierMs = FRIDAY_MS - 20 * MINUTE_MS;
  await app.publish({
    ticks: [
      makeTick(1, { computedAtMs: earlierMs, freshUntilMs: earlierMs + 10 * MINUTE_MS, price: "4003.20" }),
      makeTick(1, {
        instrument: "XAG-USD-SPOT",
        computedAtMs: earlierMs,
        freshUntilMs: earlierMs + 10 * MINUTE_MS,
        price: "48.250",
      }),
      makeTick(2, { price: "4999.99" }),
    ],
    fx: [makeRates({ observedAtMs: earlierMs, freshForMs: 10 * MINUTE_MS, rates: { EUR: "0.875", JPY: "155.5" } })],
  });
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ marketHours: false });
  await publish(app);
});
afterAll(() => app.close());

const textsIn = (svg: string): string[] => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

/** Every element is closed in its turn. */
const expectBalanced = (markup: string): void => {
  const open: string[] = [];
  for (const [, end, name = "", self] of markup.matchAll(/<(\/?)([a-z]+)(?:\s+[\w:-]+="[^"<]*")*(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!self) open.push(name);
  }
  expect(open).toEqual([]);
};

describe("a badge", () => {
  test("shows the price any route gives without a key, and how late it is", async () => {
    for (const currency of ["USD", "EUR", "JPY"]) {
      const { price } = (await app.ask(`/v1/spot/XAU-${currency}-SPOT`)).json;
      const { status, text } = await app.ask(`/badge/gold.svg?currency=${currency}`);
      expect([status, textsIn(text)]).toEqual([200, ["gold, 15 min late", `${price} ${currency}/oz`]]);
      expect(text).toContain(`aria-label="gold, 15 min late: ${price} ${currency}/oz"`);
    }
    for (const name of ["XAU", "xau-usd-spot", "GOLD"])
      expect(textsIn((await app.ask(`/badge/${name}.svg`)).text)[1]).toBe("4003.20 USD/oz");
    expect(textsIn((await app.ask("/badge/XAU-EUR-SPOT.svg")).text)[1]).toBe("3502.80 EUR/oz");
    expect(textsIn((await app.ask("/badge/gold.svg?currency=eur")).text)[1]).toBe("3502.80 EUR/oz");
    // Units by their names, never their codes.
    expect(textsIn((await app.ask("/badge/gold.svg?unit=10g")).text)[1]).toMatch(/ USD\/10 g$/);
    expect((await app.ask("/embed/gold?unit=baht")).text).toContain("per Thai baht weight");
  });

  test("is an image without scripts, styles or references, for any page", async () => {
    const { text, headers } = await app.ask("/badge/gold.svg");
    expectBalanced(text);
    expect(text).not.toMatch(/<script|<style|<foreignObject|href|url\(|\bon\w+=/i);
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  test("says when there is no price, when it is stale and when it is simulated", async () => {
    const other = await startTestApp({ marketHours: false });
    expect(textsIn((await other.ask("/badge/gold.svg")).text)).toEqual(["gold, 15 min late", "no price"]);
    await publish(other);
    const report = JSON.stringify({ atMs: 0, feeds: {}, simulated: true });
    await other.live.latest.put(FEEDS_DOCUMENT_KEY, report, { token: 1, atMs: 1 });
    other.clock.advance(6 * MINUTE_MS - 1_000);
    expect(textsIn((await other.ask("/badge/gold.svg")).text)).toEqual([
      "gold, simulated, 15 min late",
      "4003.20 USD/oz (feed down)",
    ]);
    expect((await other.ask("/embed/gold")).text).toMatch(/Simulated, not a market price.*Stale: feed down/);
    await other.close();
  });
});

describe("an embedded page", () => {
  test("shows the price, its moment and how late it is, in less than 15 kB", async () => {
    const { status, text, headers } = await app.ask("/embed/gold?currency=EUR");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(text).toContain('<p class="price">3502.80 <small>EUR</small></p>');
    expect(text).toContain('15 minutes late, of <time datetime="2026-11-20T13:40:00Z">2026-11-20 13:40 UTC</time>');
    expect(Buffer.byteLength(text)).toBeLessThan(15_000);
    expect((await startAndAsk("/embed/gold")).text).toContain("No price");
  });

  test("has a policy that allows its own style and script by their hashes, and nothing else", async () => {
    const { text, headers } = await app.ask("/embed/gold");
    const policy = new Map((headers.get("content-security-policy") ?? "").split("; ").map((part) => [part.split(" ")[0], part]));
    const hashed = (tag: string): string => {
      const [, content = ""] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? [];
      return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    };
    expect(policy.get("default-src")).toBe("default-src 'none'");
    expect(policy.get("style-src")).toBe(`style-src ${hashed("style")}`);
    expect(policy.get("script-src")).toBe(`script-src ${hashed("script")}`);
    expect(policy.get("connect-src")).toBe("connect-src 'self'");
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/ style=| on\w+=|https?:|src=/);
  });

  test("cannot be framed, except by the origins the operator names", async () => {
    const alone = await app.ask("/embed/gold");
    expect(alone.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(alone.headers.get("x-frame-options")).toBe("DENY");
    const shared = await startAndAsk("/embed/gold", { embedOrigins: ["https://shop.example.com", "http://localhost:3000"] });
    const policy = shared.headers.get("content-security-policy") ?? "";
    expect(policy.endsWith("frame-ancestors https://shop.example.com http://localhost:3000")).toBe(true);
    expect(shared.headers.get("x-frame-options")).toBeNull();
  });
});

const startAndAsk = async (path: string, options: Parameters<typeof startTestApp>[0] = {}) => {
  const other = await startTestApp(options);
  const reply = await other.ask(path);
  await other.close();
  return reply;
};

describe("for a shop", () => {
  test("the price is of any weight and purity, to the digit of the routes", async () => {
    const value = async (query: string) => textsIn((await app.ask(`/badge/gold.svg?${query}`)).text);
    const { result } = (await app.ask("/v1/convert?from=XAU&to=EUR&amount=1&unit=kg")).json;
    expect(await value("currency=EUR&unit=kg")).toEqual(["gold, 15 min late", `${result} EUR/kg`]);
    // A tola is three eighths of a troy ounce.
    expect((await value("currency=EUR&unit=tola"))[1]).toBe("1313.55 EUR/tola");
    const { price_gram_22k: gram } = (await app.ask("/v1/carat?currency=EUR")).json;
    const [label, shown = ""] = await value("currency=EUR&unit=gram&karat=22");
    expect(label).toBe("gold 22k, 15 min late");
    // The same figure with fewer decimals.
    expect(shown).toBe(`${toFixedText(fraction(gram), 2)} EUR/g`);
  });

  test.each([
    ["en", "€112.62", "Gold, per gram", "15 minutes late"],
    ["de", "112,62 €", "Gold, je Gramm", "15 Minuten verspätet"],
    ["hi", "€112.62", "सोना, प्रति ग्राम", "15 मिनट की देरी से"],
    ["ar", "١١٢٫٦٢ €", "الذهب، لكل غرام", "متأخر ١٥ دقيقة"],
    ["tr", "€112,62", "Altın, gram fiyatı", "15 dakika gecikmeli"],
    ["zh", "€112.62", "黄金，每克", "延迟15分钟"],
  ])("lang=%s has its words, its digits and the currency's sign", async (language, price, subject, late) => {
    const { text } = await app.ask(`/embed/gold?currency=EUR&unit=gram&lang=${language}`);
    const plain = text.replace(/[\u00a0\u202f]/g, " ").replace(/[\u200e\u200f\u061c]/g, "");
    expect(plain).toContain(`<bdi>${price}</bdi>`);
    expect(plain).toContain(`<h1>${subject}</h1>`);
    expect(plain).toContain(late);
    expect(text).toContain(`<html lang="${language}"${language === "ar" ? ' dir="rtl"' : ""}>`);
    expect(Buffer.byteLength(text)).toBeLessThan(15_000);
    const badge = await app.ask(`/badge/gold.svg?currency=EUR&unit=gram&lang=${language}`);
    expectBalanced(badge.text);
    expect(badge.text.replace(/[\u00a0\u202f]/g, " ").replace(/[\u200e\u200f\u061c]/g, "")).toContain(`>${price} / `);
    expect(badge.text).toContain(late);
  });

  test("its colours are those asked for, else the reader's", async () => {
    for (const theme of ["light", "dark"]) {
      const { text } = await app.ask(`/embed/gold?theme=${theme}`);
      expect(text).toContain(`<html lang="en" data-theme="${theme}">`);
      expect(text).toContain(`<meta name="color-scheme" content="${theme}">`);
    }
    expect((await app.ask("/embed/gold")).text).toContain('content="light dark"');
    const [dark, light] = await Promise.all(["dark", "light"].map((theme) => app.ask(`/badge/gold.svg?theme=${theme}`)));
    expect(dark?.text).toBe((await app.ask("/badge/gold.svg")).text);
    expect(light?.text).not.toBe(dark?.text);
  });

  test("the page has a line of the daily closes that its reader may see, drawn of shapes alone", async () => {
    const today = startOfUtcDay(FRIDAY_MS);
    const before = (store: Store) => upsertBars(store, makeBars("1d", today - DAY_MS, 60));
    const other = await startTestApp({ marketHours: false, before });
    await publish(other);
    for (const language of ["en", "ar"]) {
      const { text } = await other.ask(`/embed/gold?lang=${language}&unit=tola&karat=22`);
      const [, points = ""] = /<polyline points="([^"]+)"\/>/.exec(text) ?? [];
      // Thirty settled days, and the price.
      expect(points.split(" ")).toHaveLength(31);
      expect(text).toContain(language === "en" ? "Daily closes of the last 30 days" : "لآخر ٣٠ يومًا");
      expect(Buffer.byteLength(text)).toBeLessThan(15_000);
    }
    await other.close();
    expect((await app.ask("/embed/gold")).text).not.toContain("<polyline");
  });
});

describe("both", () => {
  test("are the same bytes for everyone for ten seconds, kept for a minute, and never younger than the delay", async () => {
    const { key } = await app.key("realtime_pro");
    for (const path of BOTH) {
      app.clock.set(FRIDAY_MS);
      const first = await app.ask(path);
      expect(first.headers.get("cache-control")).toBe("public, max-age=60");
      const etag = first.headers.get("etag") ?? "";
      app.clock.advance(9_999);
      const second = await app.ask(path, { key });
      expect([second.text, second.headers.get("etag")]).toEqual([first.text, etag]);
      const held = await app.ask(path, { headers: { "If-None-Match": etag } });
      expect([held.status, held.text]).toEqual([304, ""]);
      app.clock.set(FRIDAY_MS + DELAY_MS - 1);
      expect((await app.ask(path, { key })).text).not.toContain("4999.99");
      app.clock.advance(1);
      expect((await app.ask(path)).text).toContain("4999.99");
    }
    app.clock.set(FRIDAY_MS);
  });

  test("are sixty requests a minute to an address, whatever they show and whatever key is sent", async () => {
    const from = freshAddress();
    const { key } = await app.key("realtime_pro");
    const paths = [...BOTH, "/badge/sources.svg"];
    for (let index = 0; index < 60; index += 1) {
      expect((await app.ask(paths[index % paths.length] ?? "", { from, key })).status).toBe(200);
    }
    for (const path of paths) {
      const { status, json, headers } = await app.ask(path, { from, key });
      expect([status, json.error, headers.get("cache-control")]).toEqual([429, "rate_limit_exceeded", "no-store"]);
    }
    expect((await app.ask(BOTH[0])).status, "its neighbours go on").toBe(200);
  });

  test("are open for the metals that need no key, whatever key is sent", async () => {
    const { key } = await app.key("realtime_pro");
    for (const path of ["/badge/silver.svg", "/embed/silver", "/badge/copper.svg", "/embed/HG-USD-SPOT"]) {
      const { status, json } = await app.ask(path, { key });
      expect([status, json.error, json.required_tier], path).toEqual([403, "plan_gated", "pro"]);
    }
    const { keyless, tiers } = DEFAULT_CATALOG;
    const catalog = { keyless, tiers: { ...tiers, free: { ...tiers.free, allowed_bases: ["XAU" as const, "XAG" as const] } } };
    const open = await startTestApp({ marketHours: false, catalog });
    await publish(open);
    expect(textsIn((await open.ask("/badge/silver.svg?currency=EUR")).text)[1]).toBe("42.2188 EUR/oz");
    await open.close();
  });

  test.each([
    ["/badge/gold", 404, "not_found"],
    ["/badge/.svg", 404, "not_found"],
    ["/badge/gold.svg/x", 404, "not_found"],
    ["/badge/gold.png", 404, "not_found"],
    ["/badge/tin.svg", 404, "not_found"],
    ["/badge/gold.svg.svg", 404, "not_found"],
    ["/badge/XAU-XXX-SPOT.svg", 404, "not_found"],
    ["/badge/%3Cscript%3Ealert(1)%3C%2Fscript%3E.svg", 404, "not_found"],
    ["/embed/%3Cimg%20src=x%3E", 404, "not_found"],
    ["/embed/%00", 404, "not_found"],
    ["/badge/gold.svg?currency=", 422, "validation_error"],
    ["/embed/gold?currency=%3Csvg%3E", 400, "unsupported_currency"],
    ["/embed/gold?currency=XAG", 400, "unsupported_currency"],
    ["/badge/gold.svg?currency=constructor", 400, "unsupported_currency"],
    ["/badge/gold.svg?karat=25", 422, "validation_error"],
    ["/embed/gold?lang=%22%3E%3Cscript%3E", 422, "validation_error"],
  ])("refuse %s with %i %s, as JSON", async (path, status, error) => {
    const reply = await app.ask(path);
    expect([reply.status, reply.json?.error]).toEqual([status, error]);
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
