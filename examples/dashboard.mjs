/** A terminal dashboard over server-sent events: one line per metal, redrawn on every price. Ctrl-C exits. */
import { Assay, SSE_SYMBOLS } from "@assay/sdk/stream";

const BARS = "▁▂▃▄▅▆▇█";
const WIDTH = 30;

/** @param {readonly number[]} values for display only, hence floats */
const sparkline = (values) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => BARS[high === low ? 0 : Math.round(((value - low) / (high - low)) * 7)]).join("");
};

/** @typedef {import("@assay/sdk/stream").TickEvent} Tick */
/** @type {Map<string, { first: Tick, last: Tick, recent: number[] }>} */
const metals = new Map();
let connection = "";
let market = "";

/** @param {string} symbol */
const lineOf = (symbol) => {
  const metal = metals.get(symbol);
  if (!metal) return `${symbol}  –`;
  const { first, last, recent } = metal;
  const change = last.price.minus(first.price);
  const sign = change.isNegative() ? "" : "+";
  const figures = [last.price.text.padStart(9), `±${last.conf.text}`, `${sign}${change.toFixed()}`.padStart(8)];
  return [symbol, ...figures, last.computedAt.toISOString(), `#${last.seq}`, sparkline(recent)].join("  ");
};

/** @param {string} [changed] the symbol that moved; only its line is written to a pipe */
const draw = (changed) => {
  const lines = process.stdout.isTTY ? SSE_SYMBOLS.map(lineOf) : changed ? [lineOf(changed)] : [];
  const head = process.stdout.isTTY ? [`\x1b[H\x1b[JAssay  ${connection}  ${market}`] : [];
  if (lines.length > 0) console.log([...head, ...lines].join("\n"));
};

const assay = new Assay();
const events = assay.stream.subscribe({ transport: "sse", symbols: SSE_SYMBOLS });
process.once("SIGINT", () => events.close());
for await (const event of events) {
  if (event.type === "status") connection = event.status === "reconnecting" ? `reconnecting: ${event.reason}` : event.status;
  if (event.type === "heartbeat") market = `market ${event.market}`;
  if (event.type === "tick") {
    const { first = event, recent = [] } = metals.get(event.symbol) ?? {};
    metals.set(event.symbol, { first, last: event, recent: [...recent, event.price.toNumber()].slice(-WIDTH) });
  }
  draw(event.type === "tick" ? event.symbol : undefined);
}
