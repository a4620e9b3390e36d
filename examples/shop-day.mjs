/** A shop's day: 500 pieces repriced every hour or so, each time at the prices of one moment, and the receipts kept. */
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Assay, Decimal } from "@assay/sdk";
import { verifyReceipt } from "@assay/sdk/receipts";

const [currency = "EUR", seconds = "3600", times = "8", folder = "shop-day"] = process.argv.slice(2);

/** The stock: rings, chains and coins. A shop reads its own. */
const KINDS = /** @type {const} */ ([
  { name: "ring", karat: 18, grams: "3.2", making: { perGram: "12.50" } },
  { name: "chain", karat: 14, grams: "9.75", making: { percent: "11" } },
  { name: "coin", karat: 22, grams: "7.988", making: { fixed: "6" } },
]);
const items = Array.from({ length: 500 }, (_, index) => {
  const { name, karat, grams, making } = KINDS[index % KINDS.length] ?? KINDS[0];
  const weight = new Decimal(grams).plus(new Decimal(index).div(100));
  return { id: `${name}-${index}`, metal: "XAU", weight, unit: "gram", karat, making, taxPercent: "21", roundTo: "0.05" };
});

const assay = new Assay();
await mkdir(folder, { recursive: true });
// With the keys beside the receipts, they can be verified when the service is gone.
const answer = await fetch(`${assay.baseUrl}/.well-known/jwks.json`);
const jwks = /** @type {import("@assay/sdk/receipts").ReceiptKeys} */ (await answer.json());
await writeFile(`${folder}/jwks.json`, JSON.stringify(jwks));

/** @type {Decimal | undefined} */
let before;
for (let round = 1; round <= Number(times); round += 1) {
  if (round > 1) await sleep(Number(seconds) * 1_000);
  const receipt = await assay.quotes.receipt({ currency, items });
  await writeFile(`${folder}/${round}.jws`, receipt);
  // The body has the wire's names; its amounts are text.
  const { body } = await verifyReceipt(receipt, { jwks });
  const bill = /** @type {import("@assay/sdk").Wire.Bill} */ (/** @type {unknown} */ (body));
  const faults = bill.items.filter(({ error }) => error !== undefined).length;
  const total = new Decimal(bill.totals.total);
  const change = before ? `, ${total.minus(before).toFixed(2)} since the last` : "";
  console.log(`${round}: ${bill.items.length - faults} pieces, ${total.toFixed(2)} ${currency} at ${bill.computed_at}${change}`);
  if (bill.prices.some(({ is_stale }) => is_stale)) console.log("   the price is stale: labels stay as they are");
  before = total;
}
