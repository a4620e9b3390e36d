/** A disputed price: what a receipt of the shop's day says a piece cost, verified from its files alone, without the service. */
import { readFile } from "node:fs/promises";
import { Decimal } from "@assay/sdk";
import { verifyReceipt } from "@assay/sdk/receipts";

const [folder = "shop-day", round = "1", id = "ring-0"] = process.argv.slice(2);

const receipt = await readFile(`${folder}/${round}.jws`, "utf8");
const jwks = JSON.parse(await readFile(`${folder}/jwks.json`, "utf8"));

const { issuer, issuedAt, requestId, body } = await verifyReceipt(receipt, { jwks });
const bill = /** @type {import("@assay/sdk").Wire.Bill} */ (/** @type {unknown} */ (body));
const piece = bill.items.find((item) => item.id === id);
const price = bill.prices.find(({ metal, side }) => metal === piece?.metal && side === piece?.side);
if (!piece?.metal_value || !piece.fine_weight_grams || !price) throw new Error(`the receipt has no price of ${id}`);

// Every line can be computed again from the receipt; this one to half a unit of the weight's last decimal.
const value = new Decimal(piece.fine_weight_grams).times(price.price_per_fine_gram);
const isRight = value.minus(piece.metal_value).abs().lte(new Decimal(price.price_per_fine_gram).times("0.0000005").plus("0.005"));

console.log(
  `${id} cost ${piece.total} ${bill.currency} at the prices of ${bill.computed_at}: ${piece.fine_weight_grams} g of pure metal`,
);
console.log(`at ${price.price_per_fine_gram} a gram are ${piece.metal_value}, ${isRight ? "as" : "not as"} computed again here.`);
console.log(`Signed by ${issuer} at ${issuedAt.toISOString()}, request ${requestId}: the receipt is genuine.`);
