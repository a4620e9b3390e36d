/** The exchange's settlement files: its number formats, and faulty files. */
import { describe, expect, it } from "vitest";
import { captured } from "../../testing/samples.ts";
import { readSettlementFile } from "./settlement-file.ts";

const row = (change: object) => ({
  month: "DEC 26",
  open: "4571.3",
  high: "4700.0B",
  low: "4560.0A",
  last: "4681.0",
  change: "+109.2",
  settle: "4,680.6",
  volume: "151,459",
  openInterest: "328,666",
  ...change,
});
const TOTAL = { ...row({}), month: "Total", settle: "", volume: "181,900", openInterest: "409,899" };
const json = (settlements: readonly object[] = [row({}), TOTAL], change: object = {}): string =>
  JSON.stringify({
    tradeDate: "08/21/2026",
    updateTime: "Friday, 21 Aug 2026 05:00 PM",
    reportType: "Final",
    empty: false,
    settlements,
    ...change,
  });
const CSV = `Trade Date,Month,Open,Settle,Est. Volume,Prior Day Open Interest
08/21/2026,DEC 26,4571.3,"4,680.6A","151,459","328,666"
08/21/2026,FEB 27,-,4716.9,-,
08/21/2026,APR 27,-,-,0,12
,Total,,,"181,900","409,899"
`;

describe("a file", () => {
  it("is read without its separators, marks and total, at the time of its exchange's clock", () => {
    expect(readSettlementFile("settlements_437.json", json())).toEqual([
      {
        kind: "settlement",
        source: "cme-files",
        sourceType: "official_settlement",
        symbol: "GC",
        futuresContract: "GCZ26",
        settlementDate: "2026-08-21",
        price: "4680.6",
        volume: 151_459,
        openInterest: 328_666,
        observedAtMs: Date.parse("2026-08-21T22:00:00Z"),
      },
    ]);
    expect(readSettlementFile("SI.json", json([row({ month: "MAR 2027", settle: "48.123B" })]))).toMatchObject([
      { symbol: "SI", futuresContract: "SIH27", price: "48.123" },
    ]);
  });

  it("may be CSV, with unsettled contracts left out and unstated counts unknown", () => {
    const found = readSettlementFile("2026-08-21 GC.CSV", CSV);
    expect(found.map((each) => [each.futuresContract, each.price, each.volume, each.openInterest])).toEqual([
      ["GCZ26", "4680.6", 151_459, 328_666],
      ["GCG27", "4716.9", null, null],
    ]);
    expect(new Set(found.map((each) => each.observedAtMs))).toEqual(new Set([Date.parse("2026-08-21T22:00:00Z")]));
  });

  it("may be a table of all products, which names months and contracts, and July as the exchange does", () => {
    const table = [
      "PRODUCT SYMBOL,CONTRACT MONTH,CONTRACT YEAR,CONTRACT,SETTLE,EST. VOL,PRIOR INT,TRADEDATE",
      "GC,12,2026,GCZ26,4010.5,1200,3000,11/25/2026",
      "PL,07,2027,PLN27,none,1,2,11/25/2026",
    ].join("\n");
    const found = [
      ...readSettlementFile("GC.csv", table),
      ...readSettlementFile("SI.csv", "Trade Date,Month,Settle,Est. Volume,Prior Int\n11/25/2026,JLY 27,51.25,1,2\n"),
    ];
    expect(found.map((each) => `${each.futuresContract} ${each.price}`)).toEqual(["GCZ26 4010.5", "SIN27 51.25"]);
    expect(() => readSettlementFile("HG.csv", table)).toThrow("HG.csv: it holds no settlement");
  });

  it("may name contracts by their code and days in ISO form", () => {
    const text = "date;contract;settlement;volume;oi".replaceAll(";", ",");
    expect(readSettlementFile("hg.csv", `${text}\n2026-01-21,HGH26,4.5605,10,20\n`)).toMatchObject([
      { symbol: "HG", futuresContract: "HGH26", price: "4.5605", observedAtMs: Date.parse("2026-01-21T23:00:00Z") },
    ]);
  });

  it.each([
    ["prices.json", json(), /neither GC, SI nor HG/],
    ["GC-SI.json", json(), /neither GC, SI nor HG/],
    ["constructor.json", json(), /neither GC, SI nor HG/],
    ["GC.json", "{", /not JSON/],
    ["GC.json", json([]), /holds no settlement/],
    ["GC.json", json([TOTAL]), /holds no settlement/],
    ["GC.json", json([row({}), row({ settle: "4,68.6" })]), /settlements\.1: settle is not a price/],
    ["GC.json", json([row({ settle: "-4680.6" })]), /settle is not a price/],
    ["GC.json", json([row({ settle: "0.0" })]), /settle is not a price/],
    ["GC.json", json([row({ volume: "1.5" })]), /a count is not a whole number/],
    ["GC.json", json([row({ month: "FOO 26" })]), /month is not a contract of GC/],
    ["GC.json", json([row({ month: "SIZ26" })]), /month is not a contract of GC/],
    ["GC.json", json([row({}), row({})]), /duplicate contract/],
    ["GC.json", json([row({})], { tradeDate: "02/30/2026" }), /trade date is not a valid day/],
    ["GC.json", json([row({})], { updateTime: "Friday, 41 Aug 2026 05:00 PM" }), /updateTime is not a valid time/],
    ["GC.csv", CSV.replace("Settle", "Price"), /no column settle/],
    ["GC.csv", CSV.replace('"4,680.6A"', "4,680.6A"), /not valid CSV/],
    ["GC.csv", CSV.replace("08/21/2026,FEB", "21.08.2026,FEB"), /row 3: the trade date is not a valid day/],
  ])("with a fault is refused completely, with its place: %s %#", (name, content, message) => {
    expect(() => readSettlementFile(name, content)).toThrow(message);
    expect(() => readSettlementFile(name, content)).toThrow(new RegExp(`^${name}: `));
  });

  it("of the exchange itself is read as captured", (test) => {
    const content = captured("payloads/cme_settlements_437.json");
    if (content === null) return test.skip("no ../shared/data beside the repository");
    expect(readSettlementFile("cme_settlements_437.json", content)).toMatchObject([
      { futuresContract: "GCZ26", price: "4680.6", volume: 151_459, openInterest: 328_666, settlementDate: "2026-08-21" },
    ]);
  });
});
