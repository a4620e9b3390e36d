/** Galeri24's page: valid (packed as Nuxt does), broken and captured, and the quote gate. */
import { stringify } from "devalue";
import { describe, expect, it } from "vitest";
import { readHtml } from "../../payload/html.ts";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { galeri24, parseGaleri24, readNuxt, valuesNamed } from "./galeri24.ts";

const PAGE = fixture("galeri24.html.txt");
const MOMENT = { usdPerOzt: "4003.20", rate: "16233.4" };
const read = (page: string, atMs = NOW_MS) => parseGaleri24(page, atMs);
const sides = (page: string) => read(page).map(({ quote: { id, sell, buyback } }) => [id, sell, buyback]);
const packed = (data: unknown) =>
  PAGE.replace(/(NUXT_DATA__">).*(<\/script>)/, (_all, open, close) => `${open}${stringify(data)}${close}`);
const BAR = { vendorName: "GALERI 24", denomination: "1", sellingPrice: "2446000", buybackPrice: "2287000" };

describe("Galeri24", () => {
  it("sells and buys back bars of three makers, and leaves gifts out", () => {
    expect(sides(PAGE)).toEqual([
      ["galeri24:galeri24-0.5-gram", "1304000", "1143000"],
      ["galeri24:galeri24-1-gram", "2446000", "2287000"],
      ["galeri24:galeri24-10-gram", "23950000", "22620000"],
      ["galeri24:antam-1-gram", "2531000", "2296000"],
      ["galeri24:antam-100-gram", "244512000", "226150000"],
      ["galeri24:ubs-1-gram", "2466000", "2281000"],
    ]);
    expect(read(PAGE)[2]?.quote).toMatchObject({
      country: "ID",
      currency: "IDR",
      product: "GALERI 24 10 g",
      form: "bar",
      weight: "10",
      weightUnit: "gram",
    });
  });

  it("is no younger than the day of its list", () => {
    expect(read(PAGE)[0]?.observedAtMs).toBe(NOW_MS);
    expect(read(PAGE, Date.parse("2026-11-22T01:00:00Z"))[0]?.observedAtMs).toBe(Date.parse("2026-11-20T16:59:59.999Z"));
    expect(read(packed({ goldPrice: [BAR] }))[0]?.observedAtMs).toBe(NOW_MS);
  });

  it("passes the gate, and not when its unit slips", async () => {
    const found = dealersAmong(await galeri24.fetch(prepared({ "/harga-emas": PAGE })));
    expect(new Set(gated(found, MOMENT))).toEqual(new Set(["ok"]));
    expect(new Set(gated(slipped(found, 1), MOMENT))).toEqual(new Set(["unit_slip"]));
    expect(new Set(gated(slipped(found, -3), MOMENT))).toEqual(new Set(["unit_slip"]));
  });

  it.each([
    ["a page of a wall", HTML_PAGE, "the page has no data of Nuxt"],
    ["data of another kind", packed({ prices: [BAR] }), "the page has no list goldPrice"],
    [
      "a list without the shop's own bars",
      packed({ goldPrice: [{ ...BAR, vendorName: "ANTAM" }] }),
      "the page has no bar of GALERI 24",
    ],
    ["a list of another form", packed({ goldPrice: "2446000" }), "unexpected body"],
    ["a missing price", packed({ goldPrice: [{ ...BAR, sellingPrice: undefined }] }), "unexpected 0.sellingPrice: must be text"],
    ["a price as a number, whose digits may be lost", packed({ goldPrice: [{ ...BAR, sellingPrice: 2446000 }] }), "must be text"],
    ["a grouped price", packed({ goldPrice: [{ ...BAR, sellingPrice: "2.446.000" }] }), "must be a positive figure"],
    ["a weight with its unit", packed({ goldPrice: [{ ...BAR, denomination: "1 gr" }] }), "unexpected 0.denomination"],
    ["two prices of a bar", packed({ goldPrice: [BAR, { ...BAR, sellingPrice: "2450000" }] }), "two prices of GALERI 24 1 g"],
    ["a mark it does not know", PAGE.replace("ShallowReactive", "Unknown"), "failed to unpack"],
    ["data that is cut off", PAGE.replace(/(NUXT_DATA__">.{300}).*(<\/script>)/, "$1$2"), "failed to unpack"],
  ])("refuses %s", (_what, page, message) => {
    expect(() => read(page)).toThrow(message);
  });

  it("reads captured figures", (test) => {
    const body = captured("payloads/indonesia_galeri24_nuxt.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const page = packed(JSON.parse(body));
    expect(sides(page)).toEqual([
      ["galeri24:galeri24-1-gram", "2650000", "2470000"],
      ["galeri24:antam-1-gram", "2720000", "2480000"],
    ]);
    expect(gated(read(page), { usdPerOzt: "4193", rate: "16700" })).toEqual(["ok", "ok"]);
  });
});

class Reactive {
  readonly held: unknown;
  constructor(held: unknown) {
    this.held = held;
  }
}
const htmlWith = (packed: string) =>
  readHtml(`<html><body><script id="__NUXT_DATA__" type="application/json">${packed}</script>`);
const nuxtPage = (data: unknown) =>
  htmlWith(stringify(data, { ShallowReactive: (value: unknown) => value instanceof Reactive && value.held }));

describe("a page's packed data", () => {
  it("is unpacked, with Nuxt's marks taken off", () => {
    const data = { data: new Reactive({ list: [{ price: "1000" }, { price: "1000" }] }), at: new Date(0), once: new Set(["a"]) };
    expect(readNuxt(nuxtPage(data))).toEqual({ ...data, data: { list: [{ price: "1000" }, { price: "1000" }] } });
  });

  it("is searched for a name at any depth, in circles, too", () => {
    const data: Record<string, unknown> = {
      one: { list: [1] },
      sets: new Set([{ list: [2] }]),
      maps: new Map([["m", { list: [3] }]]),
    };
    data.self = data;
    expect(valuesNamed(readNuxt(nuxtPage(data)), "list")).toEqual([[1], [2], [3]]);
    expect(valuesNamed(readNuxt(nuxtPage(data)), "toString")).toEqual([]);
  });

  it.each([
    ["a mark it does not know", '[["Unknown",1],{}]'],
    ["no JSON", "{"],
    ["a reference to nowhere", '[{"a":7}]'],
    ["another program's prototype", '[{"__proto__":1},{}]'],
    ["lists within lists beyond measure", `[${Array.from({ length: 100_000 }, (_none, index) => `[${index + 1}]`).join(",")},1]`],
    ["nothing", ""],
  ])("is refused when it is %s", (_what, text) => {
    expect(() => readNuxt(htmlWith(text))).toThrow("failed to unpack the page's data");
  });
});
