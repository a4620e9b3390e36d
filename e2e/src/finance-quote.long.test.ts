/** GnuCash's source of prices: the module shown in its guide, in the real Finance::Quote, and in GnuCash itself. */
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, ROOT, temporaryFolder } from "./harness/files.ts";
import { blocksOf } from "./harness/guide.ts";
import { type SharedService, sharedService } from "./harness/service.ts";

const hasFinanceQuote = spawnSync("perl", ["-MFinance::Quote", "-e", "1"]).status === 0;
if (!hasFinanceQuote) console.info("skipped: no Finance::Quote; it is in libfinance-quote-perl");

/** Prints what Finance::Quote fetched, as JSON with text values. */
const SCRIPT = `
use Finance::Quote; use JSON;
my %info = Finance::Quote->new->fetch('assay', @ARGV);
my %seen; $seen{join '|', split /$;/} = "$info{$_}" for keys %info;
print encode_json(\\%seen);`;

const hasGnuCash = hasFinanceQuote && spawnSync("gnucash-cli", ["--version"]).status === 0;
if (!hasGnuCash) console.info("skipped: no gnucash-cli with Finance::Quote; both are in gnucash");

/** A book with one security, as GnuCash stores it when it is not compressed. */
const bookOf = (symbol: string): string => {
  const spaces = ["gnc", "act", "book", "cd", "cmdty"].map((name) => `xmlns:${name}="http://www.gnucash.org/XML/${name}"`);
  const id = (number: number): string => `<act:id type="guid">${String(number).padStart(32, "0")}</act:id>`;
  const parent = `<act:parent type="guid">${"1".padStart(32, "0")}</act:parent>`;
  const security = `<cmdty:space>METAL</cmdty:space><cmdty:id>${symbol}</cmdty:id>`;
  return `<?xml version="1.0" encoding="utf-8" ?>
<gnc-v2 ${spaces.join(" ")}>
<gnc:count-data cd:type="book">1</gnc:count-data>
<gnc:book version="2.0.0">
<book:id type="guid">${"9".padStart(32, "0")}</book:id>
<gnc:commodity version="2.0.0"><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></gnc:commodity>
<gnc:commodity version="2.0.0">${security}<cmdty:name>Gold</cmdty:name><cmdty:fraction>10000</cmdty:fraction><cmdty:get_quotes/><cmdty:quote_source>assay</cmdty:quote_source><cmdty:quote_tz/></gnc:commodity>
<gnc:account version="2.0.0"><act:name>Root</act:name>${id(1)}<act:type>ROOT</act:type></gnc:account>
<gnc:account version="2.0.0"><act:name>Gold</act:name>${id(2)}<act:type>STOCK</act:type><act:commodity>${security}</act:commodity><act:commodity-scu>10000</act:commodity-scu>${parent}</gnc:account>
</gnc:book>
</gnc-v2>
`;
};

describe.skipIf(!hasFinanceQuote)("Finance::Quote", { meta: { needs: "no Finance::Quote" } }, () => {
  let folder: Folder;
  let shared: SharedService;
  beforeAll(async () => {
    shared = await sharedService();
    folder = await temporaryFolder();
    const guide = await readFile(join(ROOT, "docs/guides/integrations/gnucash.md"), "utf8");
    const module = blocksOf(guide).find(({ language }) => language === "perl")?.text ?? "";
    await mkdir(join(folder.path, "Finance/Quote"), { recursive: true });
    await writeFile(join(folder.path, "Finance/Quote/Assay.pm"), module);
  });
  afterAll(() => folder?.remove());

  const settings = () => ({
    PATH: process.env.PATH ?? "",
    PERL5LIB: folder.path,
    FQ_LOAD_QUOTELET: "-defaults Assay",
    ASSAY_URL: shared.service.url,
  });

  const fetchQuotes = (symbols: readonly string[], more: Record<string, string> = {}): Record<string, string> => {
    const env = { ...settings(), ...more };
    const { stdout, stderr, status } = spawnSync("perl", ["-e", SCRIPT, ...symbols], { env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout) as Record<string, string>;
  };

  it("gets the price, its currency and its day, to the last digit", async () => {
    const quotes = fetchQuotes(["XAU-EUR-SPOT", "gold"]);
    for (const [symbol, currency] of [
      ["XAU-EUR-SPOT", "EUR"],
      ["gold", "USD"],
    ] as const) {
      const row = (await (await fetch(`${shared.service.url}/v1/spot/${symbol}`)).json()) as Record<string, string>;
      expect(quotes[`${symbol}|success`]).toBe("1");
      expect(quotes[`${symbol}|currency`]).toBe(currency);
      expect(quotes[`${symbol}|last`]).toMatch(/^\d+\.\d{2}$/);
      expect(quotes[`${symbol}|price`]).toBe(quotes[`${symbol}|last`]);
      expect(quotes[`${symbol}|isodate`]).toBe(row.computed_at?.slice(0, 10));
    }
  });

  it("reports a refusal in the service's words, and sends the key", () => {
    const without = fetchQuotes(["XAG-USD-SPOT", "garbage"]);
    expect(without["XAG-USD-SPOT|success"]).toBe("0");
    expect(without["XAG-USD-SPOT|errormsg"]).toBe("Your tier does not include this.");
    expect(without["garbage|errormsg"]).toBe("The symbol is not available.");
    const silver = fetchQuotes(["XAG-USD-SPOT"], { ASSAY_KEY: shared.keys.pro });
    expect(silver["XAG-USD-SPOT|success"]).toBe("1");
  });

  it.skipIf(!hasGnuCash)(
    "gives GnuCash the price of a security, which it stores in its book",
    { meta: { needs: "no gnucash-cli" } },
    async () => {
      const book = await folder.write("book.gnucash", bookOf("XAU-EUR-SPOT"));
      const env = { ...settings(), HOME: folder.path, ALPHAVANTAGE_API_KEY: "none" };
      const { stderr, status } = spawnSync("gnucash-cli", ["--quotes", "get", book], { env, encoding: "utf8", timeout: 60_000 });
      expect(status, stderr).toBe(0);
      const stored = await readFile(book);
      const text = (stored[0] === 0x1f ? gunzipSync(stored) : stored).toString("utf8");
      const [price = ""] = /<price>[\s\S]*?<\/price>/.exec(text) ?? [];
      expect(price, stderr).toContain("<cmdty:id>XAU-EUR-SPOT</cmdty:id>");
      expect(price).toContain("<cmdty:id>EUR</cmdty:id>");
      // Exact fractions: 3359.51 is 335951/100.
      const [, above = "", below = ""] = /<price:value>(\d+)\/(\d+)<\/price:value>/.exec(price) ?? [];
      const row = (await (await fetch(`${shared.service.url}/v1/spot/XAU-EUR-SPOT`)).json()) as Record<string, string>;
      expect(Number(row.price) / (Number(above) / Number(below))).toBeCloseTo(1, 2);
      expect(price).toContain(`<ts:date>${row.computed_at?.slice(0, 10)}`);
    },
  );
});
