/** P22: a bill of 500 pieces, as JSON, from and to CSV, and as a receipt; each piece with margin, making and tax. */
import { contract, maxBodyBytes } from "@assay/contract";
import type { Bench, BenchContext } from "../bench.ts";
import { startPart } from "../measure/child.ts";
import { compare, type Loader, medianOf, type Plan } from "../measure/compare.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";

const PLAN: Plan = { connections: 1, rounds: 7, roundMs: 1_000, warmUp: 200, isBusy: true };
const GOAL_MS = 10;
const PIECES = 500;

const KARATS = [24, 22, 18, 14] as const;
const MAKINGS = [{ per_gram: "12.50" }, { percent: "11.5" }, { fixed: "40" }] as const;

/** Pieces that are all different, as a stock's are. */
const pieces = Array.from({ length: PIECES }, (_, index) => ({
  id: `piece-${index}`,
  metal: index % 5 === 4 ? "XAG" : "XAU",
  weight: (2 + index * 0.037).toFixed(3),
  unit: index % 7 === 6 ? "tola" : "gram",
  ...(index % 5 === 4 ? { fineness: 925 } : { karat: KARATS[index % KARATS.length] }),
  side: index % 9 === 8 ? "buy" : "sell",
  margin_percent: "3.5",
  making: MAKINGS[index % MAKINGS.length],
  tax_percent: "8.1",
  tax_on: index % 2 === 0 ? "all" : "making",
  round_to: "0.05",
}));

const COLUMNS = [
  ...["id", "metal", "weight", "unit", "karat", "fineness", "side", "margin_percent"],
  ...["making_per_gram", "making_percent", "making_fixed", "tax_percent", "tax_on", "round_to"],
];

const csv = [
  COLUMNS.join(","),
  ...pieces.map(({ making, ...piece }) => {
    const cells: Record<string, unknown> = { ...piece };
    for (const [name, amount] of Object.entries(making ?? {})) cells[`making_${name}`] = amount;
    return COLUMNS.map((name) => cells[name] ?? "").join(",");
  }),
].join("\r\n");

const posted = (query: string, type: string, body: string, key: string): string =>
  `POST /v1/quotes${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const measure = async ({ report }: BenchContext): Promise<void> => {
  const child = await startPart<ApiReady>("assay-api", { store: { temporary: true } } satisfies ApiSettings);
  const loader: Loader = await startPart("load", null);
  const { port, key, url } = child.ready;
  const json = JSON.stringify({ currency: "EUR", items: pieces });
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/v1/quotes`, { method: "POST", headers, body: json });
  const bill = contract.quotes.create.output.parse(await answer.json());
  const faults = bill.items.filter(({ error }) => error !== undefined);
  if (faults.length > 0) throw new Error(`pieces have no price: ${JSON.stringify(faults[0])}`);
  const forms = [
    { name: "as JSON", request: posted("", "application/json", json, key) },
    { name: "from CSV to CSV", request: posted("?currency=EUR", "text/csv", csv, key) },
    { name: "as a receipt", request: posted("?format=jws", "application/json", json, key) },
  ];
  const rounds = await compare(
    loader,
    forms.map(({ request }) => ({ child, port, request })),
    PLAN,
  );
  await Promise.all([child.stop(), loader.stop()]);
  for (const [index, { name }] of forms.entries()) {
    report({
      id: "P22",
      what: `a bill of ${PIECES} pieces ${name}, CPU of a call`,
      figure: medianOf(rounds[index], "cpuMicros") / 1_000,
      unit: "ms",
      goal: { atMost: GOAL_MS },
      raw:
        `${medianOf(rounds[index], "perSecond").toFixed(0)} a second on one connection, 99 % within ` +
        `${medianOf(rounds[index], "p99Ms").toFixed(1)} ms; a body of ${json.length} of ${maxBodyBytes(contract.quotes.create)} bytes`,
    });
  }
};

/** The benchmark of bills. */
export const counter: Bench = { ids: ["P22"], run: measure };
