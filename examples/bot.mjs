/** A bot that survives `kill -9`: it resumes after the last number in its ledger, misses none, and records none twice. */
import { existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { Assay } from "@assay/sdk/stream";

const [symbol = "XAU-USD-SPOT", file = "ledger.jsonl"] = process.argv.slice(2);

/**
 * A line of the ledger: a number and the time of the last price. With `from`, the numbers up to `seq` will never be delivered.
 * @typedef {{ seq: number, computedAt: string, price?: string, from?: number, reason?: string, minutes?: unknown[] }} Entry
 */

/** @returns {Entry | undefined} the last entry; a line left incomplete by a kill is cut off */
const lastEntry = () => {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
  if (whole.length < bytes.length) truncateSync(file, whole.length);
  const line = whole.toString().trimEnd().split("\n").at(-1);
  return line ? JSON.parse(line) : undefined;
};

let last = lastEntry();
const ledger = openSync(file, "as");

/**
 * Acting on a number and recording it is a single write. With two, a kill in between would lose or repeat a number.
 * @param {Entry} entry
 */
const enter = (entry) => {
  writeSync(ledger, `${JSON.stringify(entry)}\n`);
  last = entry;
};

const assay = new Assay();
const resume = last ? { [symbol]: { seq: last.seq, computedAt: last.computedAt } } : {};
for await (const event of assay.stream.subscribe({ symbols: [symbol], resume, fillGaps: "bars" })) {
  if (event.type === "tick") enter({ seq: event.seq, computedAt: event.computedAt.toISOString(), price: event.price.text });
  if (event.type === "gap") {
    if (event.barsError)
      console.error(`the minutes of ${event.fromSeq} to ${event.toSeq} are missing: ${event.barsError.message}`);
    const minutes = (event.bars ?? []).map(({ barStart, close }) => [barStart, close]);
    const computedAt = last?.computedAt ?? new Date().toISOString();
    enter({ seq: event.toSeq, computedAt, from: event.fromSeq, reason: event.reason, minutes });
  }
  if (event.type === "status") console.error(event.status === "reconnecting" ? `reconnecting: ${event.reason}` : event.status);
}
