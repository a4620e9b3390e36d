/** A year's purchases of a metal, each valued at the close of its day with the exchange rate of that day. */
import { readFileSync } from "node:fs";
import { Assay, Decimal } from "@assay/sdk";

const [symbol, year, file] = process.argv.slice(2);
if (!symbol || !year || !file) {
  console.error("usage: node tax-report.mjs SYMBOL YEAR FILE\nFILE has a line for each purchase: YYYY-MM-DD,GRAMS");
  process.exit(2);
}

/** @type {Map<string, Decimal>} */
const grams = new Map();
for (const line of readFileSync(file, "utf8").trim().split(/\r?\n/)) {
  const [date = "", amount = ""] = line.split(",");
  grams.set(date, new Decimal(amount).plus(grams.get(date) ?? 0));
}

const assay = new Assay();
let total = new Decimal(0);
const series = assay.series.list({ symbol, unit: "gram", from: `${year}-01-01`, to: `${year}-12-31`, limit: 400, order: "asc" });
for await (const { date, price, fxRate, fxDate } of series) {
  const bought = grams.get(date);
  if (!bought) continue;
  grams.delete(date);
  const value = bought.times(price).toDecimalPlaces(2);
  total = total.plus(value);
  console.log(`${date}  ${bought.toFixed()} g at ${price.text}  ${value.toFixed(2)}  rate ${fxRate.text} of ${fxDate}`);
}
console.log(`total ${total.toFixed(2)}`);
// A day without a close or a rate has no row: which day's figure stands in for it is for the tax office to say.
for (const date of grams.keys()) console.error(`no price on ${date}`);
if (grams.size > 0) process.exitCode = 1;
