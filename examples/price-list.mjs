/** A jeweller's price list: gold by karat in a currency, with a making charge, as a table. */
import { Assay, Decimal } from "@assay/sdk";

const [currency = "EUR", chargePercent = "12.5", grams = "10"] = process.argv.slice(2);

const assay = new Assay();
const prices = await assay.carat.get({ currency });
const withCharge = new Decimal(chargePercent).div(100).plus(1);

// Yen and won have no decimals.
const { maximumFractionDigits: digits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();

// Every figure is computed exactly and rounded once, when printed.
const rows = /** @type {const} */ ([24, 22, 21, 20, 18, 16, 14, 10]).map((karat) => {
  const gram = prices[`priceGram${karat}k`];
  const sold = gram.times(withCharge);
  return [`${karat}k`, gram.text, sold.toFixed(digits), sold.times(grams).toFixed(digits)];
});
const table = [["karat", "gold, 1 g", `+ ${chargePercent} %`, `${grams} g`], ...rows];
const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));

console.log(`${prices.currency}, spot of ${prices.timestamp.toISOString()}`);
for (const row of table) console.log(row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "));
