/** GnuCash's source of prices: the module shown in its guide, in the real Finance::Quote. */
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { blocksOf } from "./harness/guide.ts";
import { ROOT } from "./harness/root.ts";
import { type SharedService, sharedService } from "./harness/shared-service.ts";

const hasFinanceQuote = spawnSync("perl", ["-MFinance::Quote", "-e", "1"]).status === 0;
if (!hasFinanceQuote) console.info("skipped: no Finance::Quote; it is in libfinance-quote-perl");

/** Prints what Finance::Quote fetched, as JSON with text values. */
const SCRIPT = `
use Finance::Quote; use JSON;
my %info = Finance::Quote->new->fetch('assay', @ARGV);
my %seen; $seen{join '|', split /$;/} = "$info{$_}" for keys %info;
print encode_json(\\%seen);`;

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

  const fetchQuotes = (symbols: readonly string[], more: Record<string, string> = {}): Record<string, string> => {
    const env = {
      PATH: process.env.PATH ?? "",
      PERL5LIB: folder.path,
      FQ_LOAD_QUOTELET: "-defaults Assay",
      ASSAY_URL: shared.service.url,
      ...more,
    };
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
});
