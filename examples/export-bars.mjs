/** Exports bars to a CSV file, oldest first, page by page, with the progress on stderr. */
import { open, rename } from "node:fs/promises";
import { Assay, INTERVALS } from "@assay/sdk";

const [symbol, lengthOfBar, from, to, file] = process.argv.slice(2);
const interval = INTERVALS.find((one) => one === lengthOfBar);
if (!symbol || !interval || !from || !to || !file) {
  console.error(`usage: node export-bars.mjs SYMBOL ${INTERVALS.join("|")} FROM TO FILE`);
  process.exit(2);
}

const assay = new Assay();
const fromMs = Date.parse(from);
const lengthMs = Math.max(1, Math.min(Date.parse(to), Date.now()) - fromMs);
const isTerminal = process.stderr.isTTY;
let rows = 0;

/** @param {Date | undefined} reached how far the export is */
const showProgress = (reached) => {
  const percent = reached ? Math.min(100, Math.floor(((reached.getTime() - fromMs) / lengthMs) * 100)) : 100;
  const line = `${symbol} ${interval}: ${rows} bars, ${percent} %`;
  process.stderr.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
};

// Renamed when complete, so that a partial file never has the final name.
const partial = `${file}.part`;
const output = await open(partial, "w");
await output.write("bar_start,open,high,low,close,volume\n");
const settled = assay.bars.list({ symbol, interval, from, to, order: "asc", closedOnly: true, limit: 500 });
for await (const { bars } of settled.pages()) {
  const lines = bars.map(({ barStart, open, high, low, close, volume }) =>
    // Figures keep their published digits; a missing one is an empty cell.
    [barStart.toISOString(), ...[open, high, low, close, volume].map((figure) => figure?.text ?? "")].join(","),
  );
  if (lines.length > 0) await output.write(`${lines.join("\n")}\n`);
  rows += bars.length;
  showProgress(bars.at(-1)?.barStart);
}
await output.close();
await rename(partial, file);
showProgress(undefined);
if (isTerminal) process.stderr.write("\n");
