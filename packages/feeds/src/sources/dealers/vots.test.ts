/** VOTS dealers: valid, broken and captured payloads, and the quote gate. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { selectFeeds } from "../../catalog/select-feeds.ts";
import { dealersAmong, gated, slipped } from "../../testing/dealer-gate.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { ARIHANT, NAVKAR, parseVots, readVotsFile, type VotsDealer, votsFeed } from "./vots.ts";

const BODY = fixture("vots-arihant.tsv");
const parse = (body: string, dealer = ARIHANT) => parseVots(body, dealer, NOW_MS);
const MOMENT = { usdPerOzt: "4003.20", rate: "96.30" };

/** A dealer as an operator may configure one, with the rows of the captured payload. */
const OTHER: VotsDealer = {
  ...NAVKAR,
  key: "vots-other",
  rows: NAVKAR.rows.map((row) => ({ ...row, row: "4972", name: "Gold 999  with TDS" })),
};

describe("a VOTS dealer", () => {
  it("sells at its own row's price, with tax where the row says so, and leaves out a side shown as a dash", () => {
    expect(parse(BODY).map(({ quote }) => quote)).toMatchObject([
      {
        id: "vots-arihant:gold-999-gst",
        country: "IN",
        currency: "INR",
        sell: "147310",
        buyback: null,
        weight: "10",
        weightUnit: "gram",
        fineness: "999",
        taxIncluded: true,
        observedAtMs: NOW_MS,
      },
    ]);
  });

  it("buys at the first figure and sells at the second", () => {
    const [found] = parse("7594\tGOLD 999 IMP (TODAY)\t141100\t141350\t142000\t140800\r\n", NAVKAR);
    expect(found?.quote).toMatchObject({ id: "vots-navkar:gold-999", sell: "141350", buyback: "141100", taxIncluded: false });
  });

  it("has no quote while it is closed, and that is not a fault", () => {
    expect(parse(BODY.replace("147310", "-"))).toEqual([]);
  });

  it("is requested for its own list", async () => {
    const path = "/VOTSBroadcastStreaming/Services/xml/GetLiveRateByTemplateID/arihant";
    const context = prepared({ [path]: BODY });
    expect(dealersAmong(await votsFeed(ARIHANT).fetch(context))).toHaveLength(1);
    expect(context.requests).toMatchObject([{ headers: { referer: "https://www.arihantspot.in/" } }]);
  });

  it("passes the gate, and not when its unit slips", () => {
    const found = parse(BODY);
    expect(gated(found, MOMENT)).toEqual(["ok"]);
    expect(gated(slipped(found, 1), MOMENT)).toEqual(["unit_slip"]);
    expect(gated(slipped(found, -1), MOMENT)).toEqual(["unit_slip"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /row 2728 is missing/],
    ["an empty list", "\r\n", /row 2728 is missing/],
    ["a list without the row", BODY.replace("\t2728\t", "\t9999\t"), /row 2728 is missing/],
    ["a row of another product", BODY.replace("GOLD 999 WITH GST", "SILVER 999"), /row 2728 is of another product/],
    ["a row of another purity", BODY.replace("GOLD 999 WITH GST", "GOLD 995 WITH GST"), /row 2728 is of another product/],
    ["a row that is cut short", BODY.replace("\t147310\t148020\t146400\t", "\t147310"), /row 2728 is cut short/],
    ["words where a price belongs", BODY.replace("147310", "call us"), /sell of row 2728: must be a positive figure/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parse(body)).toThrow(message);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/india_vots_broadcast.tsv");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    const found = parse(body, OTHER);
    expect(found.map(({ quote }) => [quote.sell, quote.buyback])).toEqual([["156647", "156510"]]);
    // Rows 138 and 141 of the list are the spot price and the rate it is based on.
    expect(gated(found, { usdPerOzt: "4389.40", rate: "96.30" })).toEqual(["ok"]);
  });
});

const folder = mkdtempSync(join(tmpdir(), "assay-vots-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ROW = {
  row: "4972",
  name: "GOLD 999 WITH TDS",
  id: "gold-999",
  product: "Gold 999, per 10 g",
  form: "bar",
  karat: 24,
  fineness: "999",
  weight: "10",
  weight_unit: "gram",
  tax_included: false,
};
const DEALER = {
  key: "vots-example",
  dealer: "Example Bullion",
  page: "https://bullion.example/",
  url: "https://bcast.bullion.example:7768",
  template: "example",
  rows: [ROW],
};

let files = 0;
const write = (content: unknown): string => {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

describe("an operator's list of VOTS dealers", () => {
  it("is read completely, and its rows are found in the dealer's own list", () => {
    const read = readVotsFile(write([DEALER]));
    const [dealer] = read.ok ? read.dealers : expect.fail(read.fault);
    if (!dealer) return expect.fail("no dealer");
    expect(dealer).toMatchObject({ key: "vots-example", url: "https://bullion.example" });
    const [found] = parseVots("4972\tGOLD 999 WITH TDS\t156510\t156647\t157900\t155800", dealer, NOW_MS);
    expect(found?.quote).toMatchObject({
      id: "vots-example:gold-999",
      dealer: "Example Bullion",
      sell: "156647",
      buyback: "156510",
      weight: "10",
      weightUnit: "gram",
      taxIncluded: false,
    });
  });

  it("starts a feed of each dealer when FEEDS names it", () => {
    const other = { ...DEALER, key: "vots-other", url: "http://bcast.other.example:7767/" };
    const { feeds } = selectFeeds("vots-file", { VOTS_DEALERS: write([DEALER, other]) });
    expect(feeds.map(({ feed, baseUrl }) => [feed.info.key, baseUrl])).toEqual([
      ["vots-example", "https://bcast.bullion.example:7768"],
      ["vots-other", "http://bcast.other.example:7767"],
    ]);
  });

  it.each([
    ["no file", () => join(folder, "none.json"), /it cannot be read/],
    ["no JSON", () => write("vots"), /it is not JSON/],
    ["an empty list", () => write([]), /the list/],
    ["a key of another kind", () => write([{ ...DEALER, key: "kraken" }]), /0.key must begin with vots-/],
    ["a key twice", () => write([DEALER, DEALER]), /the list has a key twice/],
    ["a built-in key", () => write([{ ...DEALER, key: "vots-arihant" }]), /the list has the key of a dealer that is built in/],
    ["a row's id twice", () => write([{ ...DEALER, rows: [ROW, { ...ROW, row: "1" }] }]), /0 has a row's id twice/],
    ["no rows", () => write([{ ...DEALER, rows: [] }]), /0.rows/],
    ["an unknown field", () => write([{ ...DEALER, note: "x" }]), /0 .*note/],
    [
      "a path in the address",
      () => write([{ ...DEALER, url: "https://a.example/b" }]),
      /0.url must be scheme, host and port alone/,
    ],
    ["a password in the address", () => write([{ ...DEALER, url: "https://u:p@a.example" }]), /0.url must be scheme/],
    ["another protocol", () => write([{ ...DEALER, url: "ftp://a.example" }]), /0.url must be a URL of http or https/],
    ["a template with a path", () => write([{ ...DEALER, template: "../x" }]), /0.template must be letters/],
    ["a weight as a number", () => write([{ ...DEALER, rows: [{ ...ROW, weight: 10 }] }]), /0.rows.0.weight/],
    ["a unit there is not", () => write([{ ...DEALER, rows: [{ ...ROW, weight_unit: "pound" }] }]), /0.rows.0.weight_unit/],
  ])("stops the start when it holds %s, naming the place", (_what, file, message) => {
    const path = file();
    expect(readVotsFile(path)).toMatchObject({ ok: false, fault: expect.stringMatching(message) });
    expect(() => selectFeeds("vots-file", { VOTS_DEALERS: path })).toThrow(message);
  });

  it("is required when it is named, and only then", () => {
    expect(() => selectFeeds("vots-file", {})).toThrow(/^VOTS_DEALERS is not set; vots-file reads the file it names$/);
    expect(selectFeeds("live", {}).feeds.map(({ feed }) => feed.info.key)).not.toContain("vots-file");
  });
});
