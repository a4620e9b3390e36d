/** Price files and tables in the programs they are made for: beancount, ledger, hledger and LibreOffice. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Folder, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { missingOf, outputOf } from "./harness/programs.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 });

const PROGRAMS = ["bean-check", "bean-report", "ledger", "hledger", "soffice"];
const missing = missingOf(PROGRAMS);
for (const program of missing) console.info(`skipped: no ${program}`);
const has = (program: string): boolean => !missing.includes(program);

let folder: Folder;
let service: Service;
let key: string;
let closes: { readonly day: string; readonly close: string }[];

const DAYS = "symbol=XAU/USD&from=2026-01-01&to=2026-01-31";
const get = async (path: string): Promise<string> => {
  const answer = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  return answer.text();
};

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService({ DATA_DIR: join(folder.path, "data") });
  key = (await readDemoKeys(join(folder.path, "data"))).pro;
  const { bars } = JSON.parse(await get(`/v1/bars?${DAYS}`)) as { bars: { bar_start: string; close: string }[] }; // the contract's own
  closes = bars.map(({ bar_start: start, close }) => ({ day: start.slice(0, 10), close })).toReversed();
  expect(closes).toHaveLength(31);
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

/** Two ounces, bought on the last day, so that their worth is twice its close. */
const OUNCES = 2;
const worth = (): string => (Number(closes.at(-1)?.close) * OUNCES).toFixed(2);

describe.skipIf(!has("bean-check") || !has("bean-report"))("beancount", { meta: { needs: "no beancount" } }, () => {
  it("accepts the price file, and reads every close in it", async () => {
    const file = await folder.write("prices.beancount", await get(`/v1/bars?${DAYS}&format=beancount`));
    expect(await outputOf("bean-check", file)).toBe("");
    const report = await outputOf("bean-report", file, "all_prices");
    const read = [...report.matchAll(/^(\S+) price XAU +(\S+) USD$/gm)].map(([, day, close]) => ({ day, close }));
    expect(read).toEqual(closes);
  });
});

const JOURNAL = `commodity USD
    format 1000.00 USD

include prices.ledger

2026-01-31 gold
    assets:gold   ${OUNCES} XAU
    equity
`;

describe.skipIf(!has("ledger"))("ledger", { meta: { needs: "no ledger" } }, () => {
  it("values a holding at the newest close of the price file", async () => {
    await folder.write("prices.ledger", await get(`/v1/bars?${DAYS}&format=ledger`));
    const journal = await folder.write("books.ledger", JOURNAL);
    const balance = await outputOf("ledger", "-f", journal, "balance", "assets", "-X", "USD", "--now", "2026/02/01");
    expect(balance).toContain(`${worth()} USD  assets:gold`);
  });
});

describe.skipIf(!has("hledger"))("hledger", { meta: { needs: "no hledger" } }, () => {
  it("reads every close of the price file, and values a holding at the newest", async () => {
    const prices = await folder.write("prices.ledger", await get(`/v1/bars?${DAYS}&format=ledger`));
    const listed = await outputOf("hledger", "-f", prices, "prices");
    const read = [...listed.matchAll(/^P (\S+) XAU (\S+) USD$/gm)].map(([, day, close]) => ({ day, close }));
    expect(read).toEqual(closes);
    const journal = await folder.write("books.journal", JOURNAL);
    expect(await outputOf("hledger", "-f", journal, "balance", "assets", "-X", "USD")).toContain(`${worth()} USD  assets:gold`);
  });
});

/** What a spreadsheet splits lines at, as LibreOffice has it. */
const COMMA = 44;
const SEMICOLON = 59;

/** Opens a CSV file with formulas allowed, as the least careful user does, and returns the sheet as LibreOffice saves it. */
const sheetOf = async (name: string, csv: string, separator = COMMA): Promise<string> => {
  const file = await folder.write(`${name}.csv`, csv);
  const profile = pathToFileURL(join(folder.path, "office")).href;
  const reading = `CSV:${separator},34,UTF8,1,,0,false,true,false,false,false,-1,true,true`;
  const out = join(folder.path, "sheets");
  const args = [
    `-env:UserInstallation=${profile}`,
    "--headless",
    `--infilter=${reading}`,
    "--convert-to",
    "fods",
    "--outdir",
    out,
  ];
  await outputOf("soffice", ...args, file);
  return readFile(join(out, `${name}.fods`), "utf8");
};

describe.skipIf(!has("soffice"))("LibreOffice", { meta: { needs: "no LibreOffice" } }, () => {
  /** Mints a key, and goes on with it: the one before changes nothing any more. */
  const mint = async (name: string): Promise<void> => {
    const minted = await fetch(`${service.url}/v1/account/keys`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name }),
    });
    expect(minted.status).toBe(201);
    key = contract.account.mintKey.output.parse(await minted.json()).plaintext;
  };

  it("runs no formula that someone wrote into a name", async () => {
    await mint('=HYPERLINK("http://x","y")');
    const csv = await get("/v1/account/keys?format=csv");
    expect(await sheetOf("unmarked", csv.replace("'=HYPERLINK", "=HYPERLINK")), "it would run it").toContain("table:formula");
    const sheet = await sheetOf("keys", csv);
    expect(sheet).not.toContain("table:formula");
    expect(sheet).toContain("=HYPERLINK(");
  });

  it("runs no part of a name either, when it splits lines at semicolons", async () => {
    await mint("a;=1+1;b");
    const csv = await get("/v1/account/keys?format=csv");
    const split = await sheetOf("split", csv.replace("'=1+1", "=1+1"), SEMICOLON);
    expect(split, "it would run it").toContain("table:formula");
    expect(await sheetOf("marked", csv, SEMICOLON)).not.toContain("table:formula");
  });

  it("reads figures as numbers, with all their digits", async () => {
    const sheet = await sheetOf("bars", await get(`/v1/bars?${DAYS}&format=csv`));
    for (const { close } of closes) expect(sheet).toContain(`office:value="${Number(close)}"`);
    expect(sheet).not.toContain("table:formula");
  });
});
